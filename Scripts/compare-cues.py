#!/usr/bin/env python3
"""Compares the cues of subtitle files, two by two: compare-cues.py FIRST SECOND [FIRST SECOND ...]

Prints a line for each cue whose times or text, as pysubs2 reads them, are different. Text is compared without
markup, blanks at the ends of lines, and empty lines.
"""
import html
import re
import sys

import pysubs2


DRAWING = re.compile(r"m( -?[0-9.]+){2} [bl]( -?[0-9.]+)")


def cues(path):
    text = open(path, encoding="utf-8", newline="").read()
    if not text.strip():
        return []
    extension = path.rsplit(".", 1)[-1].lower()
    form = {"vtt": "vtt", "ass": "ass", "ssa": "ass"}.get(extension, "srt")
    if form == "vtt":
        # ffmpeg writes what WebVTT wants escaped as it is, and drops karaoke; a browser shows the same text.
        text = html.unescape(re.sub(r"<\d\d:[0-9:.]+>", "", text))
    found = [e for e in pysubs2.SSAFile.from_string(text, format_=form) if not e.is_comment]
    shown = [(e.start, e.end, words(e.plaintext)) for e in found]
    # ffmpeg converts the drawings of ASS to text, which is not compared.
    return [cue for cue in shown if cue[2] and not DRAWING.match(cue[2])]


def words(text):
    lines = [line.strip() for line in text.replace("\u2060", "").replace("\u00a0", " ").split("\n")]
    return "\n".join(line for line in lines if line)


def main(paths):
    different = False
    for first, second in zip(paths[::2], paths[1::2]):
        one, other = sorted(cues(first)), sorted(cues(second))
        for a, b in zip(one, other):
            if a != b:
                print(f"{first}: {a} is {b} in {second}")
                different = True
        if len(one) != len(other):
            print(f"{first}: {len(one)} cues, {second}: {len(other)}")
            different = True
    return different


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
