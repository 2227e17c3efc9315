#!/usr/bin/env python3
"""Writes the conformance set for presentation graphics: `pgs_cases.py FOLDER [SEEDS]`.

Each case is a small .sup stream and, drawn from the description of the scene and not from the stream,
what a decoder has to show: times, forced flags and the plane as RGBA. `expected.json` lists all of it.
Some of the streams become seeds for fuzzing: files in SEEDS/SUPFuzz, their segments in SEEDS/PGSFuzz.
"""

import json
import os
import struct
import sys
import zlib

from pgs import (ACQUISITION, END, EPOCH_CONTINUE, EPOCH_START, NORMAL, ODS, PCS, PDS, WDS, run_length)

TICKS = 90000
# Luma weights of red and blue: BT.601, BT.709.
WEIGHTS = {"bt601": (0.299, 0.114), "bt709": (0.2126, 0.0722)}


def rgba(colour, matrix):
    """The color of Y, Cb, Cr of limited range, by the matrix's definition."""
    y, cb, cr, alpha = colour
    kr, kb = WEIGHTS[matrix]
    luma = (y - 16) / 219
    blue = (cb - 128) / 224
    red = (cr - 128) / 224
    r = luma + 2 * (1 - kr) * red
    b = luma + 2 * (1 - kb) * blue
    g = (luma - kr * r - kb * b) / (1 - kr - kb)
    return bytes(max(0, min(255, round(255 * part))) for part in (r, g, b)) + bytes([alpha])


def png(width, height, pixels):
    """A PNG of RGBA pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + pixels[y * width * 4:(y + 1) * width * 4] for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"sRGB", b"\0")
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


# Scenes: what is to be seen.

RED, GREEN, BLUE = (81, 90, 240, 255), (145, 54, 34, 255), (41, 240, 110, 255)
WHITE, GREY, SMOKE = (235, 128, 128, 255), (126, 128, 128, 255), (60, 100, 140, 100)
CLEAR = (16, 128, 128, 0)
COLOURS = {0: CLEAR, 1: RED, 2: GREEN, 3: BLUE, 4: WHITE, 5: GREY, 6: SMOKE}


def checks(width, height, inks, size=2):
    """Rows of squares in turn: every neighbor differs, so that no shift goes unseen."""
    return [[inks[(x // size + y // size * 2) % len(inks)] for x in range(width)]
            for y in range(height)]


def plane(size, drawn, matrix):
    """The plane with `drawn` on it: (rows, colors, x, y, crop, clip)."""
    width, height = size
    pixels = bytearray(width * height * 4)
    for rows, colours, x, y, crop, clip in drawn:
        left, top, wide, high = crop or (0, 0, len(rows[0]), len(rows))
        for row in range(top, min(top + high, len(rows))):
            for column in range(left, min(left + wide, len(rows[0]))):
                px, py = x + column - left, y + row - top
                if not (0 <= px < width and 0 <= py < height):
                    continue
                if clip and not (clip[0] <= px < clip[0] + clip[2] and clip[1] <= py < clip[1] + clip[3]):
                    continue
                colour = rgba(colours.get(rows[row][column], (0, 128, 128, 0)), matrix)
                if colour[3]:
                    at = (py * width + px) * 4
                    pixels[at:at + 4] = colour
    return bytes(pixels)


def box(drawn, size):
    """The rectangle of an image: cropped, and clipped to its window and to the plane."""
    rows, _, x, y, crop, clip = drawn
    _, _, width, height = crop or (0, 0, len(rows[0]), len(rows))
    left, top, right, bottom = x, y, min(x + width, size[0]), min(y + height, size[1])
    if clip:
        left, top = max(left, clip[0]), max(top, clip[1])
        right, bottom = min(right, clip[0] + clip[2]), min(bottom, clip[1] + clip[3])
    return left, top, right - left, bottom - top


class Case:
    """A stream under construction, and what is to be seen of it."""

    def __init__(self, name, size=(64, 36)):
        self.name, self.size = name, size
        self.matrix = "bt709" if size[1] > 576 else "bt601"
        self.data = bytearray()
        self.cues, self.codes, self.folded, self.number = [], [], None, 0
        self.container = False

    # The stream.

    def segment(self, at, kind, payload, magic=b"PG", size=None):
        clock = round(at * TICKS) & 0xFFFFFFFF
        self.data += magic + struct.pack(
            ">IIBH", clock, 0, kind, len(payload) if size is None else size) + payload

    def pcs(self, at, state, objects=(), palette=0, update=False, **more):
        """Objects are (number, window, x, y, crop or None, forced)."""
        payload = struct.pack(
            ">HHBHBBBB", *self.size, 0x10, self.number & 0xFFFF, state, 0x80 if update else 0,
            palette, len(objects))
        for number, window, x, y, crop, forced in objects:
            payload += struct.pack(
                ">HBBHH", number, window, (0x80 if crop else 0) | (0x40 if forced else 0), x, y)
            if crop:
                payload += struct.pack(">HHHH", *crop)
        self.number += 1
        self.segment(at, PCS, payload, **more)

    def wds(self, at, *boxes):
        payload = bytes([len(boxes)])
        for number, box in enumerate(boxes):
            payload += struct.pack(">BHHHH", number, *box)
        self.segment(at, WDS, payload)

    def pds(self, at, colours, number=0, version=0, tail=b""):
        payload = bytes([number, version])
        for index, (y, cb, cr, alpha) in sorted(colours.items()):
            payload += bytes([index, y, cr, cb, alpha])
        self.segment(at, PDS, payload + tail)

    def ods(self, at, rows, number=0, version=0, parts=1, code=None, size=None, drop=()):
        code = run_length(rows) if code is None else code
        width, height = size or (len(rows[0]), len(rows))
        head = struct.pack(">HB", number, version)
        step = -(-len(code) // parts)
        for part in range(parts):
            if part in drop:
                continue
            flags = (0x80 if part == 0 else 0) | (0x40 if part == parts - 1 else 0)
            stated = struct.pack(">IHH", len(code) + 4, width, height)[1:] if part == 0 else b""
            body = head + bytes([flags]) + stated + code[part * step:(part + 1) * step]
            self.segment(at, ODS, body)

    def end(self, at, **more):
        self.segment(at, END, b"", **more)

    def show(self, at, rows, x, y, state=EPOCH_START, colours=COLOURS, version=0, forced=False, crop=None):
        """A whole set with one object in a window of its size."""
        self.pcs(at, state, [(0, 0, x, y, crop, forced)])
        self.wds(at, (x, y, *(crop[2:] if crop else (len(rows[0]), len(rows)))))
        self.pds(at, colours, version=version)
        self.ods(at, rows, version=version)
        self.end(at)

    def clear(self, at):
        self.pcs(at, NORMAL)
        self.end(at)

    # The expected screen.

    def see(self, start, end, *drawn, forced=False, source="nextEvent", fold=None, boxes=None):
        """From `start` to `end` the plane has `drawn` on it: (rows, x, y[, colors, crop, clip]).

        `boxes` are the places of the images where they are not those of what is drawn.
        """
        full = [(rows, colours, x, y, crop, clip)
                for rows, x, y, colours, crop, clip in
                (tuple(item) + (COLOURS, None, None)[len(item) - 3:] for item in drawn)]
        if boxes is None:
            boxes = [box(item, self.size) for item in full]
        self.cues.append({
            "start": round(start, 6), "end": round(end, 6), "endSource": source, "forced": forced,
            "canvas": list(self.size), "pixels": plane(self.size, full, self.matrix), "fold": fold,
            "pictures": [dict(zip(("x", "y", "width", "height"), place)) for place in boxes]})

    def told(self, *codes):
        """Codes of the diagnostics that our decoder reports."""
        self.codes = sorted(codes)

    def write(self, folder):
        with open(os.path.join(folder, self.name + ".sup"), "wb") as file:
            file.write(self.data)
        cues = []
        for number, cue in enumerate(self.cues, 1):
            image = f"{self.name}-{number}.png"
            with open(os.path.join(folder, image), "wb") as file:
                file.write(png(*self.size, cue.pop("pixels")))
            fold = cue.pop("fold")
            cues.append(cue | {"image": image} | ({"fold": fold} if fold else {}))
        return {"name": self.name, "file": self.name + ".sup", "framingDamaged": self.container,
                "cues": cues, "diagnostics": self.codes}

    def seed(self, folder):
        """A file as it is; and its segments, after a byte that selects their division into packets."""
        with open(os.path.join(folder, "SUPFuzz", self.name), "wb") as file:
            file.write(self.data)
        if self.container:
            return
        segments, rest = b"", bytes(self.data)
        while rest:
            length = 13 + struct.unpack(">H", rest[11:13])[0]
            segments, rest = segments + rest[10:length], rest[length:]
        with open(os.path.join(folder, "PGSFuzz", self.name), "wb") as file:
            file.write(bytes([len(self.name) % 7]) + segments)


CASES = []


def case(function):
    CASES.append(function)
    return function


A = checks(16, 8, [1, 2, 3, 4])
B = checks(12, 6, [4, 5, 1], 3)
LOW = (4, 24)


@case
def plain():
    c = Case("plain")
    c.show(1, A, *LOW)
    c.clear(2.5)
    c.see(1, 2.5, (A, *LOW))
    return c


@case
def last_stays_open():
    c = Case("last-stays-open")
    c.show(1, A, *LOW)
    c.see(1, 11, (A, *LOW), source="clamped")
    return c


@case
def run_length_forms():
    c = Case("run-length-forms", (400, 20))
    rows = [[0] * 400, [2] * 400, [0] * 63 + [3] * 63 + [0] * 64 + [4] * 64 + [1, 2, 2, 3, 3, 3] + [0] * 140,
            [1] * 300 + [0] * 100, [5, 0] * 200]
    c.show(1, rows, 0, 5)
    c.clear(2)
    c.see(1, 2, (rows, 0, 5))
    return c


@case
def crop():
    c = Case("crop")
    c.show(1, A, 20, 10, crop=(3, 2, 9, 5))
    c.clear(2)
    c.see(1, 2, (A, 20, 10, COLOURS, (3, 2, 9, 5)))
    return c


@case
def crop_beyond():
    c = Case("crop-beyond")
    c.show(1, A, 20, 10, crop=(10, 5, 30, 30))
    c.clear(2)
    c.see(1, 2, (A, 20, 10, COLOURS, (10, 5, 6, 3)))
    return c


@case
def crop_scroll():
    c = Case("crop-scroll")
    rows = checks(16, 24, [1, 2, 3, 4, 5])
    for step in range(3):
        at = 1 + step * 0.5
        c.pcs(at, NORMAL if step else EPOCH_START, [(0, 0, 8, 10, (0, step * 6, 16, 8), False)])
        c.wds(at, (8, 10, 16, 8))
        if not step:
            c.pds(at, COLOURS)
            c.ods(at, rows)
        c.end(at)
        c.see(at, at + 0.5, (rows, 8, 10, COLOURS, (0, step * 6, 16, 8)))
    c.clear(2.5)
    return c


@case
def window_clips():
    c = Case("window-clips")
    c.pcs(1, EPOCH_START, [(0, 0, 10, 10, None, False)])
    c.wds(1, (13, 8, 8, 7))
    c.pds(1, COLOURS)
    c.ods(1, A)
    c.end(1)
    c.clear(2)
    c.see(1, 2, (A, 10, 10, COLOURS, None, (13, 8, 8, 7)))
    return c


@case
def window_cleared():
    c = Case("window-cleared")
    windows = [(2, 2, 16, 8), (30, 20, 12, 6)]
    c.pcs(1, EPOCH_START, [(0, 0, 2, 2, None, False), (1, 1, 30, 20, None, False)])
    c.wds(1, *windows)
    c.pds(1, COLOURS)
    c.ods(1, A)
    c.ods(1, B, number=1)
    c.end(1)
    c.pcs(2, NORMAL, [(1, 1, 30, 20, None, False)])
    c.wds(2, *windows)
    c.end(2)
    c.clear(3)
    c.see(1, 2, (A, 2, 2), (B, 30, 20))
    c.see(2, 3, (B, 30, 20))
    return c


@case
def plane_clips():
    c = Case("plane-clips")
    c.pcs(1, EPOCH_START, [(0, 0, 56, 32, None, False)])
    c.wds(1, (56, 32, 16, 8))
    c.pds(1, COLOURS)
    c.ods(1, A)
    c.end(1)
    c.clear(2)
    c.see(1, 2, (A, 56, 32))
    return c


@case
def many_objects():
    c = Case("many-objects")
    spots = [(2, 2), (8, 6), (14, 10), (40, 4)]
    shapes = [checks(12, 8, [ink]) for ink in (1, 2, 3, 4)]
    c.pcs(1, EPOCH_START, [(n, 0, *spot, None, False) for n, spot in enumerate(spots)])
    c.wds(1, (0, 0, 64, 36))
    c.pds(1, COLOURS)
    for number, shape in enumerate(shapes):
        c.ods(1, shape, number=number)
    c.end(1)
    c.clear(2)
    c.see(1, 2, *((shape, *spot) for shape, spot in zip(shapes, spots)))
    return c


@case
def one_object_twice():
    c = Case("one-object-twice")
    c.pcs(1, EPOCH_START, [(7, 0, 2, 2, None, False), (7, 0, 40, 20, (0, 0, 8, 4), False)])
    c.wds(1, (0, 0, 64, 36))
    c.pds(1, COLOURS)
    c.ods(1, A, number=7)
    c.end(1)
    c.clear(2)
    c.see(1, 2, (A, 2, 2), (A, 40, 20, COLOURS, (0, 0, 8, 4)))
    return c


@case
def forced_apart():
    c = Case("forced-apart")
    c.pcs(1, EPOCH_START, [(0, 0, 2, 2, None, False), (1, 1, 30, 20, None, True)])
    c.wds(1, (2, 2, 16, 8), (30, 20, 12, 6))
    c.pds(1, COLOURS)
    c.ods(1, A)
    c.ods(1, B, number=1)
    c.end(1)
    c.pcs(2, NORMAL, [(1, 1, 30, 20, None, True)])
    c.end(2)
    c.clear(3)
    c.see(1, 2, (A, 2, 2))
    c.see(1, 3, (B, 30, 20), forced=True)
    return c


@case
def fragments():
    c = Case("fragments")
    c.pcs(1, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.wds(1, (*LOW, 16, 8))
    c.pds(1, COLOURS)
    c.ods(1, A, parts=5)
    c.end(1)
    c.clear(2)
    c.see(1, 2, (A, *LOW))
    return c


@case
def fragment_lost():
    c = Case("fragment-lost")
    rows = checks(16, 8, [1, 2, 3, 4], 1)
    code = run_length(rows)
    c.pcs(1, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.wds(1, (*LOW, 16, 8))
    c.pds(1, COLOURS)
    c.ods(1, rows, parts=2, drop=(1,))
    c.end(1)
    c.clear(2)
    assert len(code) == 8 * 18  # half of it is four lines
    c.see(1, 2, (rows[:4], *LOW), boxes=[(*LOW, 16, 8)])
    c.told("damaged-lines", "incomplete-object")
    return c


@case
def version_replaces():
    c = Case("version-replaces")
    c.show(1, A, *LOW)
    c.show(2, B, *LOW, state=NORMAL, version=1)
    c.clear(3)
    c.see(1, 2, (A, *LOW))
    c.see(2, 3, (B, *LOW))
    return c


@case
def object_moves():
    c = Case("object-moves")
    c.pcs(1, EPOCH_START, [(0, 0, 2, 2, None, False)])
    c.wds(1, (0, 0, 64, 36))
    c.pds(1, COLOURS)
    c.ods(1, A)
    c.end(1)
    c.pcs(2, NORMAL, [(0, 0, 40, 20, None, False)])
    c.end(2)
    c.clear(3)
    c.pcs(4, NORMAL, [(0, 0, 10, 10, None, False)])
    c.end(4)
    c.clear(5)
    c.see(1, 2, (A, 2, 2))
    c.see(2, 3, (A, 40, 20))
    c.see(4, 5, (A, 10, 10))
    return c


@case
def palette_entries_stay():
    c = Case("palette-entries-stay")
    c.show(1, A, *LOW)
    c.pcs(2, NORMAL, [(0, 0, *LOW, None, False)])
    c.pds(2, {2: WHITE}, version=1)
    c.end(2)
    c.clear(3)
    c.see(1, 2, (A, *LOW))
    c.see(2, 3, (A, *LOW, COLOURS | {2: WHITE}))
    return c


@case
def palette_entries_missing():
    c = Case("palette-entries-missing")
    few = {1: RED, 3: BLUE}
    c.show(1, A, *LOW, colours=few)
    c.clear(2)
    c.see(1, 2, (A, *LOW, few))
    return c


OTHER = {1: BLUE, 2: WHITE, 3: RED, 4: (100, 100, 100, 180)}


@case
def palette_by_number():
    c = Case("palette-by-number")
    c.pcs(1, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.wds(1, (*LOW, 16, 8))
    c.pds(1, COLOURS)
    c.pds(1, OTHER, number=7)
    c.ods(1, A)
    c.end(1)
    c.pcs(2, NORMAL, [(0, 0, *LOW, None, False)], palette=7, update=True)
    c.end(2)
    c.pcs(3, NORMAL, [], palette=0, update=True)
    c.end(3)
    c.clear(4)
    c.see(1, 2, (A, *LOW))
    c.see(2, 3, (A, *LOW, OTHER))
    c.see(3, 4, (A, *LOW))
    return c


@case
def palette_update_named():
    c = Case("palette-update-named")
    c.show(1, A, *LOW)
    c.pcs(2, NORMAL, [(0, 0, *LOW, None, False)], update=True)
    c.pds(2, OTHER, version=1)
    c.end(2)
    c.clear(3)
    c.see(1, 2, (A, *LOW))
    c.see(2, 3, (A, *LOW, COLOURS | OTHER))
    return c


@case
def palette_update_bare():
    c = Case("palette-update-bare")
    c.show(1, A, *LOW)
    c.pcs(2, NORMAL, [], update=True)
    c.pds(2, OTHER, version=1)
    c.end(2)
    c.clear(3)
    c.see(1, 2, (A, *LOW))
    c.see(2, 3, (A, *LOW, COLOURS | OTHER))
    return c


@case
def palette_update_of_nothing():
    c = Case("palette-update-of-nothing")
    c.show(1, A, *LOW)
    c.pcs(2, NORMAL, [], update=True)
    c.end(2)
    c.show(3, B, *LOW)
    c.clear(4)
    c.see(1, 2, (A, *LOW))
    c.see(3, 4, (B, *LOW))
    return c


@case
def epoch_start_forgets():
    c = Case("epoch-start-forgets")
    c.show(1, A, *LOW)
    c.pcs(2, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.wds(2, (*LOW, 16, 8))
    c.pds(2, COLOURS)
    c.end(2)
    c.see(1, 2, (A, *LOW))
    c.told("missing-object")
    return c


@case
def epoch_start_forgets_colours():
    c = Case("epoch-start-forgets-colours")
    c.show(1, A, *LOW)
    c.clear(2)
    c.show(3, A, *LOW, colours={1: GREEN})
    c.clear(4)
    c.see(1, 2, (A, *LOW))
    c.see(3, 4, (A, *LOW, {1: GREEN}))
    return c


@case
def acquisition_refreshes():
    c = Case("acquisition-refreshes")
    c.show(1, A, *LOW)
    c.show(2, A, *LOW, state=ACQUISITION)
    c.show(2.5, A, *LOW, state=ACQUISITION)
    c.clear(3)
    c.see(1, 3, (A, *LOW))
    return c


@case
def acquisition_keeps():
    c = Case("acquisition-keeps")
    c.pcs(1, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.wds(1, (0, 0, 64, 36))
    c.pds(1, COLOURS)
    c.ods(1, A)
    c.ods(1, B, number=1)
    c.end(1)
    c.pcs(2, ACQUISITION, [(1, 0, *LOW, None, False)])
    c.wds(2, (0, 0, 64, 36))
    c.pds(2, {4: WHITE, 5: GREY, 1: RED})
    c.ods(2, B, number=1)
    c.end(2)
    c.pcs(3, NORMAL, [(0, 0, 30, 4, None, False)])
    c.end(3)
    c.clear(4)
    c.see(1, 2, (A, *LOW))
    c.see(2, 3, (B, *LOW))
    c.see(3, 4, (A, 30, 4))
    return c


@case
def entry_at_acquisition():
    c = Case("entry-at-acquisition")
    c.show(1, A, *LOW, state=ACQUISITION)
    c.clear(2)
    c.see(1, 2, (A, *LOW))
    return c


@case
def epoch_continues():
    c = Case("epoch-continues")
    c.pcs(1, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.wds(1, (0, 0, 64, 36))
    c.pds(1, COLOURS)
    c.ods(1, A)
    c.end(1)
    c.pcs(2, EPOCH_CONTINUE, [(0, 0, 40, 4, None, False)])
    c.wds(2, (0, 0, 64, 36))
    c.end(2)
    c.clear(3)
    c.see(1, 2, (A, *LOW))
    c.see(2, 3, (A, 40, 4))
    return c


@case
def entry_mid_epoch():
    c = Case("entry-mid-epoch")
    c.pcs(1, NORMAL, [(0, 0, *LOW, None, False)])
    c.wds(1, (0, 0, 64, 36))
    c.pds(1, COLOURS)
    c.end(1)
    c.pcs(2, NORMAL, [(0, 0, *LOW, None, False), (1, 0, 30, 20, None, False)])
    c.ods(2, B, number=1)
    c.end(2)
    c.show(3, A, *LOW)
    c.clear(4)
    c.see(2, 3, (B, 30, 20))
    c.see(3, 4, (A, *LOW))
    c.told("mid-epoch")
    return c


@case
def entry_without_colours():
    c = Case("entry-without-colours")
    c.pcs(1, NORMAL, [(0, 0, *LOW, None, False)])
    c.pds(1, {2: GREEN})
    c.ods(1, A)
    c.end(1)
    c.pcs(2, EPOCH_CONTINUE, [(0, 0, *LOW, None, False)], palette=1)
    c.end(2)
    c.show(3, A, *LOW)
    c.clear(4)
    c.see(3, 4, (A, *LOW))
    c.told("mid-epoch")
    return c


@case
def end_missing():
    c = Case("end-missing")
    for at, rows in ((1, A), (2, B)):
        c.pcs(at, EPOCH_START, [(0, 0, *LOW, None, False)])
        c.wds(at, (*LOW, 16, 8))
        c.pds(at, COLOURS)
        c.ods(at, rows)
    c.clear(3)
    c.see(1, 2, (A, *LOW))
    c.see(2, 3, (B, *LOW))
    c.told("missing-end")
    return c


@case
def object_missing():
    c = Case("object-missing")
    c.show(1, A, *LOW)
    c.pcs(2, EPOCH_START, [(0, 0, *LOW, None, False), (1, 0, 30, 4, None, False)])
    c.wds(2, (0, 0, 64, 36))
    c.pds(2, COLOURS)
    c.ods(2, B, number=1)
    c.end(2)
    c.clear(3)
    c.see(1, 2, (A, *LOW))
    c.see(2, 3, (B, 30, 4))
    c.told("missing-object")
    return c


@case
def palette_missing():
    c = Case("palette-missing")
    c.show(1, A, *LOW)
    c.pcs(2, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.wds(2, (*LOW, 16, 8))
    c.ods(2, B)
    c.end(2)
    c.see(1, 2, (A, *LOW))
    c.told("missing-palette")
    return c


@case
def unknown_segments():
    c = Case("unknown-segments")
    c.pcs(1, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.segment(1, 0x18, b"an interactive composition")
    c.wds(1, (*LOW, 16, 8))
    c.pds(1, COLOURS)
    c.ods(1, A)
    c.segment(1, 0x81, b"")
    c.end(1)
    c.clear(2)
    c.see(1, 2, (A, *LOW))
    c.told("unknown-segment")
    return c


def lines(rows):
    return [run_length([row]) for row in rows]


def damaged(name, code, seen, *codes):
    c = Case(name)
    c.pcs(1, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.wds(1, (*LOW, 16, 8))
    c.pds(1, COLOURS)
    c.ods(1, A, code=code)
    c.end(1)
    c.clear(2)
    c.see(1, 2, (seen, *LOW), boxes=[(*LOW, 16, 8)])
    c.told(*codes)
    return c


@case
def line_too_short():
    code = lines(A)
    code[2] = bytes([1, 1, 1, 0, 0])
    return damaged("line-too-short", b"".join(code), A[:2] + [[1] * 3 + [99] * 13] + A[3:], "damaged-lines")


@case
def line_too_long():
    code = lines(A)
    code[2] = bytes([0, 0x80 | 30, 3, 2, 0, 0])
    return damaged("line-too-long", b"".join(code), A[:2] + [[3] * 16] + A[3:], "damaged-lines")


@case
def line_ends_missing():
    code = lines(A)
    code[2], code[3] = code[2][:-2], code[3][:-2]
    return damaged("line-ends-missing", b"".join(code), A)


@case
def lines_missing():
    return damaged("lines-missing", b"".join(lines(A)[:5]), A[:5], "damaged-lines")


@case
def lines_too_many():
    return damaged("lines-too-many", b"".join(lines(A + A)), A)


@case
def transparent():
    c = Case("transparent")
    c.show(1, A, *LOW)
    c.show(2, checks(16, 8, [0]), *LOW)
    c.show(3, B, *LOW)
    c.clear(4)
    c.see(1, 2, (A, *LOW))
    c.see(3, 4, (B, *LOW))
    return c


@case
def full_frame():
    c = Case("full-frame", (720, 480))
    rows = [[0] * 720 for _ in range(480)]
    for y, line in enumerate(B):
        rows[400 + y][300:300 + len(line)] = line
    c.show(1, rows, 0, 0)
    c.clear(2)
    c.see(1, 2, (rows, 0, 0), boxes=[(300, 400, 12, 6)])
    return c


@case
def high_definition():
    c = Case("high-definition", (1280, 720))
    inks = checks(64, 32, [1, 2, 3, 4, 5, 6])
    c.show(1, inks, 600, 640)
    c.clear(2)
    c.see(1, 2, (inks, 600, 640))
    return c


@case
def equal_pictures():
    c = Case("equal-pictures")
    c.show(1, A, *LOW)
    c.show(2, A, *LOW, colours=COLOURS | {200: GREEN})
    c.clear(3)
    c.show(3.5, A, *LOW)
    c.clear(4)
    c.see(1, 3, (A, *LOW))
    c.see(3.5, 4, (A, *LOW))
    return c


@case
def fade():
    c = Case("fade")
    steps = [0.25, 0.6, 1, 0.6, 0.2]

    def at(share):
        return {index: (y, cb, cr, round(alpha * share)) for index, (y, cb, cr, alpha) in COLOURS.items()}
    for number, share in enumerate(steps):
        time = 1 + number * 0.1
        if number:
            c.pcs(time, NORMAL, [(0, 0, *LOW, None, False)], update=True)
            c.pds(time, at(share), version=number)
            c.end(time)
        else:
            c.show(time, A, *LOW, colours=at(share))
        c.see(time, time + 0.1, (A, *LOW, at(share)), fold=3)
    c.clear(1.5)
    c.show(2, B, *LOW)
    c.clear(3)
    c.see(2, 3, (B, *LOW), fold=6)
    return c


@case
def words_by_palette():
    """Two words in one object, one of which is visible: no fade."""
    c = Case("words-by-palette")
    rows = checks(16, 8, [1, 2])
    c.show(1, rows, *LOW, colours={1: RED, 2: CLEAR})
    c.pcs(2, NORMAL, [(0, 0, *LOW, None, False)], update=True)
    c.pds(2, {1: CLEAR, 2: GREEN}, version=1)
    c.end(2)
    c.clear(3)
    c.see(1, 2, (rows, *LOW, {1: RED}), fold=1)
    c.see(2, 3, (rows, *LOW, {2: GREEN}), fold=2)
    return c


@case
def same_time():
    c = Case("same-time")
    c.show(1, A, *LOW)
    c.show(1, B, *LOW)
    c.show(2, A, *LOW)
    c.clear(2)
    c.see(1, 2, (B, *LOW))
    return c


@case
def clock_wraps():
    c = Case("clock-wraps")
    period = (1 << 32) / TICKS
    c.show(period - 100, A, *LOW)
    c.clear(period - 98)
    c.show(period + 1, B, *LOW)
    c.clear(period + 3)
    c.see(period - 100, period - 98, (A, *LOW))
    c.see(period + 1, period + 3, (B, *LOW))
    return c


@case
def huge_object():
    c = Case("huge-object")
    c.show(1, A, *LOW)
    c.pcs(2, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.wds(2, (*LOW, 16, 8))
    c.pds(2, COLOURS)
    c.ods(2, A, size=(65535, 65535))
    c.end(2)
    c.see(1, 2, (A, *LOW))
    c.told("image-too-large")
    return c


@case
def empty_windows():
    c = Case("empty-windows")
    c.pcs(1, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.wds(1)
    c.pds(1, COLOURS)
    c.ods(1, A)
    c.end(1)
    c.clear(2)
    c.see(1, 2, (A, *LOW))
    c.told("missing-window")
    return c


# Damage of the file, not of the stream.

def two(c, between):
    c.container = True
    c.show(1, A, *LOW)
    c.clear(2)
    between()
    c.show(3, B, *LOW)
    c.clear(4)
    c.see(1, 2, (A, *LOW))
    c.see(3, 4, (B, *LOW))
    return c


@case
def magic_damaged():
    c = Case("magic-damaged")
    two(c, lambda: None)
    for place in (13 + 19, len(c.data) - 37):
        assert c.data[place:place + 2] == b"PG"
        c.data[place + 1] ^= 0x10
    c.told("bad-magic")
    return c


@case
def bytes_between():
    c = Case("bytes-between")
    two(c, lambda: c.data.extend(b"PG bytes that are no segment, PGPG" * 3))
    c.told("lost-sync")
    return c


@case
def size_too_large():
    c = Case("size-too-large")
    c.container = True
    c.show(1, A, *LOW)
    c.clear(2)
    c.pcs(3, EPOCH_START, [(0, 0, *LOW, None, False)])
    c.wds(3, (*LOW, 16, 8))
    c.pds(3, COLOURS)
    place = len(c.data)
    c.ods(3, B)
    c.data[place + 11] ^= 0x02
    c.end(3)
    c.clear(4)
    c.see(1, 2, (A, *LOW))
    c.see(3, 4, (B, *LOW))
    c.told("damaged-segment", "truncated-segment")
    return c


@case
def cut_off():
    c = Case("cut-off")
    c.container = True
    c.show(1, A, *LOW)
    rows = checks(16, 8, [1, 2, 3, 4], 1)
    c.show(2, rows, *LOW)
    # Without the END, and without the last four lines of 18 bytes.
    del c.data[-13 - 4 * 18:]
    c.see(1, 2, (A, *LOW))
    c.see(2, 12, (rows[:4], *LOW), source="clamped", boxes=[(*LOW, 16, 8)])
    c.told("corrupt-packet", "damaged-lines", "incomplete-object", "truncated-segment")
    return c


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    streams = [function() for function in CASES]
    cases = [stream.write(folder) for stream in streams]
    if len(sys.argv) > 2:
        for name in ("PGSFuzz", "SUPFuzz"):
            os.makedirs(os.path.join(sys.argv[2], name), exist_ok=True)
        for stream in streams:
            if len(stream.data) < 800:
                stream.seed(sys.argv[2])
    with open(os.path.join(folder, "expected.json"), "w", encoding="utf-8") as file:
        file.write('{"cases":[\n' + ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases) + "\n]}\n")


if __name__ == "__main__":
    main()
