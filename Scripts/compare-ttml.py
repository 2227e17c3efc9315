#!/usr/bin/env python3
"""Compares the texts of TTML documents at all their times with those of ttconv.

    python3 -m venv VENV && VENV/bin/pip install ttconv
    VENV/bin/python Scripts/compare-ttml.py UNDERTEXT FOLDER…

At each time at which either says that something changes, the paragraphs that can be seen must have the same
texts. Ends with the times that both took for a document of many paragraphs. Run by hand, not by the tests.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import ttconv.imsc.reader as reader
import ttconv.model as model
from ttconv.isd import ISD
from ttconv.style_properties import StyleProperties, VisibilityType


def visible_text(element):
    """The text of an element of a snapshot, line breaks as line feeds, ruby left out."""
    if isinstance(element, model.Text):
        return element.get_text()
    if isinstance(element, model.Br):
        return "\n"
    if isinstance(element, (model.Rt, model.Rp, model.Rtc)):
        return ""
    parts = []
    for child in element:
        text = visible_text(child)
        if isinstance(child, model.Text):
            hidden = element.get_style(StyleProperties.Visibility) is VisibilityType.hidden
            if hidden or element.get_style(StyleProperties.Opacity) == 0:
                text = ""
        parts.append(text)
    return "".join(parts)


def paragraphs(element):
    if isinstance(element, model.P):
        yield element
        return
    for child in element:
        yield from paragraphs(child)


def normal(texts):
    return sorted(text.strip() for text in texts if text.strip())


def theirs(path):
    """Times, and the texts from each of them on."""
    document = reader.to_model(ElementTree.parse(path))
    snapshots = []
    for offset, isd in ISD.generate_isd_sequence(document):
        texts = []
        for region in isd.iter_regions():
            if region.get_style(StyleProperties.Opacity) == 0:
                continue
            for body in region:
                texts += [visible_text(p) for p in paragraphs(body)]
        snapshots.append((Fraction(offset), normal(texts)))
    return snapshots


def ours(command, path):
    """The cues as start, end and text."""
    result = subprocess.run(
        [command, "convert", str(path), "-", "--to", "json", "--from", "ttml", "--quiet"],
        capture_output=True, check=False)
    cues = []
    for line in result.stdout.decode().splitlines():
        record = json.loads(line, parse_float=Fraction)
        if record["type"] == "cue" and "text" in record:
            cues.append((Fraction(record["start"]), Fraction(record["end"]), record["text"],
                         record["endSource"]))
    return cues


def at(snapshots, moment):
    found = []
    for offset, texts in snapshots:
        if offset <= moment:
            found = texts
    return found


def compare(command, path):
    """The first moment that differs, or None; and how many were compared."""
    cues = ours(command, path)
    try:
        snapshots = theirs(path)
    except Exception as error:  # pylint: disable=broad-except
        return f"ttconv fails: {type(error).__name__}: {error}", 0
    open_ends = {cue[1] for cue in cues if cue[3] in ("endOfStream", "clamped")}
    # Times that no cue can have are not compared: our cues always end.
    last = min(open_ends, default=None)
    moments = {offset for offset, _ in snapshots}
    moments |= {time for cue in cues for time in cue[:2]}
    count = 0
    for moment in sorted(moments):
        if last is not None and moment >= last:
            break
        count += 1
        mine = normal(cue[2] for cue in cues if cue[0] <= moment < cue[1])
        other = at(snapshots, moment)
        if mine != other:
            return f"at {float(moment)} s: {mine} against {other}", count
    return None, count


def speed(command):
    """Seconds for a document of many paragraphs: our time to JSON, the other to snapshots."""
    body = "".join(
        f'<p begin="{i}s" end="{i + 1}s" region="r" style="s">Line {i}<br/><span '
        f'tts:color="yellow">second</span></p>' for i in range(3000))
    text = (
        '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="en">'
        '<head><styling><style xml:id="s" tts:textAlign="center"/></styling><layout><region xml:id="r" '
        'tts:origin="10% 80%" tts:extent="80% 10%"/></layout></head><body><div>' + body +
        "</div></body></tt>")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "many.ttml"
        path.write_text(text, encoding="utf-8")
        begin = time.perf_counter()
        count = len(ours(command, path))
        middle = time.perf_counter()
        snapshots = len(theirs(path))
        end = time.perf_counter()
    print(f"3000 paragraphs: {count} cues in {middle - begin:.2f} s, "
          f"ttconv {snapshots} snapshots in {end - middle:.2f} s")


def main():
    command, *folders = sys.argv[1:]
    paths = sorted(
        path for folder in folders for path in pathlib.Path(folder).rglob("*")
        if path.suffix in (".ttml", ".dfxp"))
    equal = moments = 0
    for path in paths:
        difference, count = compare(command, path)
        moments += count
        if difference is None:
            equal += 1
        else:
            print(f"{path.name}: {difference}")
    print(f"{equal} of {len(paths)} documents equal, {moments} moments")
    speed(command)


if __name__ == "__main__":
    main()
