#!/usr/bin/env python3
"""Compares the Python package with pysubs2 and pgsrip: results, and processor time.

    Scripts/python.sh --collect-only          makes the environment
    .build/python-package/bin/pip install pgsrip
    PYTHONPATH=Python .build/python-package/bin/python Tests/Benchmarks/python.py [CUES] [RUNS]

The tools run in turn in one process, after one round that does not count. Times are medians of user and system time, so that
other load matters less; ratios are relative to undertext. pgsrip is left out if it is not installed.
"""
import importlib.util
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy
import pysubs2

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("UNDERTEXT_LIBRARY", str(ROOT / ".build/release/c/lib/libundertext.so.0"))

import undertext  # noqa: E402  the variable comes first

WORDS = "the quick brown fox jumps over a lazy dog while nine more animals watch from the hill".split()


def clock(milliseconds):
    """Returns a time as SubRip has it."""
    seconds, milliseconds = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},{milliseconds:03}"


def subrip(count):
    """Returns a file with that many cues, a third of them in italics."""
    lines = []
    for index in range(count):
        words = [WORDS[(index * 7 + offset * 3) % len(WORDS)] for offset in range(9)]
        text = " ".join(words[:5]) + "\n" + " ".join(words[5:])
        if index % 3 == 0:
            text = f"<i>{text}</i>"
        lines += [str(index + 1), f"{clock(index * 1500)} --> {clock(index * 1500 + 1400)}", text, ""]
    return "\n".join(lines)


def measure(cases, runs):
    """Runs the cases in turn and prints a row for each; returns the results of the last round."""
    times, results = {name: [] for name in cases}, {}
    for round_number in range(runs + 1):
        for name, work in cases.items():
            began = time.process_time()
            results[name] = work()
            if round_number:
                times[name].append(time.process_time() - began)
    medians = {name: statistics.median(values) for name, values in times.items()}
    ours = medians["undertext"]
    for name, median in medians.items():
        print(f"| {name} | {median * 1000:.1f} ms | {median / ours:.2f} |")
    return results


def heading(title):
    """Prints the heading of a table."""
    print(f"\n**{title}**\n\n| tool | processor time | ratio |\n| --- | --- | --- |")


def texts(path, runs):
    """Reads a SubRip file, with the times and the text of each cue."""
    def ours():
        return [(cue.start_ns // 1_000_000, cue.end_ns // 1_000_000, cue.text) for cue in undertext.SubtitleFile.open(path)]

    def theirs():
        return [(event.start, event.end, event.plaintext) for event in pysubs2.load(str(path))]

    heading(f"SubRip, {path.stat().st_size / 1e6:.1f} MB: start, end and text of each cue")
    results = measure({"undertext": ours, "pysubs2": theirs}, runs)
    same = sum(one == other for one, other in zip(results["undertext"], results["pysubs2"]))
    print(f"\n{same} of {len(results['undertext'])} cues are equal; pysubs2 has {len(results['pysubs2'])}.")

    heading("the same to WebVTT in memory")
    results = measure({
        "undertext": lambda: undertext.SubtitleFile.open(path).encode("vtt").data.decode(),
        "pysubs2": lambda: pysubs2.load(str(path)).to_string("vtt"),
    }, runs)
    cues = {name: text.count(" --> ") for name, text in results.items()}
    italics = {name: text.count("<i>") for name, text in results.items()}
    print(f"\ncues: {cues}, in italics: {italics}")


def images(path, runs):
    """Decodes the images of a .sup file."""
    from pgsrip.formats import pgs

    def ours():
        with undertext.open(path) as media:
            return [(cue.start_ns // 1_000_000, [image.numpy()[..., 3] > 0 for image in cue.images]) for cue in media.track()]

    def theirs():
        items = pgs.read_items(pgs.read_display_sets(path.read_bytes(), path.name), path.name)
        return [(item.start, [item.bitmap == 0]) for item in items]

    heading(f"PGS, {path.stat().st_size / 1e6:.1f} MB: all images as arrays")
    results = measure({"undertext": ours, "pgsrip": theirs}, runs)
    mine, other = results["undertext"], results["pgsrip"]
    known = {start + rounding for start, _ in mine for rounding in (-1, 0, 1)}
    shared = sum(start in known for start, _ in other)
    print(f"\ncues: {len(mine)}; pgsrip has {len(other)}, of which {shared} begin when one of undertext's does.")
    print("visible pixels: "
          f"{sum(int(numpy.count_nonzero(image)) for _, parts in mine for image in parts)}; pgsrip keeps ink alone: "
          f"{sum(int(numpy.count_nonzero(image)) for _, parts in other for image in parts)}")


def main():
    """Runs all comparisons."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print(f"undertext {undertext.__version__}, pysubs2 {pysubs2.VERSION}, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cues.srt"
        path.write_text(subrip(count), encoding="utf-8")
        texts(path, runs)
        if importlib.util.find_spec("pgsrip"):
            source = undertext.SubtitleFile.open(ROOT / "Fixtures/subtitles/bitmaps.sup")
            step = source[-1].end + 1
            source.cues = [cue.shifted(step * turn) for turn in range(100) for cue in source.cues]
            source.save(Path(folder) / "film.sup")
            images(Path(folder) / "film.sup", runs)


if __name__ == "__main__":
    main()
