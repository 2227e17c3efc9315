#!/usr/bin/env python3
"""Writes a small TrueType font whose glyphs are the dots of pixelfont: font.py OUTPUT [FAMILY]."""

import struct
import sys

import pixelfont

EM, DOT = 250, 25  # a step of any outline fits into one byte
ASCENT, DESCENT = pixelfont.BASELINE * DOT, (pixelfont.HEIGHT - pixelfont.BASELINE) * DOT
ADVANCE = (pixelfont.WIDTH + 1) * DOT


def boxes(rows):
    """The ink of a glyph as rectangles (left, bottom, right, top), one a horizontal run of dots."""
    found = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            if not row[x]:
                x += 1
                continue
            end = x
            while end < len(row) and row[end]:
                end += 1
            top = ASCENT - y * DOT
            found.append((x * DOT, top - DOT, end * DOT, top))
            x = end
    return found


def step(distance, out, short, same):
    """Adds one coordinate in its shortest form and returns its flags."""
    if distance == 0:
        return same
    out.append(abs(distance))
    return short | (same if distance > 0 else 0)


def outline(rectangles):
    """A glyf entry of rectangles."""
    if not rectangles:
        return b""
    ends, flags, xs, ys, last = [], bytearray(), bytearray(), bytearray(), (0, 0)
    for number, (left, bottom, right, top) in enumerate(rectangles):
        ends.append(number * 4 + 3)
        for point in ((left, bottom), (left, top), (right, top), (right, bottom)):
            dx, dy = point[0] - last[0], point[1] - last[1]
            flags.append(1 | step(dx, xs, 0x02, 0x10) | step(dy, ys, 0x04, 0x20))
            last = point
    box = (min(r[0] for r in rectangles), min(r[1] for r in rectangles),
           max(r[2] for r in rectangles), max(r[3] for r in rectangles))
    data = struct.pack(">hhhhh", len(rectangles), *box)
    data += struct.pack(">%dH" % len(ends), *ends) + struct.pack(">H", 0) + flags + xs + ys
    return bytes(data) + b"\0" * (-len(data) % 4)


def segments(codes):
    """Runs of neighboring character codes: (first, last, glyph of the first)."""
    runs = []
    for glyph, code in enumerate(codes, start=1):
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code, glyph])
    return runs + [[0xFFFF, 0xFFFF, 0]]


def character_map(codes):
    """A cmap of format 4."""
    runs = segments(codes)
    count = len(runs)
    power = 1 << (count.bit_length() - 1)
    body = struct.pack(">HHHH", count * 2, power * 2, power.bit_length() - 1, (count - power) * 2)
    body += b"".join(struct.pack(">H", run[1]) for run in runs) + b"\0\0"
    body += b"".join(struct.pack(">H", run[0]) for run in runs)
    body += b"".join(
        struct.pack(">H", (run[2] - run[0]) & 0xFFFF if run[0] != 0xFFFF else 1) for run in runs)
    body += b"\0\0" * count
    table = struct.pack(">HHH", 4, len(body) + 6, 0) + body
    return struct.pack(">HHHHI", 0, 1, 3, 1, 12) + table


def names(family):
    """A name table with the family and its copies."""
    text = {1: family, 2: "Regular", 3: family + " 1.0", 4: family, 5: "Version 1.0",
            6: family.replace(" ", "")}
    records, pool = b"", b""
    for number, value in text.items():
        data = value.encode("utf-16-be")
        records += struct.pack(">HHHHHH", 3, 1, 0x409, number, len(data), len(pool))
        pool += data
    return struct.pack(">HHH", 0, len(text), 6 + len(records)) + records + pool


def font(family):
    """The bytes of the font."""
    characters = sorted(pixelfont.GLYPHS, key=ord)
    codes = [ord(character) for character in characters]
    shapes = [[(0, 0, 4 * DOT, 6 * DOT)]] + [boxes(pixelfont.GLYPHS[c]) for c in characters]
    glyphs, offsets = b"", [0]
    for shape in shapes:
        glyphs += outline(shape)
        offsets.append(len(glyphs))
    count = len(shapes)
    most = max(len(shape) for shape in shapes)
    tables = {
        b"OS/2": struct.pack(
            ">HhHHH10hh10sIIII4sHHHhhhHH", 3, ADVANCE, 400, 5, 0, 160, 150, 0, 20, 160, 150, 0, 85,
            12, 75, 0, b"\0" * 10, 1, 0, 0, 0, b"UNTX", 0x40, codes[0], codes[-1], ASCENT,
            -DESCENT, 0, ASCENT, DESCENT) + struct.pack(">IIhhHHH", 1, 0, 5 * DOT, ASCENT, 0, 32, 0),
        b"cmap": character_map(codes),
        b"glyf": glyphs,
        b"head": struct.pack(
            ">IIIIHHqqhhhhHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, EM, 3600000000, 3600000000,
            0, -DESCENT, pixelfont.WIDTH * DOT, ASCENT, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(
            ">IhhhHhhhhhh4hhH", 0x10000, ASCENT, -DESCENT, 0, ADVANCE, 0, 0,
            pixelfont.WIDTH * DOT, 1, 0, 0, 0, 0, 0, 0, 0, count),
        b"hmtx": b"".join(
            struct.pack(">Hh", ADVANCE, min((r[0] for r in shape), default=0)) for shape in shapes),
        b"loca": struct.pack(">%dI" % len(offsets), *offsets),
        b"maxp": struct.pack(
            ">I14H", 0x10000, count, most * 4, most, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": names(family),
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, -25, 12, 1, 0, 0, 0, 0),
    }
    return assemble(tables)


def checksum(data):
    data += b"\0" * (-len(data) % 4)
    return sum(struct.unpack(">%dI" % (len(data) // 4), data)) & 0xFFFFFFFF


def assemble(tables):
    """The tables after their directory, with the checksums."""
    count = len(tables)
    power = 1 << (count.bit_length() - 1)
    directory = struct.pack(
        ">IHHHH", 0x10000, count, power * 16, power.bit_length() - 1, (count - power) * 16)
    at, body, head = 12 + 16 * count, b"", 0
    for tag, data in sorted(tables.items()):
        if tag == b"head":
            head = at + len(body)
        directory += struct.pack(">4sIII", tag, checksum(data), at + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    whole = bytearray(directory + body)
    adjustment = (0xB1B0AFBA - checksum(bytes(whole))) & 0xFFFFFFFF
    whole[head + 8:head + 12] = struct.pack(">I", adjustment)
    return bytes(whole)


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as file:
        file.write(font(sys.argv[2] if len(sys.argv) > 2 else "Undertext Blocks"))
