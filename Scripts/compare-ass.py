#!/usr/bin/env python3
"""Converts 22 features of ASS to WebVTT and SubRip by undertext, ffmpeg and pysubs2.

Usage: Scripts/compare-ass.py UNDERTEXT. Prints the table of Documentation/Formats/ASS.md: each cell is
measured by looking for the feature in what the tool wrote.
"""
import json, pathlib, re, subprocess, sys, tempfile

HEAD = """[Script Info]
ScriptType: v4.00+
PlayResX: 640
PlayResY: 360

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Sans,20,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,10,10,10,1
Style: Loud,Sans,20,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,-1,-1,0,0,100,100,0,0,1,2,0,2,10,10,10,1
Style: Red,Sans,20,&H000000FF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,10,10,10,1
Style: Top,Sans,20,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,8,10,10,10,1
Style: Box,Sans,20,&H00FFFFFF,&H000000FF,&H00FF0000,&H00000000,0,0,0,0,100,100,0,0,3,2,0,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""

def event(text, style="Default", name="", margin=0, kind="Dialogue"):
    return f"{kind}: 0,0:00:01.00,0:00:03.00,{style},{name},0,0,{margin},,{text}\n"

SHOWN = event("shown").replace("0:00:01", "0:00:04").replace("0:00:03", "0:00:05")
BLANK = r"(\u00a0|&nbsp;|\\h)"
# Name, events, pattern in WebVTT, pattern in SubRip (None: the format cannot express it), `True` if
# the pattern must be missing, and the kinds of loss that report it.
FEATURES = [
    ("italic", event(r"{\i1}aa{\i0}b"), r"<i>aa</i>", r"<i>aa</i>", False, ["style"]),
    ("bold", event(r"{\b1}aa{\b0}b"), r"<b>aa</b>", r"<b>aa</b>", False, ["style"]),
    ("underline", event(r"{\u1}aa{\u0}b"), r"<u>aa</u>", r"<u>aa</u>", False, ["style"]),
    ("strikethrough", event(r"{\s1}aa{\s0}b"), None, r"<s>aa</s>", False, ["style"]),
    ("bold and italic of the style", event("aa", "Loud"), r"<b><i>aa", r"<b><i>aa|<i><b>aa", False, ["style"]),
    ("bold by \\r of a named style", event(r"aa{\rLoud}bb"), r"aa<b><i>bb", r"aa<b><i>bb|aa<i><b>bb", False, ["style"]),
    ("color", event(r"{\c&H0080FF&}aa"), r"color:\s*#FF8000.*<c\.\w+>aa", r"<font color=\"#ff8000\">aa", False, ["color"]),
    ("color of the style", event("aa", "Red"), r"<c\.red>aa|color:\s*#?(red|ff0000).*<c\.\w+>aa", r"<font color=\"(#ff0000|red)\">aa", False, ["color"]),
    ("transparency", event(r"{\1a&H80&}aa"), r"rgba\(.*<c\.\w+>aa", None, False, ["color"]),
    ("opaque box", event("aa", "Box"), r"<c\.bg_blue>aa|background", None, False, ["background"]),
    ("position by \\an", event(r"{\an8}aa"), r"--> \S+ [^\n]*line:", r"{\\an8}aa", False, ["position", "alignment"]),
    ("position of the style", event("aa", "Top"), r"--> \S+ [^\n]*line:", r"{\\an8}aa", False, ["position", "alignment"]),
    ("position by \\pos", event(r"{\pos(160,90)}aa"), r"--> \S+ [^\n]*position:25%", None, False, ["position"]),
    ("position by margins", event("aa", margin=180), r"--> \S+ [^\n]*line:50", None, False, ["position"]),
    ("line breaks and hard spaces", event(r"aa\Nbb\hcc"), r"aa\nbb" + BLANK + "cc", r"aa\nbb" + BLANK + "cc", False, []),
    ("font and size", event(r"{\fnSerif\fs40}aa"), None, r"face=.?Serif", False, ["font", "size"]),
    ("karaoke times", event(r"{\k50}aa{\k50}bb"), r"aa<00:00:01.500>bb", None, False, ["karaoke"]),
    ("speaker", event("aa", name="Ann"), r"<v Ann>aa", None, False, ["voice", "metadata"]),
    ("comments are not text", event("aa{note}bb") + event("hidden", kind="Comment"), r"note|hidden", r"note|hidden", True, []),
    ("drawings are not text", event(r"{\p1}m 0 0 l 9 9{\p0}"), r"m 0 0", r"m 0 0", True, ["drawing"]),
    ("fades, movement, clips", event(r"{\fad(9,9)\clip(1,2,3,4)}aa"), None, None, False, ["animation", "clip"]),
    ("&, < and escaped braces", event(r"a & b <i> \{c\}"), r"a &amp; b &lt;i(&gt;|>) {c}", r"a & b <.?i> {c}", False, []),
]

def undertext(binary, source, target):
    report = target.with_suffix(".json")
    subprocess.run([binary, "convert", "--force", "--report", report, source, target], capture_output=True)
    losses = set()
    if report.exists():
        for track in json.loads(report.read_text())["inputs"][0]["tracks"]:
            losses |= {loss["kind"] for loss in track["losses"]}
    return losses

def ffmpeg(source, target):
    codec = "webvtt" if target.suffix == ".vtt" else "srt"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, "-c:s", codec, target], capture_output=True)
    return set()

def pysubs2(source, target):
    import pysubs2
    pysubs2.load(str(source), encoding="utf-8").save(str(target))
    return set()

def main():
    binary = sys.argv[1]
    tools = [("undertext", lambda s, t: undertext(binary, s, t)), ("ffmpeg", ffmpeg), ("pysubs2", pysubs2)]
    folder = pathlib.Path(tempfile.mkdtemp())
    columns = [(name, convert, suffix) for suffix in (".vtt", ".srt") for name, convert in tools]
    print("| feature | " + " | ".join(f"{name} {suffix}" for name, _, suffix in columns) + " |")
    print("| --- |" + " --- |" * len(columns))
    kept = [0] * len(columns)
    for number, (feature, events, vtt, srt, absent, kinds) in enumerate(FEATURES):
        source = folder / f"{number}.ass"
        source.write_text(HEAD + events + SHOWN)
        cells = []
        for place, (name, convert, suffix) in enumerate(columns):
            target = folder / f"{number}-{name}{suffix}"
            losses = convert(source, target)
            text = target.read_text() if target.exists() else ""
            pattern = vtt if suffix == ".vtt" else srt
            found = pattern is not None and re.search(pattern, text, re.S | re.I) is not None
            is_reported = bool(kinds) and bool(losses & set(kinds))
            if "shown" not in text:
                cell = "no file"
            elif pattern is not None and found != absent:
                cell = "yes"
                kept[place] += 1
            else:
                cell = "loss" if is_reported else "**no**" if absent else "no"
            cells.append(cell)
        print(f"| {feature} | " + " | ".join(cells) + " |")
    print("| kept | " + " | ".join(str(count) for count in kept) + " |")

main()
