#!/usr/bin/env python3
"""Writes the conformance set for DVD sub-pictures: dvd_set.py FOLDER.

Each case is described as a scene: a grid of pixel values, where it lies, and what holds from which
time on. The stream is written from the scene by `dvd_stream.py`; the expected images are painted
from the scene, pixel by pixel on the canvas, by `Scene.paint`. Nothing here reads a stream.
"""

import json
import os
import shutil
import sys
from fractions import Fraction

import png_file
from dvd_stream import (area, changes, colours, contrasts, fields, index_text, information,
                        large_unit, packs, run_lengths, sequences, unit, START, FORCED, STOP)

PALETTE = ["000000", "ffffff", "202020", "909090", "ffcc00", "ff0000", "00ff00", "0000ff",
           "800000", "008000", "000080", "808000", "800080", "008080", "c0c0c0", "404040"]
SIZE = (96, 64)
STANDARD = dict(colours=(0, 1, 2, 3), contrasts=(0, 15, 15, 15))

#: A letter-like figure of all four values, 12 × 8.
FIGURE = ["000000000000", "002222222200", "021111111120", "021133331120",
          "021133331120", "021111111120", "002222222200", "000000000000"]


def rgb(text):
    return tuple(int(text[place:place + 2], 16) for place in (0, 2, 4))


def grid(rows):
    return [[int(value) for value in row] for row in rows]


def nanoseconds(milliseconds, delay):
    """A unit's time plus a delay of 1024/90000 s."""
    exact = Fraction(milliseconds) * 10**6 + Fraction(delay * 1024 * 10**9, 90000)
    return int(exact + Fraction(1, 2)) if exact >= 0 else -int(-exact + Fraction(1, 2))


class Look:
    """The colors of the four pixel values, which may differ on parts of the screen."""

    def __init__(self, palette=PALETTE, colours=(0, 1, 2, 3), contrasts=(0, 15, 15, 15), parts=(),
                 alpha=100, custom=None):
        self.palette, self.alpha, self.custom = palette, alpha, custom
        self.colours, self.contrasts, self.parts = colours, contrasts, parts

    def colour(self, value, x, y):
        chosen, opaque = self.colours, self.contrasts
        for (first, last), columns in self.parts:
            if first <= y <= last:
                for start, column_colours, column_contrasts in columns:
                    if x >= start:
                        chosen, opaque = column_colours, column_contrasts
                break
        if self.custom:
            red, green, blue = rgb(self.custom[0][value])
            alpha = 0 if self.custom[1][value] == "1" else 255
        else:
            red, green, blue = rgb(self.palette[chosen[value]])
            alpha = opaque[value] * 17
        return red, green, blue, int(Fraction(alpha * self.alpha, 100) + Fraction(1, 2))


def paint(pixels, x, y, look, origin=(0, 0), scale=1):
    """The visible part of the image on the canvas: x, y, rows of colors; `None` if there is none."""
    shown = {}
    for row, line in enumerate(pixels):
        for column, value in enumerate(line):
            colour = look(value) if callable(look) else look.colour(value, x + column, y + row)
            if not colour[3]:
                continue
            for down in range(scale):
                for right in range(scale):
                    place = (origin[0] + (x + column) * scale + right,
                             origin[1] + (y + row) * scale + down)
                    shown[place] = colour
    if not shown:
        return None
    left, right = min(place[0] for place in shown), max(place[0] for place in shown)
    top, bottom = min(place[1] for place in shown), max(place[1] for place in shown)
    rows = [[shown.get((column, row)) for column in range(left, right + 1)]
            for row in range(top, bottom + 1)]
    return left, top, rows


class Case:
    """A case: files of the stream, and what has to come out."""

    def __init__(self, folder, name, rule, section, mistake):
        self.folder = os.path.join(folder, name)
        os.makedirs(self.folder)
        self.name = name
        self.expected = {"rule": rule, "standard": section, "oftenWrong": mistake, "input": "stream.idx",
                         "canvas": list(SIZE), "diagnostics": [], "tracks": []}
        self.pictures = 0

    def file(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(data)

    def track(self, language=None, title=None):
        self.expected["tracks"].append({"language": language, "title": title, "cues": []})

    def cue(self, start, end, painted, forced=False, source="explicit"):
        """Start and end in nanoseconds."""
        if not self.expected["tracks"]:
            self.track("en")
        self.pictures += 1
        name = "%04d.png" % self.pictures
        left, top, rows = painted
        self.file(name, png_file.paletted(rows))
        self.expected["tracks"][-1]["cues"].append(
            {"start": start, "end": end, "endSource": source, "forced": forced, "x": left, "y": top,
             "image": name})

    def close(self):
        with open(os.path.join(self.folder, "expected.json"), "w", newline="\n") as file:
            json.dump(self.expected, file, indent=1)
            file.write("\n")

    def pair(self, units, **index):
        """Writes stream.idx and stream.sub: (milliseconds, unit) each."""
        data, entries = b"", []
        for milliseconds, stored in units:
            entries.append((milliseconds, len(data)))
            data += packs(stored, milliseconds * 90)
        self.file("stream.sub", data)
        self.file("stream.idx", index_text([("en", 0, [], entries)], size=SIZE, palette=PALETTE, **index))


def simple(pixels, x, y, *later, delay=0, start=START, look=STANDARD, before=b"", top=None, bottom=None):
    """A unit that shows `pixels` from `delay` on; `later` are further sequences (delay, commands)."""
    first = before + colours(look["colours"]) + contrasts(look["contrasts"]) \
        + area(x, y, len(pixels[0]), len(pixels)) + start
    return unit(pixels, [(delay, first)] + list(later), top=top, bottom=bottom)


def main():
    folder = sys.argv[1]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    figure = grid(FIGURE)
    units_section = "DVD-Video part 3, 5.4.3"

    def case(*arguments):
        return Case(folder, *arguments)

    def seen(pixels=figure, x=40, y=30, **look):
        return paint(pixels, x, y, Look(**look))

    # Times and ends.
    one = case("stop", "A cue begins at the unit's time and ends at its own stop command, in 1024/90000 s.",
               units_section + ", STP_DSP", "the end is rounded to milliseconds or taken from the container")
    one.pair([(1000, simple(figure, 40, 30, (88, STOP)))])
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen())
    one.close()

    one = case("no-stop", "Without a stop command a cue lasts until the next one; nothing tells the end of the last.",
               units_section + ", STP_DSP", "the end is 2^32 ms, or the cues overlap")
    one.pair([(1000, simple(figure, 40, 30)), (2500, simple(figure, 20, 30)), (4000, simple(figure, 40, 10))])
    one.cue(nanoseconds(1000, 0), nanoseconds(2500, 0), seen(), source="nextEvent")
    one.cue(nanoseconds(2500, 0), nanoseconds(4000, 0), seen(x=20), source="nextEvent")
    one.cue(nanoseconds(4000, 0), nanoseconds(14000, 0), seen(y=10), source="clamped")
    one.close()

    one = case("delayed-start", "The display begins with its command, which may come later than the unit's time.",
               units_section + ", STA_DSP", "the cue begins at the packet's time")
    one.pair([(1000, simple(figure, 40, 30, (44, START), (132, STOP), start=b""))])
    one.cue(nanoseconds(1000, 44), nanoseconds(1000, 132), seen())
    one.close()

    one = case("restart", "A display that was stopped may start again: two cues.",
               units_section + ", STA_DSP and STP_DSP", "the last stop ends the first cue, or the second is lost")
    one.pair([(1000, simple(figure, 40, 30, (44, STOP), (88, START), (132, STOP)))])
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 44), seen())
    one.cue(nanoseconds(1000, 88), nanoseconds(1000, 132), seen())
    one.close()

    one = case("stop-at-start", "A stop that is not later than the start means nothing: the next cue is the end.",
               units_section + ", STP_DSP", "the cue is lost, or ends before it starts")
    one.pair([(1000, simple(figure, 40, 30, (0, STOP))), (2000, simple(figure, 20, 30, (88, STOP)))])
    one.cue(nanoseconds(1000, 0), nanoseconds(2000, 0), seen(), source="nextEvent")
    one.cue(nanoseconds(2000, 0), nanoseconds(2000, 88), seen(x=20))
    one.expected["diagnostics"] = ["bad-stop"]
    one.close()

    one = case("no-start", "A unit without any command to start is shown from its own time on.",
               "none: seen in the wild", "the cue is lost")
    one.pair([(1000, simple(figure, 40, 30, (88, STOP), start=b""))])
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen())
    one.expected["diagnostics"] = ["missing-start"]
    one.close()

    one = case("forced", "FSTA_DSP shows the picture even where subtitles are off; it is cropped as others are.",
               units_section + ", FSTA_DSP", "the flag is lost, or the picture is left uncropped")
    one.pair([(1000, simple(figure, 40, 30, (88, STOP), start=FORCED)), (3000, simple(figure, 20, 30, (88, STOP)))])
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen(), forced=True)
    one.cue(nanoseconds(3000, 0), nanoseconds(3000, 88), seen(x=20))
    one.close()

    # Changes within a unit.
    levels = [(0, 2, 2, 2), (0, 6, 6, 6), (0, 15, 15, 15), (0, 7, 7, 7), (0, 1, 1, 1)]
    delays = [0, 3, 6, 88, 91, 94]
    one = case("fade", "Later sequences change the contrast: each step is a picture of its own.",
               units_section + ", SET_CONTR", "only the first contrast is used, so that a fade-in stays nearly invisible")
    one.pair([(1000, simple(figure, 40, 30, *[(delay, contrasts(level)) for delay, level in zip(delays[1:], levels[1:])],
                            (delays[-1], STOP), look=dict(colours=(0, 1, 2, 3), contrasts=levels[0])))])
    for number, level in enumerate(levels):
        one.cue(nanoseconds(1000, delays[number]), nanoseconds(1000, delays[number + 1]), seen(contrasts=level))
    one.close()

    one = case("fade-from-nothing", "Where all is transparent there is no cue; the fade begins with the first visible step.",
               units_section + ", SET_CONTR", "an empty picture, or none at all since the first step shows nothing")
    one.pair([(1000, simple(figure, 40, 30, (5, contrasts((0, 8, 8, 8))), (10, contrasts((0, 15, 15, 15))), (88, contrasts((0, 0, 0, 0))),
                            (100, STOP), look=dict(colours=(0, 1, 2, 3), contrasts=(0, 0, 0, 0))))])
    one.cue(nanoseconds(1000, 5), nanoseconds(1000, 10), seen(contrasts=(0, 8, 8, 8)))
    one.cue(nanoseconds(1000, 10), nanoseconds(1000, 88), seen())
    one.close()

    one = case("recolour", "Later sequences change the colours; one that changes nothing is no new picture.",
               units_section + ", SET_COLOR", "later colours are ignored")
    one.pair([(1000, simple(figure, 40, 30, (44, colours((0, 4, 2, 3))), (60, colours((0, 4, 2, 3))), (88, colours((0, 5, 6, 7))), (132, STOP)))])
    for start, end, chosen in [(0, 44, (0, 1, 2, 3)), (44, 88, (0, 4, 2, 3)), (88, 132, (0, 5, 6, 7))]:
        one.cue(nanoseconds(1000, start), nanoseconds(1000, end), seen(colours=chosen))
    one.close()

    one = case("move", "Later sequences move the picture (SET_DAREA), as rolling titles do.",
               units_section + ", SET_DAREA", "the later area is ignored or applied to the first picture")
    one.pair([(1000, simple(figure, 40, 30, (44, area(40, 20, 12, 8)), (88, area(50, 10, 12, 8)), (132, STOP)))])
    for start, end, x, y in [(0, 44, 40, 30), (44, 88, 40, 20), (88, 132, 50, 10)]:
        one.cue(nanoseconds(1000, start), nanoseconds(1000, end), seen(x=x, y=y))
    one.close()

    other = grid(["3333", "3113", "3113", "3333"])
    top, bottom = run_lengths(other[0::2]), run_lengths(other[1::2])
    one = case("repaint", "Later sequences may show other pixel data of the same unit (SET_DSPXA).",
               units_section + ", SET_DSPXA", "only the first pixel data are drawn")
    data = run_lengths(figure[0::2]) + run_lengths(figure[1::2])
    second = 4 + len(data)
    first = colours((0, 1, 2, 3)) + contrasts((0, 15, 15, 15)) + area(40, 30, 12, 8) + fields(4, 4 + len(run_lengths(figure[0::2]))) + START
    stored = sequences(data + top + bottom, [(0, first), (44, area(44, 32, 4, 4) + fields(second, second + len(top))), (88, STOP)])
    one.pair([(1000, stored)])
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 44), seen())
    one.cue(nanoseconds(1000, 44), nanoseconds(1000, 88), seen(other, 44, 32))
    one.close()

    # CHG_COLCON.
    parts = [((31, 33), [(42, (0, 4, 5, 6), (0, 15, 15, 15)), (46, (7, 8, 9, 10), (3, 15, 7, 15))]),
             ((35, 36), [(0, (0, 5, 2, 3), (0, 15, 0, 15))])]
    one = case("colcon", "CHG_COLCON gives lines and columns of the screen other colours and contrasts; left of the first column and on other lines the unit's own hold.",
               units_section + ", CHG_COLCON", "the command is skipped, or ends the sequence; lines are counted from the picture's top")
    one.pair([(1000, simple(figure, 40, 30, (88, STOP), before=changes(parts)))])
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen(parts=parts))
    one.close()

    def wipe(column):
        return [((30, 37), [(40, (0, 4, 2, 3), (0, 15, 15, 15)), (column, (0, 1, 2, 3), (0, 15, 15, 15))])]

    one = case("colcon-wipe", "Each later CHG_COLCON replaces the one before, an empty one ends it: karaoke.",
               units_section + ", CHG_COLCON", "only one colour is shown for the whole line")
    one.pair([(1000, simple(figure, 40, 30, (20, changes(wipe(43))), (40, changes(wipe(46))), (60, changes(wipe(49))), (80, changes([])), (100, STOP)))])
    for start, end, shown in [(0, 20, ()), (20, 40, wipe(43)), (40, 60, wipe(46)), (60, 80, wipe(49)), (80, 100, ())]:
        one.cue(nanoseconds(1000, start), nanoseconds(1000, end), seen(parts=shown))
    one.close()

    hide = [((30, 37), [(40, (0, 1, 2, 3), (0, 0, 0, 0)), (46, (0, 1, 2, 3), (0, 15, 15, 15))])]
    one = case("colcon-crop", "What CHG_COLCON makes transparent is cropped, what it makes visible is not.",
               units_section + ", CHG_COLCON", "the picture is cropped by the unit's own contrasts")
    one.pair([(1000, simple(figure, 40, 30, (88, STOP), before=changes(hide)))])
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen(parts=hide))
    one.close()

    # Pixel data.
    widths = [1, 3, 4, 15, 16, 63, 64]
    line = []
    for number, width in enumerate(widths):
        line += [(number % 3) + 1] * width
    total = len(line) + 5
    rows = [line + [0] * 5, [1] * total, line[::-1] + [0] * 5, [2] * 7 + [3] * (total - 7)]
    rows = [row[:total] for row in rows]
    one = case("run-lengths", "Codes of 4, 8, 12 and 16 bits at their limits, to the end of the line, and lines of odd half bytes.",
               "DVD-Video part 3, 5.4.2", "a line begins in the middle of a byte")
    one.expected["canvas"] = [240, 64]
    data = simple(rows, 20, 30, (88, STOP))
    one.file("stream.sub", packs(data, 90000))
    one.file("stream.idx", index_text([("en", 0, [], [(1000, 0)])], size=(240, 64), palette=PALETTE))
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen(rows, 20, 30))
    one.close()

    for height in (1, 5):
        pixels = grid(FIGURE[2:2 + height])
        one = case("height-%d" % height, "A height of %d lines: the field with the lines 0, 2, 4, … has one more." % height,
                   units_section + ", SET_DAREA", "the last line is lost, or a height of 1 is refused")
        one.pair([(1000, simple(pixels, 40, 30, (88, STOP)))])
        one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen(pixels))
        one.close()

    half = figure[0::2]
    doubled = [line for line in half for _ in range(2)]
    one = case("one-field", "Both fields may use the same pixel data: each line is shown twice.",
               units_section + ", SET_DSPXA", "the second field is thought to be missing")
    one.pair([(1000, simple(doubled, 40, 30, (88, STOP), top=half, bottom=0))])
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen(doubled))
    one.close()

    one = case("long-run", "A run longer than its line is cut there and the next line begins on its own byte.",
               "none: damage", "the whole picture is given up, or the rest of the run spoils the next line")
    # A run of 255 pixels of value 1 in a line of 8; then a good line. Both fields use these lines.
    data = bytes([0x03, 0xFD]) + run_lengths([[0, 0, 2, 2, 2, 2, 2, 2]])
    first = colours((0, 1, 2, 3)) + contrasts((0, 15, 15, 15)) + area(40, 30, 8, 4) + fields(4, 4) + START
    one.pair([(1000, sequences(data, [(0, first), (88, STOP)]))])
    pixels = [[1] * 8, [1] * 8, [0, 0, 2, 2, 2, 2, 2, 2], [0, 0, 2, 2, 2, 2, 2, 2]]
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen(pixels))
    one.expected["diagnostics"] = ["clipped-run"]
    one.close()

    empty = [[0] * 30 for _ in range(20)]
    small = [row[:] for row in empty]
    small[7][11], small[9][13] = 1, 2
    one = case("crop", "A picture is cut to what is visible; pixels of value 0 count where their contrast is not 0.",
               "none: what every user wants", "the picture has its full area, or value 0 is always taken for transparent")
    one.pair([(1000, simple(small, 20, 10, (44, STOP))),
              (2000, simple(small, 20, 10, (44, STOP), look=dict(colours=(0, 1, 2, 3), contrasts=(5, 15, 15, 15))))])
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 44), seen(small, 20, 10))
    one.cue(nanoseconds(2000, 0), nanoseconds(2000, 44), seen(small, 20, 10, contrasts=(5, 15, 15, 15)))
    one.close()

    one = case("transparent", "A picture that shows nothing is no cue, but it ends one that has no end of its own.",
               units_section + ", SET_CONTR", "an empty picture is written, or the cue before stays")
    one.pair([(1000, simple(figure, 40, 30)), (2000, simple(empty, 20, 10, (44, STOP))), (3000, simple(figure, 20, 30, (44, STOP)))])
    one.cue(nanoseconds(1000, 0), nanoseconds(2000, 0), seen(), source="nextEvent")
    one.cue(nanoseconds(3000, 0), nanoseconds(3000, 44), seen(x=20))
    one.close()

    # Packs.
    noise, state = [], 7
    for _ in range(60):
        noise.append([])
        for _ in range(90):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            noise[-1].append(state >> 16 & 3)
    one = case("packs", "A unit of several packs, between them packs of another stream and stuffing in the headers.",
               "ISO/IEC 13818-1, 2.4.3.6", "packets of the other stream are mixed in; stuffing is taken for data")
    big = packs(simple(noise, 2, 2, (88, STOP)), 90000, split=900)
    small_packs = packs(simple(figure, 40, 30, (88, STOP)), 90000, stream=1, stuffing=9)
    mixed = big[:2048] + small_packs + big[2048:]
    one.file("stream.sub", mixed)
    one.file("stream.idx", index_text([("en", 0, [], [(1000, 0)]), ("de", 1, [], [(1000, 2048)])], size=SIZE, palette=PALETTE))
    one.track("en")
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen(noise, 2, 2))
    one.track("de")
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen())
    one.close()

    one = case("mpeg1", "Packs and packets of an MPEG-1 programme stream.", "ISO/IEC 11172-1, 2.4.3",
               "only MPEG-2 headers are read")
    one.file("stream.sub", packs(simple(figure, 40, 30, (88, STOP)), 90000, mpeg1=True))
    one.file("stream.idx", index_text([("en", 0, [], [(1000, 0)])], size=SIZE, palette=PALETTE))
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen())
    one.close()

    # Lines of the .idx file.
    custom = (["ff0000", "00ff00", "0000ff", "ffffff"], "1010")
    one = case("custom-colours", "Custom colours replace the unit's own; a 1 in tridx makes a value transparent, from value 0 on.",
               "VobSub index, custom colors", "the colours are ignored, or tridx is read from the other end")
    one.pair([(1000, simple(figure, 40, 30, (88, STOP)))], custom=custom)
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), seen(custom=custom))
    one.close()

    one = case("placement", "org moves pictures, scale stretches them with their places, alpha makes them more transparent.",
               "VobSub index, org, scale, alpha", "the lines are ignored")
    one.pair([(1000, simple(figure, 10, 5, (88, STOP)))], org=(6, 4), scale=200, alpha=50)
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), paint(figure, 10, 5, Look(alpha=50), origin=(6, 4), scale=2))
    one.close()

    one = case("delays", "delay: lines add up and hold for the following times of their stream; time offset holds for all.",
               "VobSub index, delay and time offset", "the last delay alone counts, or it is carried to the next language")
    first, second = packs(simple(figure, 40, 30, (44, STOP)), 90000), packs(simple(figure, 20, 30, (44, STOP)), 90000, stream=1)
    one.file("stream.sub", first * 4 + second)
    lines = [(1000, 0), "delay: 00:00:01:500", (2000, 2048), "delay: 00:00:00:500", (3000, 4096), "delay: -00:00:01:000", (6000, 6144)]
    one.file("stream.idx", index_text([("en", 0, [], lines), ("de", 1, [], [(1000, 8192)])], size=SIZE, palette=PALETTE, offset=250))
    one.track("en")
    for start in (1250, 3750, 5250, 7250):
        one.cue(nanoseconds(start, 0), nanoseconds(start, 44), seen())
    one.track("de")
    one.cue(nanoseconds(1250, 0), nanoseconds(1250, 44), seen(x=20))
    one.close()

    one = case("negative-delay", "A negative delay moves no subtitle in front of the one before.",
               "VobSub index, delay", "the order of the subtitles changes")
    one.file("stream.sub", packs(simple(figure, 40, 30, (20, STOP)), 90000) + packs(simple(figure, 20, 30, (44, STOP)), 90000) * 2)
    lines = [(1000, 0), (3000, 2048), "delay: -00:00:02:500", (4000, 4096)]
    one.file("stream.idx", index_text([("en", 0, [], lines)], size=SIZE, palette=PALETTE))
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 20), seen())
    one.cue(nanoseconds(3000, 0), nanoseconds(3000, 44), seen(x=20))
    one.cue(nanoseconds(3000, 0), nanoseconds(3000, 44), seen(x=20))
    one.close()

    one = case("languages", "Several languages in one pair; old codes, `--`, a line that cannot be read, names of the streams; places in any order.",
               "VobSub index, id, alt, langidx, filepos", "streams are mixed up, a name is lost, the file is refused")
    data, places = b"", []
    for stream, x in [(3, 60), (0, 10), (1, 30), (0, 20)]:
        places.append(len(data))
        data += packs(simple(figure, x, 30, (44, STOP)), 90000, stream=stream)
    one.file("stream.sub", data)
    one.file("stream.idx", index_text(
        [("en", 0, ["alt: English (SDH)"], [(1000, places[1]), (3000, places[3])]),
         ("iw", 1, [], [(2000, places[2])]),
         ("--", 3, [], [(1500, places[0])])], size=SIZE, palette=PALETTE, langidx=1))
    one.track("en", "English (SDH)")
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 44), seen(x=10))
    one.cue(nanoseconds(3000, 0), nanoseconds(3000, 44), seen(x=20))
    one.track("he")
    one.cue(nanoseconds(2000, 0), nanoseconds(2000, 44), seen(x=30))
    one.track(None)
    one.cue(nanoseconds(1500, 0), nanoseconds(1500, 44), seen(x=60))
    one.close()

    one = case("lost-places", "A place behind the end of the .sub file, or a line that cannot be read, costs one subtitle.",
               "none: damage", "the rest of the file is given up")
    one.file("stream.sub", packs(simple(figure, 40, 30, (44, STOP)), 90000))
    one.file("stream.idx", index_text([("en", 0, [], [(1000, 0), (2000, 0xFFFFFF), "timestamp: 00:00:02:5x0, filepos: 0", (3000, 0)])], size=SIZE, palette=PALETTE))
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 44), seen())
    one.cue(nanoseconds(3000, 0), nanoseconds(3000, 44), seen())
    one.expected["diagnostics"] = ["bad-line", "missing-unit"]
    one.close()

    # Colors from elsewhere.
    def grey(value):
        return [(0, 0, 0, 0), (0, 0, 0, 255), (127, 127, 127, 255), (255, 255, 255, 255)][value]

    one = case("no-palette", "Without a palette the visible colours become greys from dark to bright, so that letters differ from their edges.",
               "none", "the file is refused, or everything has one colour")
    one.file("stream.sub", packs(simple(figure, 40, 30, (44, STOP), look=dict(colours=(0, 1, 5, 9), contrasts=(0, 15, 15, 15))), 90000))
    one.file("stream.idx", index_text([("en", 0, [], [(1000, 0)])], size=SIZE, palette=None))
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 44), paint(figure, 40, 30, grey))
    one.expected["diagnostics"] = ["missing-palette"]
    one.close()

    one = case("sub-alone", "A .sub file without its .idx file: streams and times are those of the packs, and 33 bits wrap.",
               "ISO/IEC 13818-1, 2.4.3.7", "the file is refused; times start at 0 or fall back by 26.5 hours")
    wrapped = (1 << 33) - 90000
    one.file("stream.sub", packs(simple(figure, 40, 30, (44, STOP)), wrapped) + packs(simple(figure, 20, 30, (44, STOP)), 90000, stream=2)
             + packs(simple(figure, 20, 30, (44, STOP)), 180000))
    one.expected.update(input="stream.sub", canvas=[720, 480], diagnostics=["missing-palette"])
    def at(ticks, delay=0):
        return int(Fraction((ticks + delay * 1024) * 10**9, 90000) + Fraction(1, 2))

    one.track()
    one.cue(at(wrapped), at(wrapped, 44), paint(figure, 40, 30, grey))
    one.cue(at((1 << 33) + 180000), at((1 << 33) + 180000, 44), paint(figure, 20, 30, grey))
    one.track()
    one.cue(at(90000), at(90000, 44), paint(figure, 20, 30, grey))
    one.close()

    # Y, Cr, Cb of the palette; the colors by BT.601, limited range.
    yuv = [(16, 128, 128), (235, 128, 128), (81, 240, 90), (145, 34, 54)] + [(16 + 12 * n, 128, 128) for n in range(12)]

    def rgb601(y, cr, cb):
        luma, red, blue = Fraction(255 * (y - 16), 219), Fraction(255 * (cr - 128), 224), Fraction(255 * (cb - 128), 224)
        kr, kb = Fraction(299, 1000), Fraction(114, 1000)
        kg = 1 - kr - kb
        values = (luma + 2 * (1 - kr) * red, luma - 2 * (1 - kr) * kr / kg * red - 2 * (1 - kb) * kb / kg * blue, luma + 2 * (1 - kb) * blue)
        return tuple(min(255, max(0, int(value + Fraction(1, 2)) if value > 0 else 0)) for value in values)

    converted = ["%02x%02x%02x" % rgb601(*entry) for entry in yuv]
    one = case("information-file", "A .VOB file names no colours: they are in the .IFO file beside it, with the languages.",
               "DVD-Video part 3, 4.2 and 4.3, PGC_SP_PLT", "shades of grey")
    one.file("VTS_01_0.IFO", information(yuv, [("en", 0), ("iw", 1)]))
    one.file("VTS_01_1.VOB", packs(simple(figure, 40, 30, (44, STOP)), 90000) + packs(simple(figure, 20, 30, (44, STOP)), 180000, stream=1))
    one.expected.update(input="VTS_01_1.VOB", canvas=[720, 576])
    one.track("en")
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 44), seen(palette=converted))
    one.track("he")
    one.cue(nanoseconds(2000, 0), nanoseconds(2000, 44), seen(x=20, palette=converted))
    one.close()

    # HD DVD.
    wide = [[(x * 3 + y * 5) % 256 if x < 20 else 200 for x in range(40)] for y in range(7)]
    entries = [(16 + value * 219 // 255, 128 + (value % 32 - 16), 128 - (value % 16 - 8)) for value in range(256)]
    transparency = [255 if value < 4 else value // 2 for value in range(256)]
    one = case("high-definition", "HD DVD: size 0, offsets of 32 bits, 256 colours as Y, Cr, Cb, and transparencies.",
               "DVD Specifications for High Definition Video, sub-picture", "the unit is taken for an empty one")
    one.pair([(1000, large_unit(wide, 20, 10, entries, transparency, 88))])
    one.cue(nanoseconds(1000, 0), nanoseconds(1000, 88), paint(wide, 20, 10, lambda value: rgb601(*entries[value]) + (255 - transparency[value],)))
    one.close()


if __name__ == "__main__":
    main()
