#!/usr/bin/env python3
"""Compares the recognition of text with pgsrip: 1500 images of 1080p with known text.

    python3 -m venv bench-out/pgsrip && bench-out/pgsrip/bin/pip install pgsrip==0.3.0
    bench-out/pgsrip/bin/python Tests/Benchmarks/ocr.py [IMAGES]

Needs a build with the trait Recognition, Tesseract with the data of English, and the fonts of DejaVu. Both tools read the same
.sup, one after the other, and may use all processors. Errors are edits (insertions, deletions, substitutions) per character of the
known text; lines are joined with a space.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

from PIL import Image, ImageDraw, ImageFont

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")
sys.path.insert(0, os.path.join(ROOT, "Fixtures/tools"))

import picture  # noqa: E402
import pgs  # noqa: E402

UNDERTEXT = os.environ.get("UNDERTEXT", os.path.join(ROOT, ".build/release/undertext"))
FONTS = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf"]
WORDS = """about after again all always and another any are around ask at away back because been before being best better between
big both bring but call came can change children come could country day did different does done door down each eat end enough even
ever every eyes far father feel find first follow for found four from get give go going good great had hand hard has have head help
her here high him his home house how hundred if important into it just keep kind know land large last leave left letter life light
like line little live long look made make man many may mean might money more morning most mother move much must name near need
never new next night no not now number of off often old on once one only open or other our out over own part people place play
point put question quite read really right river road room run said same saw say school second see seem sentence set she should
show side small so some something soon sound still stop story such sure take talk tell than that the their them then there these
they thing think this those thought three through time to together told too took tree try turn two under until up upon us use
very voice walk want war was watch water way we week well went were what when where which while white who why will window with
without woman word work world would write year yes yesterday you young your""".split()


def sentence(chance):
    """Words with a capital letter and punctuation, in one or two lines."""
    words = [chance.choice(WORDS) for _ in range(chance.randint(3, 12))]
    words[0] = words[0].capitalize()
    if chance.random() < 0.3:
        words[chance.randrange(len(words) - 1)] += ","
    if chance.random() < 0.15:
        words.append(str(chance.randint(2, 2030)))
    words[-1] += chance.choice(".....?!")
    half = (len(words) + 1) // 2
    return [" ".join(words)] if len(words) < 6 else [" ".join(words[:half]), " ".join(words[half:])]


def drawn(lines, font):
    """The lines in white with a black edge, as indices of 16 colors: 1 to 8 from edge to face, 9 to 15 from nothing to edge."""
    box = ImageDraw.Draw(Image.new("L", (1, 1))).multiline_textbbox((0, 0), "\n".join(lines), font, align="center", stroke_width=4)
    size, place = (int(box[2] - box[0]) + 8, int(box[3] - box[1]) + 8), (4 - box[0], 4 - box[1])
    layers = []
    for width in (4, 0):
        layer = Image.new("L", size)
        ImageDraw.Draw(layer).multiline_text(place, "\n".join(lines), 255, font, align="center", stroke_width=width)
        layers.append(layer.tobytes())
    indices = bytearray(len(layers[0]))
    for number, (edge, face) in enumerate(zip(*layers)):
        if face >= 16:
            indices[number] = 1 + face * 7 // 255
        elif edge >= 16:
            indices[number] = 1 if edge > 240 else 9 + edge * 6 // 255
    return picture.Picture([indices[row * size[0]:(row + 1) * size[0]] for row in range(size[1])])


def make(path, count):
    """Writes the images; returns their texts."""
    chance = random.Random(1)
    fonts = [ImageFont.truetype(name, 54) for name in FONTS]
    colours = {index: (round((index - 1) * 255 / 7),) * 3 + (255,) for index in range(1, 9)}
    colours |= {index: (0, 0, 0, round((index - 9) * 255 / 6)) for index in range(9, 16)}
    stream, texts = pgs.Stream(), []
    for number in range(count):
        lines = sentence(chance)
        shown = drawn(lines, fonts[number * len(fonts) // count])
        stream.show(number * 3 + 1, [pgs.Placed(shown, (1920 - shown.width) // 2, 1020 - shown.height)], pgs.Palette(colours))
        stream.clear(number * 3 + 3)
        texts.append(" ".join(lines))
    stream.write(path)
    return texts


def cues(path):
    """The texts of a SubRip file by the number of their image."""
    found = {}
    with open(path, encoding="utf-8-sig") as file:
        for block in file.read().strip().split("\n\n"):
            lines = block.split("\n")
            hours, minutes, seconds = lines[1].split(" --> ")[0].replace(",", ".").split(":")
            number = round((int(hours) * 3600 + int(minutes) * 60 + float(seconds) - 1) / 3)
            found[number] = " ".join(line.strip() for line in lines[2:])
    return found


def edits(one, other):
    """The Levenshtein distance."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one):
        before, row[0] = row[0], number + 1
        for place, wanted in enumerate(other):
            before, row[place + 1] = row[place + 1], min(
                row[place] + 1, row[place + 1] + 1, before + (letter != wanted))
    return row[-1]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    with tempfile.TemporaryDirectory() as folder:
        texts = make(folder + "/a.en.sup", count)
        shutil.copy(folder + "/a.en.sup", folder + "/b.en.sup")
        tools = {
            "undertext": ([UNDERTEXT, "convert", "--ocr", "en", folder + "/a.en.sup", folder + "/a.srt"], folder + "/a.srt"),
            "pgsrip": ([os.path.join(os.path.dirname(sys.executable), "pgsrip"), "--language", "en", folder + "/b.en.sup"],
                       folder + "/b.en.srt"),
        }
        print("| tool | time | images/s | error rate | images without an error |\n| --- | ---: | ---: | ---: | ---: |")
        for name, (command, output) in tools.items():
            began = time.monotonic()
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            took = time.monotonic() - began
            if not os.path.exists(output):
                sys.exit("%s wrote nothing: %s%s" % (name, done.stdout[-2000:], done.stderr[-2000:]))
            found = cues(output)
            errors = [edits(found.get(number, ""), text) for number, text in enumerate(texts)]
            rate = sum(errors) / sum(map(len, texts))
            print("| %s | %.1f s | %.1f | %.3f %% | %d of %d |" % (
                name, took, count / took, 100 * rate, errors.count(0), count), flush=True)


if __name__ == "__main__":
    main()
