#!/usr/bin/env python3
"""Writes the conformance set for DVB subtitles: dvb_cases.py FOLDER [SEEDS].

SEEDS is a folder for seeds of fuzzing: a byte with the length of the pages' header, the header, then
packets behind their lengths of two bytes.
"""

import os
import struct
import sys

import picture
from dvbsub import *
from scene import Conformance, Shown, grid, stamp, ycc
from transport import TransportStream

WIDE, HIGH = 64, 32
CANVAS = (WIDE, HIGH)
END, LATE, TIMED = "nextEvent", "endOfStream", "clamped"

# Colors as senders write them, (Y, Cr, Cb, T), and their RGB values.
COLOURS = [(0, 0, 0, 0), (235, 128, 128, 0), (16, 128, 128, 0), (81, 240, 90, 0), (145, 34, 54, 0),
           (41, 110, 240, 0), (210, 146, 16, 64), (120, 100, 180, 128)]
LOOKS = [(0, 0, 0, 0)] + [ycc(y, cb, cr, 255 - t) for y, cr, cb, t in COLOURS[1:]]
WHITE = LOOKS[1]


def table(bits=4, number=0, colours=None, version=0, **options):
    colours = COLOURS[:1 << bits] if colours is None else colours
    return clut(number, [(entry, bits) + colour for entry, colour in enumerate(colours)], version, **options)


def word(text, face=1, edge=2):
    """Letters of one dot a pixel with an edge."""
    rows = picture.text([text], scale=1).rows
    return [[{0: 0, 1: face, 2: edge, 3: face}[value] for value in row] for row in rows]


def default_entry(bits, entry):
    """Default CLUTs, section 10: the table of the standard in words."""
    if bits == 2:
        return [(0, 0, 0, 0), (255, 255, 255, 255), (0, 0, 0, 255), (127, 127, 127, 255)][entry]
    if entry == 0:
        return (0, 0, 0, 0)
    low = [entry & 1, entry >> 1 & 1, entry >> 2 & 1]
    high = [entry >> 4 & 1, entry >> 5 & 1, entry >> 6 & 1]
    if bits == 4:
        return tuple((127 if entry & 8 else 255) * bit for bit in low) + (255,)
    if entry < 8:
        return tuple(255 * bit for bit in low) + (63,)
    kind = entry & 0x88
    if kind in (0x00, 0x08):
        return tuple(round(85 * a + 170 * b) for a, b in zip(low, high)) + (255 if kind == 0 else 127,)
    base = 127 if kind == 0x80 else 0
    return tuple(base + round(42.5 * a + 0.1) + 85 * b for a, b in zip(low, high)) + (255,)


class Case:
    """A file that grows by display sets, and what it shows."""

    def __init__(self, name, canvas=CANVAS, services=(("eng", 0x10, 1, 1),), **facts):
        self.name, self.canvas, self.facts = name, canvas, facts
        self.stream = TransportStream(descriptor(*services) if services else b"")
        self.cues, self.diagnostics = [], []
        self.seed = b"".join(struct.pack(">HHB", own, shared, kind) for _, kind, own, shared in services)
        self.seed = bytes([len(self.seed)]) + self.seed

    def send(self, time, *segments):
        self.stream.pes(time, pes(*segments))
        held = b"".join(segments)
        self.seed += struct.pack(">H", len(held)) + held
        return self

    def canvas_segment(self):
        return display(*self.canvas)

    def begin(self, time, *segments, timeout=30, regions=((0, 0, 0),), version=0, **options):
        """A display set with a mode change that states the canvas."""
        return self.send(time, self.canvas_segment(), page(regions, MODE_CHANGE, version, timeout, **options),
                         *segments, end())

    def change(self, time, *segments, timeout=30, regions=((0, 0, 0),), version=1, state=NORMAL):
        return self.send(time, page(regions, state, version, timeout), *segments, end())

    def clear(self, time, version=9):
        return self.send(time, page([], NORMAL, version), end())

    def cue(self, start, stop, source=END):
        self.cues.append(Shown(start, stop, source, self.canvas))
        return self.cues[-1]

    def add(self, target):
        target.add(self.name, "ts", self.stream.bytes(), self.cues, self.diagnostics, **self.facts)


def all_cases():
    return [make() for make in CASES]


CASES = []


def case(make):
    CASES.append(make)
    return make


# Pixel strings: section 7.2.5.2

def line_of(lengths, codes):
    result = []
    for index, length in enumerate(lengths):
        result += [codes[index % len(codes)]] * length
    return result


def strings_case(name, bits, lengths, width, colours, spare=1):
    """Lines of `width` codes in a region that is `spare` wider."""
    made = Case(name, canvas=(width + spare, 8))
    rows = []
    for number in range(8):
        codes = [(number + step) % len(colours) for step in range(len(colours))]
        line = line_of(lengths, codes)
        rows.append((line + [0] * width)[:width])
    looks = [(0, 0, 0, 0)] + [ycc(y, cb, cr, 255 - t) for y, cr, cb, t in colours[1:]]
    made.begin(10, region(0, width + spare, 8, [(0, 0, 0)], bits, fill=0), table(bits, colours=colours),
               bitmap(0, rows, bits)).clear(12)
    made.cue(10, 12).add(0, 0, rows, looks)
    return made


@case
def strings_2bit():
    return strings_case("strings-2bit", 2, [1, 2, 3, 10, 11, 12, 27, 28, 29, 284], 410, COLOURS[:4])


@case
def strings_4bit():
    return strings_case("strings-4bit", 4, [1, 2, 3, 4, 7, 8, 9, 24, 25, 26, 280], 400, COLOURS)


@case
def strings_8bit():
    return strings_case("strings-8bit", 8, [1, 2, 3, 126, 127, 128], 400, COLOURS)


@case
def strings_full():
    return strings_case("strings-8bit-full-width", 8, [1, 2, 3, 126, 127, 128], 400, COLOURS, spare=0)


@case
def fields_odd():
    made = Case("fields-odd-height")
    rows = [[1 + row % 5] * 20 for row in range(9)]
    made.begin(10, region(0, 20, 9, [(0, 0, 0)], fill=0), table(), bitmap(0, rows)).clear(12)
    made.cue(10, 12).add(0, 0, rows, LOOKS)
    return made


@case
def fields_repeated():
    made = Case("fields-top-repeated")
    rows = [[1 + row] * 20 for row in range(4)]
    made.begin(10, region(0, 20, 8, [(0, 0, 0)], fill=0), table(),
               fields_object(0, field(rows, 4), b"")).clear(12)
    made.cue(10, 12).add(0, 0, [rows[row // 2] for row in range(8)], LOOKS)
    return made


@case
def strings_without_line_ends():
    """Two strings on one line, and a line without any."""
    made = Case("strings-on-one-line")
    top = string4([1] * 5) + string4([3] * 5) + b"\xF0" + b"\xF0" + string4([4] * 10) + b"\xF0"
    bottom = string4([5] * 10) + b"\xF0"
    made.begin(10, region(0, 10, 6, [(0, 0, 0)], fill=0), table(), fields_object(0, top, bottom)).clear(12)
    rows = grid(10, 6)
    rows[0], rows[1], rows[4] = [1] * 5 + [3] * 5, [5] * 10, [4] * 10
    made.cue(10, 12).add(0, 0, rows, LOOKS)
    return made


# Map tables: sections 7.2.5.1, 10.4 to 10.6

def maps_case(name, region_bits, string_bits, mapping, before=b""):
    made = Case(name)
    codes = [[(row + column) % (1 << string_bits) for column in range(32)] for row in range(8)]
    looks = {entry: default_entry(region_bits, entry) for entry in range(1 << region_bits)}
    made.begin(10, region(0, 32, 8, [(0, 0, 0)], region_bits, fill=0),
               bitmap(0, codes, string_bits, before=before)).clear(12)
    made.cue(10, 12).add(0, 0, [[mapping[code] for code in row] for row in codes], looks)
    return made


@case
def maps_2to4():
    return maps_case("map-2to4-default", 4, 2, [0, 7, 8, 15])


@case
def maps_2to8():
    return maps_case("map-2to8-default", 8, 2, [0x00, 0x77, 0x88, 0xFF])


@case
def maps_4to8():
    return maps_case("map-4to8-default", 8, 4, [code * 0x11 for code in range(16)])


@case
def maps_2to4_own():
    return maps_case("map-2to4-own", 4, 2, [3, 1, 10, 6], b"\x20\x31\xA6")


@case
def maps_2to8_own():
    return maps_case("map-2to8-own", 8, 2, [0x20, 0x81, 0x4F, 0x07], b"\x21\x20\x81\x4F\x07")


@case
def maps_4to8_own():
    mapping = [(37 * code + 9) % 256 for code in range(16)]
    return maps_case("map-4to8-own", 8, 4, mapping, b"\x22" + bytes(mapping))


# Colors: sections 7.2.4 and 10

def default_colours(name, bits, side):
    made = Case(name, canvas=(side * 2 + 1, side * 2))
    rows = [[row // 2 * side + column // 2 for column in range(side * 2)] for row in range(side * 2)]
    looks = {entry: default_entry(bits, entry) for entry in range(1 << bits)}
    made.begin(10, region(0, side * 2 + 1, side * 2, [(0, 0, 0)], bits, clut=7, fill=0), bitmap(0, rows, bits)).clear(12)
    made.cue(10, 12).add(0, 0, rows, looks)
    return made


@case
def colours_default_2():
    return default_colours("clut-default-2bit", 2, 2)


@case
def colours_default_4():
    return default_colours("clut-default-4bit", 4, 4)


@case
def colours_default_8():
    return default_colours("clut-default-8bit", 8, 16)


@case
def colours_partly_default():
    """A definition that names two entries of sixteen."""
    made = Case("clut-partly-defined")
    rows = [list(range(16)) for _ in range(4)]
    looks = {entry: default_entry(4, entry) for entry in range(16)}
    looks[3], looks[9] = LOOKS[4], LOOKS[5]
    made.begin(10, region(0, 16, 4, [(0, 0, 0)], fill=0), clut(0, [(3, 4) + COLOURS[4], (9, 4) + COLOURS[5]]),
               bitmap(0, rows)).clear(12)
    made.cue(10, 12).add(0, 0, rows, looks)
    return made


@case
def colours_reduced():
    made = Case("clut-reduced-range")
    colours = [(0, 0, 0, 0), (252, 128, 128, 0), (16, 128, 128, 64), (84, 240, 96, 128), (144, 32, 48, 192)]
    looks = [(0, 0, 0, 0)] + [ycc(y, cb, cr, 255 - t) for y, cr, cb, t in colours[1:]]
    rows = [[index] * 8 for index in range(5)]
    made.begin(10, region(0, 8, 5, [(0, 0, 0)], fill=0), table(colours=colours, full=False), bitmap(0, rows)).clear(12)
    made.cue(10, 12).add(0, 0, rows, looks)
    return made


@case
def colours_transparency():
    """T from none to most, and Y = 0, which is transparent for every T."""
    made = Case("clut-transparency")
    colours = [(0, 240, 16, 0), (235, 128, 128, 0), (235, 128, 128, 1), (235, 128, 128, 127), (235, 128, 128, 128),
               (235, 128, 128, 254), (16, 128, 128, 0)]
    looks = [(0, 0, 0, 0)] + [ycc(y, cb, cr, 255 - t) for y, cr, cb, t in colours[1:]]
    rows = [[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6] for _ in range(6)]
    made.begin(10, region(0, 11, 6, [(0, 0, 0)], fill=0), table(colours=colours), bitmap(0, rows)).clear(12)
    made.cue(10, 12).add(0, 0, rows, looks)
    return made


@case
def colours_changed():
    """Only the colors change: the pixels are not sent again."""
    made = Case("clut-changed-alone")
    rows = word("Hi")
    made.begin(10, region(0, 40, 12, [(0, 2, 0)], fill=0), table(), bitmap(0, rows))
    made.change(11, clut(0, [(1, 4) + COLOURS[3]], version=1)).clear(12)
    looks = list(LOOKS)
    looks[1] = LOOKS[3]
    made.cue(10, 11).add(2, 0, rows, LOOKS)
    made.cue(11, 12).add(2, 0, rows, looks)
    return made


@case
def colours_per_depth():
    """One family, three tables: a region uses the one of its depth."""
    made = Case("clut-family")
    entries = [(1, 2) + COLOURS[3], (1, 4) + COLOURS[4], (1, 8) + COLOURS[5]]
    segments = [clut(5, entries)]
    cue = made.cue(10, 12)
    for number, bits in enumerate((2, 4, 8)):
        rows = grid(10, 6, 1)
        segments += [region(number, 12, 6, [(number, 0, 0)], bits, clut=5, fill=0), bitmap(number, rows, bits)]
        cue.add(0, 10 * number, rows, [(0, 0, 0, 0), LOOKS[3 + number]])
    made.begin(10, *segments, regions=[(number, 0, 10 * number) for number in range(3)]).clear(12)
    return made


# Regions: section 7.2.3

@case
def region_fill():
    """Background at each depth."""
    made = Case("region-fill")
    cue, segments = made.cue(10, 12), []
    for number, (bits, code) in enumerate(((2, 3), (4, 9), (8, 0x4F))):
        segments.append(region(number, 12, 6, bits=bits, fill=code))
        cue.add(4, 8 * number, grid(12, 6), [default_entry(bits, code)])
    made.begin(10, *segments, regions=[(number, 4, 8 * number) for number in range(3)]).clear(12)
    return made


@case
def region_refill():
    """A fill wipes what was drawn before; without it new objects are drawn over the old ones."""
    made = Case("region-refilled")
    first, second = grid(8, 4, 3), grid(8, 4, 4)
    made.begin(10, region(0, 40, 12, [(0, 0, 0)], fill=5), table(), bitmap(0, first))
    made.change(11, region(0, 40, 12, [(1, 4, 2)], version=1), bitmap(1, second))
    made.change(12, region(0, 40, 12, [(1, 20, 2)], fill=6, version=2), bitmap(1, second, version=1), version=2)
    made.clear(13)
    base = stamp(grid(40, 12, 5), first, 0, 0)
    made.cue(10, 11).add(0, 0, base, LOOKS)
    made.cue(11, 12).add(0, 0, stamp([list(row) for row in base], second, 4, 2), LOOKS)
    made.cue(12, 13).add(0, 0, stamp(grid(40, 12, 6), second, 20, 2), LOOKS)
    return made


@case
def region_transparent():
    """Nothing visible: the screen is empty, though the page has a region."""
    made = Case("region-transparent")
    rows = word("Hi")
    made.begin(10, region(0, 40, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows))
    made.change(11, region(0, 40, 12, fill=0, version=1)).clear(13)
    made.cue(10, 11).add(0, 0, rows, LOOKS)
    return made


@case
def region_kept():
    """A page that sends one of two regions again leaves the other as it is."""
    made = Case("region-unchanged-kept")
    upper, lower, later = word("Up", 3), word("Down"), word("More")
    both = [(0, 0, 0), (1, 0, 16)]
    made.begin(10, region(0, 64, 12, [(0, 0, 0)], fill=0), region(1, 64, 12, [(1, 0, 0)], fill=0), table(),
               bitmap(0, upper), bitmap(1, lower), regions=both)
    made.change(11, region(1, 64, 12, [(1, 4, 0)], fill=0, version=1), bitmap(1, later, version=1), regions=both)
    made.change(12, regions=both[:1], version=2).clear(13)
    made.cue(10, 11).add(0, 0, upper, LOOKS).add(0, 16, lower, LOOKS)
    made.cue(11, 12).add(0, 0, upper, LOOKS).add(4, 16, later, LOOKS)
    made.cue(12, 13).add(0, 0, upper, LOOKS)
    return made


@case
def region_moved():
    """A page may move a region, leave it out and bring it back, without sending it again."""
    made = Case("region-moved-hidden-back")
    rows = word("Hi")
    made.begin(10, region(0, 20, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows))
    made.change(11, regions=[(0, 30, 8)]).change(12, regions=[], version=2)
    made.change(13, regions=[(0, 10, 16)], version=3).clear(14)
    made.cue(10, 11).add(0, 0, rows, LOOKS)
    made.cue(11, 12).add(30, 8, rows, LOOKS)
    made.cue(13, 14).add(10, 16, rows, LOOKS)
    return made


@case
def region_repeated():
    """A region segment that is sent again with its version, but without its objects, changes nothing."""
    made = Case("region-version-unchanged")
    rows = word("Stay")
    same = region(0, 40, 12, [(0, 0, 0)], fill=0)
    made.begin(10, same, table(), bitmap(0, rows))
    made.change(11, same, regions=[(0, 8, 4)], version=1)
    made.change(12, region(0, 40, 12), regions=[(0, 16, 4)], version=2).clear(13)
    for start, place in ((10, (0, 0)), (11, (8, 4)), (12, (16, 4))):
        made.cue(start, start + 1).add(*place, rows, LOOKS)
    return made


# Objects: section 7.2.5

@case
def object_shared():
    """One object in two regions of different depth, and twice in one of them."""
    made = Case("object-shared")
    rows = [[(row + column) % 4 for column in range(10)] for row in range(6)]
    made.begin(10, region(0, 30, 6, [(0, 0, 0), (0, 16, 0)], 2, clut=1, fill=0),
               region(1, 10, 6, [(0, 0, 0)], 4, clut=1, fill=0), bitmap(0, rows, 2),
               regions=[(0, 0, 0), (1, 40, 20)]).clear(12)
    twice = stamp(stamp(grid(30, 6), rows, 0, 0), rows, 16, 0)
    made.cue(10, 12).add(0, 0, twice, [default_entry(2, code) for code in range(4)]).add(
        40, 20, rows, [default_entry(4, code) for code in (0, 7, 8, 15)])
    return made


@case
def object_overlap():
    """Where objects overlap, the last one is on top."""
    made = Case("object-overlap")
    first, second = grid(12, 8, 3), grid(12, 8, 4)
    made.begin(10, region(0, 30, 16, [(0, 0, 0), (1, 6, 4)], fill=0), table(), bitmap(0, first), bitmap(1, second))
    made.clear(12)
    made.cue(10, 12).add(0, 0, stamp(stamp(grid(30, 16), first, 0, 0), second, 6, 4), LOOKS)
    return made


@case
def object_outside():
    """What reaches over a region's edge is cut there."""
    made = Case("object-cut-at-region")
    rows = [[1 + (row + column) % 5 for column in range(20)] for row in range(12)]
    made.begin(10, region(0, 16, 10, [(0, 8, 4)], fill=2), table(), bitmap(0, rows)).clear(12)
    made.cue(10, 12).add(0, 0, stamp(grid(16, 10, 2), rows, 8, 4), LOOKS)
    return made


@case
def object_updated():
    """A redefined object is drawn in the region that contains it, without a region segment."""
    made = Case("object-updated-alone")
    first, second = grid(10, 8, 3), grid(10, 8, 4)
    made.begin(10, region(0, 20, 10, [(0, 4, 0)], fill=0), table(), bitmap(0, first))
    made.change(11, bitmap(0, second, version=1)).clear(12)
    made.cue(10, 11).add(4, 0, first, LOOKS)
    made.cue(11, 12).add(4, 0, second, LOOKS)
    return made


@case
def object_kept():
    """A new region may show an object that was sent before."""
    made = Case("object-shown-again")
    rows = word("Again")
    made.begin(10, region(0, 40, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows))
    made.change(11, region(1, 40, 12, [(0, 2, 0)], fill=0), regions=[(1, 8, 16)]).clear(12)
    made.cue(10, 11).add(0, 0, rows, LOOKS)
    made.cue(11, 12).add(10, 16, rows, LOOKS)
    return made


@case
def object_holes():
    """non_modifying_colour_flag: pixels of entry 1 keep the existing content."""
    made = Case("object-non-modifying")
    below = [[2 + (row + column) % 4 for column in range(24)] for row in range(12)]
    above = [[1 if 4 <= column < 12 else 6 for column in range(16)] for _ in range(8)]
    made.begin(10, region(0, 24, 12, [(0, 0, 0), (1, 4, 2)], fill=0), table(), bitmap(0, below),
               bitmap(1, above, non_modifying=True)).clear(12)
    made.cue(10, 12).add(0, 0, stamp([list(row) for row in below], above, 4, 2, hole=1), LOOKS)
    return made


@case
def object_progressive():
    """Lines that are compressed, not in fields."""
    made = Case("object-progressive")
    rows = [[(row * 3 + column) % 256 for column in range(21)] for row in range(13)]
    looks = {entry: default_entry(8, entry) for entry in range(256)}
    made.begin(10, region(0, 24, 16, [(0, 2, 1)], 8, clut=3, fill=0), progressive(0, rows)).clear(12)
    made.cue(10, 12).add(2, 1, rows, looks)
    return made


@case
def object_characters():
    """Objects of characters cannot be drawn; the others are."""
    made = Case("object-characters")
    rows = word("Hi")
    made.begin(10, region(0, 60, 12, [(0, 0, 0), (1, 30, 0, 1)], fill=0), table(), bitmap(0, rows),
               characters(1, [0x41, 0x42])).clear(12)
    made.cue(10, 12).add(0, 0, rows, LOOKS)
    made.diagnostics = ["character-object"]
    return made


# Canvas: section 7.2.1

@case
def display_default():
    """Without a definition the canvas is 720x576."""
    made = Case("display-default", canvas=(720, 576))
    rows = word("SD")
    made.send(10, page([(0, 100, 500)], MODE_CHANGE), region(0, 30, 12, [(0, 0, 0)], fill=0), table(),
              bitmap(0, rows), end()).clear(12)
    made.cue(10, 12).add(100, 500, rows, LOOKS)
    return made


@case
def display_window():
    """Places count from the window's corner, and what lies outside of it is not seen."""
    made = Case("display-window")
    rows = [[1 + column % 5 for column in range(30)] for _ in range(12)]
    made.send(10, display(*CANVAS, window=(20, 8, 30, 16)), page([(0, 10, 8)], MODE_CHANGE),
              region(0, 30, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows), end()).clear(12)
    made.cue(10, 12).add(30, 16, [row[:20] for row in rows[:8]], LOOKS)
    made.diagnostics = ["region-outside"]
    return made


@case
def display_edge():
    """What reaches over the canvas is cut."""
    made = Case("display-edge")
    rows = [[1 + column % 5 for column in range(30)] for _ in range(12)]
    made.begin(10, region(0, 30, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows), regions=[(0, 50, 26)]).clear(12)
    made.cue(10, 12).add(50, 26, rows, LOOKS)
    made.diagnostics = ["region-outside"]
    return made


# Pages: section 7.2.2

@case
def page_timeout():
    """The time-out ends a page that nothing follows."""
    made = Case("page-time-out")
    rows = word("Hi")
    made.begin(10, region(0, 40, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows), timeout=3)
    made.clear(20)
    made.cue(10, 13, TIMED).add(0, 0, rows, LOOKS)
    return made


@case
def page_timeout_last():
    """The last page of a file ends by its time-out, too."""
    made = Case("page-time-out-last")
    rows = word("Hi")
    made.begin(10, region(0, 40, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows), timeout=3)
    made.cue(10, 13, TIMED).add(0, 0, rows, LOOKS)
    return made


@case
def page_timeout_next():
    """The next page ends it earlier; after a time-out regions can still return."""
    made = Case("page-time-out-and-next")
    rows = word("Hi")
    made.begin(10, region(0, 40, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows), timeout=5)
    made.change(12, regions=[(0, 8, 8)], timeout=2).change(20, regions=[(0, 16, 8)], timeout=2, version=2).clear(21)
    made.cue(10, 12).add(0, 0, rows, LOOKS)
    made.cue(12, 14, TIMED).add(8, 8, rows, LOOKS)
    made.cue(20, 21).add(16, 8, rows, LOOKS)
    return made


@case
def page_mode_change():
    """A mode change discards regions, colors and objects, even where versions are equal."""
    made = Case("page-mode-change")
    first, second = word("One", 3), word("Two")
    made.begin(10, region(0, 40, 12, [(0, 0, 0)], fill=0, clut=1), table(number=1), bitmap(0, first))
    made.begin(12, region(0, 40, 12, [(0, 0, 0)], fill=0, clut=1), bitmap(0, second)).clear(14)
    made.cue(10, 12).add(0, 0, first, LOOKS)
    made.cue(12, 14).add(0, 0, second, [default_entry(4, code) for code in range(3)])
    return made


@case
def page_acquisition():
    """Acquisition points repeat the page for those who join; for others nothing changes."""
    made = Case("page-acquisition-point")
    rows, more = word("Hi"), word("You", 3)
    sent = (region(0, 40, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows))
    made.begin(10, *sent)
    for time in (12, 14):
        made.send(time, made.canvas_segment(), page([(0, 0, 0)], ACQUISITION, 0), *sent, end())
    made.change(16, region(1, 40, 12, [(1, 0, 0)], fill=0), bitmap(1, more), regions=[(0, 0, 0), (1, 0, 16)])
    made.clear(18)
    made.cue(10, 16).add(0, 0, rows, LOOKS)
    made.cue(16, 18).add(0, 0, rows, LOOKS).add(0, 16, more, LOOKS)
    return made


@case
def page_equal():
    """Equal pages that follow each other are one cue."""
    made = Case("page-equal-merged")
    rows = word("Hi")
    sent = (region(0, 40, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows))
    for version, time in enumerate((10, 11, 12)):
        made.begin(time, *sent, version=version, timeout=5)
    made.clear(14)
    made.cue(10, 14).add(0, 0, rows, LOOKS)
    return made


@case
def page_first_normal():
    """A file that begins amid an epoch shows what it gets."""
    made = Case("page-first-normal")
    rows = word("Hi")
    made.send(10, made.canvas_segment(), page([(0, 0, 0), (1, 0, 16)]), region(0, 40, 12, [(0, 0, 0)], fill=0),
              table(), bitmap(0, rows), end()).clear(12)
    made.cue(10, 12).add(0, 0, rows, LOOKS)
    made.diagnostics = ["missing-region"]
    return made


# Framing: sections 7.1, 7.2.6 and 8

@case
def no_end():
    """Sets without an end are ended by the next page."""
    made = Case("set-without-end")
    rows, later = word("Hi"), word("Ho")
    for time, shown in ((10, rows), (11, later)):
        made.send(time, made.canvas_segment(), page([(0, 0, 0)], MODE_CHANGE), region(0, 40, 12, [(0, 0, 0)], fill=0),
                  table(), bitmap(0, shown))
    made.send(12, page([], NORMAL))
    made.cue(10, 11).add(0, 0, rows, LOOKS)
    made.cue(11, 12).add(0, 0, later, LOOKS)
    return made


@case
def set_in_pieces():
    """A set in three PES packets of one time."""
    made = Case("set-in-pieces")
    rows = word("Hi")
    made.send(10, made.canvas_segment(), page([(0, 0, 0)], MODE_CHANGE))
    made.stream.pes(10, pes(region(0, 40, 12, [(0, 0, 0)], fill=0), table()), clock=False)
    made.stream.pes(10, pes(bitmap(0, rows), end()), clock=False)
    made.clear(12)
    made.cue(10, 12).add(0, 0, rows, LOOKS)
    return made


@case
def two_at_once():
    """Two pages of one time: the second one counts."""
    made = Case("set-two-at-once")
    rows, later = word("Old"), word("New")
    made.begin(8, region(0, 40, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows))
    made.send(10, page([], NORMAL, 1), end(), page([(1, 0, 16)], NORMAL, 2),
              region(1, 40, 12, [(1, 0, 0)], fill=0), bitmap(1, later), end()).clear(12)
    made.cue(8, 10).add(0, 0, rows, LOOKS)
    made.cue(10, 12).add(0, 16, later, LOOKS)
    return made


@case
def other_segments():
    """Disparity, alternative colors, stuffing and unknown segments are skipped."""
    made = Case("segments-skipped")
    rows = word("Hi")
    made.begin(10, segment(0x15, b"\x0F\x08"), segment(0x16, b"\0\x0F" + b"\0" * 9), segment(0x77, b"\x0F\x10\0\1"),
               segment(0xFF, b"\0" * 5), region(0, 40, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows)).clear(12)
    made.cue(10, 12).add(0, 0, rows, LOOKS)
    made.diagnostics = ["alternative-clut", "disparity"]
    return made


@case
def ancillary():
    """Colors and an object come on the ancillary page that two services share."""
    made = Case("page-ancillary", services=(("eng", 0x10, 1, 9), ("fra", 0x11, 2, 9)))
    rows, logo = word("Hi"), grid(8, 8, 4)
    made.send(10, made.canvas_segment(), page([(0, 0, 0)], MODE_CHANGE),
              region(0, 60, 12, [(0, 0, 0), (500, 40, 2)], fill=0), bitmap(0, rows),
              page([(0, 0, 16)], MODE_CHANGE, page=2),
              region(0, 60, 12, [(0, 0, 0), (500, 40, 2)], fill=0, page=2), bitmap(0, grid(20, 8, 3), page=2),
              table(page=9), bitmap(500, logo, page=9), end(), end(2)).clear(12)
    made.cue(10, 12).add(0, 0, stamp(stamp(grid(60, 12), rows, 0, 0), logo, 40, 2), LOOKS)
    made.diagnostics = ["other-page"]
    return made


@case
def other_page():
    """Another service's page in a separate packet does not affect this one's."""
    made = Case("page-of-another-service", services=(("eng", 0x10, 1, 1),))
    rows = word("Hi")
    made.begin(10, region(0, 40, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows))
    made.send(11, page([], MODE_CHANGE, 3, page=2), end(2)).clear(12)
    made.cue(10, 12).add(0, 0, rows, LOOKS)
    made.diagnostics = ["other-page"]
    return made


@case
def no_descriptor_pages():
    """subtitling_type 0x20 to 0x24: for the hard of hearing."""
    made = Case("hearing-impaired", services=(("eng", 0x21, 1, 1),), hearingImpaired=True)
    rows = word("Hi")
    made.begin(10, region(0, 40, 12, [(0, 0, 0)], fill=0), table(), bitmap(0, rows)).clear(12)
    made.cue(10, 12).add(0, 0, rows, LOOKS)
    return made


@case
def epoch_long():
    """Two regions that change at their own pace; every tenth page is an acquisition point."""
    made = Case("epoch-long")
    held = {}

    def content(number, count):
        return word(f"{'ab'[number]}{count}", 3 + number)

    def sent(number, count, version):
        rows = content(number, count)
        return [region(number, 30, 12, [(number, 0, 0)], fill=0, version=version % 16),
                bitmap(number, rows, version=version % 16)]

    shown, last = None, None
    for count in range(40):
        time = 10 + 2 * count
        entry = count % 10 == 0
        state = NORMAL if not entry else MODE_CHANGE if count % 20 == 0 else ACQUISITION
        segments = []
        if entry:
            segments.append(table())
        # The upper region changes every seventh page, the lower one every third.
        for number, pace in ((0, 7), (1, 3)):
            if count % pace == 0 or number not in held:
                held[number] = count
                segments += sent(number, count, count)
            elif entry:
                segments += sent(number, held[number], held[number])
        listed = [(0, 0, 0)] if count % 4 == 3 else [(0, 0, 0), (1, 30, 16)]
        if count % 11 == 5:
            listed = []
        timeout = 1 if count % 8 == 6 else 30
        made.send(time, *([made.canvas_segment()] if entry else []), page(listed, state, count % 16, timeout), *segments, end())
        look = [(x, y, held[number], number) for number, x, y in listed]
        if shown and look == last and shown.end == time:
            shown.end = time + 2 if timeout > 2 else time + 1
            shown.source = END if timeout > 2 else TIMED
            continue
        last, shown = look, None
        if look:
            shown = made.cue(time, time + 2 if timeout > 2 else time + 1, END if timeout > 2 else TIMED)
            for x, y, index, number in look:
                shown.add(x, y, content(number, index), LOOKS)
    made.clear(90, version=10)
    return made


if __name__ == "__main__":
    target = Conformance(sys.argv[1])
    for made in all_cases():
        made.add(target)
        if len(sys.argv) > 2 and len(made.seed) < 2000 and not made.name.startswith("hearing"):
            with open(os.path.join(sys.argv[2], made.name), "wb") as file:
                file.write(made.seed)
    target.finish()
