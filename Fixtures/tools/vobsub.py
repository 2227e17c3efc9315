#!/usr/bin/env python3
"""Writes DVD subtitles (.idx and .sub): vobsub.py STEM."""

import struct
import sys

import picture

PACK = 2048
#: The sixteen colors of the index; a subtitle picks four of them.
PALETTE = ["000000", "ffffff", "202020", "909090", "ffcc00", "ff0000", "00ff00", "0000ff",
           "800000", "008000", "000080", "808000", "800080", "008080", "c0c0c0", "404040"]


def field(rows):
    """The run-length form of one field: nibbles, each row ends on a byte."""
    out = bytearray()
    for row in rows:
        nibbles, at = [], 0
        while at < len(row):
            colour, end = row[at], at + 1
            while end < len(row) and row[end] == colour:
                end += 1
            count = end - at
            if end == len(row) and count > 63:
                code, width = colour, 4  # to the end of the row
            else:
                count = min(count, 255)
                code = count << 2 | colour
                width = 1 if count < 4 else 2 if count < 16 else 3 if count < 64 else 4
                end = at + count
            nibbles += [code >> shift & 15 for shift in range(4 * (width - 1), -1, -4)]
            at = end
        if len(nibbles) % 2:
            nibbles.append(0)
        out += bytes(high << 4 | low for high, low in zip(nibbles[::2], nibbles[1::2]))
    return bytes(out)


def unit(shown, x, y, seconds, forced=False, colours=(0, 1, 2, 3), alphas=(0, 15, 15, 15)):
    """One sub-picture unit that is on screen for `seconds` (its own stop command)."""
    top, bottom = field(shown.rows[0::2]), field(shown.rows[1::2])
    start = 4 + len(top) + len(bottom)
    right, low = x + shown.width - 1, y + shown.height - 1
    show = bytes([0x03]) + struct.pack(
        ">H", sum(colour << 4 * index for index, colour in enumerate(colours)))
    show += bytes([0x04]) + struct.pack(
        ">H", sum(alpha << 4 * index for index, alpha in enumerate(alphas)))
    show += bytes([0x05, x >> 4, (x & 15) << 4 | right >> 8, right & 255,
                   y >> 4, (y & 15) << 4 | low >> 8, low & 255])
    show += bytes([0x06]) + struct.pack(">HH", 4, 4 + len(top))
    show += bytes([0x00 if forced else 0x01, 0xFF])
    stop_at = start + 4 + len(show)
    control = struct.pack(">HH", 0, stop_at) + show
    if seconds is None:
        control = struct.pack(">HH", 0, start) + show
    else:
        control += struct.pack(">HH", round(seconds * 90000 / 1024), stop_at) + b"\x02\xFF"
    body = top + bottom + control
    padding = len(body) % 2
    return struct.pack(">HH", 4 + len(body) + padding, start) + body + b"\xFF" * padding


def packs(payload, seconds, stream=0):
    """The unit in program stream packs of 2048 bytes."""
    clock = round(seconds * 90000)
    stamp = bytes([0x21 | clock >> 29 & 0x0E, clock >> 22 & 0xFF, clock >> 14 & 0xFE | 1,
                   clock >> 7 & 0xFF, clock << 1 & 0xFE | 1])
    head = b"\0\0\1\xBA" + bytes([
        0x44 | (clock >> 27 & 0x38) | (clock >> 28 & 3), clock >> 20 & 0xFF,
        clock >> 12 & 0xF8 | 4 | clock >> 13 & 3, clock >> 5 & 0xFF, clock << 3 & 0xF8 | 4,
        1, 1, 0x89, 0xC3, 0xF8])
    out, first = bytearray(), True
    while payload:
        extension = stamp if first else b""
        room = PACK - len(head) - 9 - len(extension) - 1
        part, payload = payload[:room], payload[room:]
        spare = room - len(part)
        stuffing = spare if 0 < spare < 6 else 0
        length = 3 + len(extension) + stuffing + 1 + len(part)
        out += head + b"\0\0\1\xBD" + struct.pack(">H", length)
        out += bytes([0x81, 0x80 if first else 0, len(extension) + stuffing])
        out += extension + b"\xFF" * stuffing + bytes([0x20 + stream]) + part
        if spare >= 6:
            out += b"\0\0\1\xBE" + struct.pack(">H", spare - 6) + b"\xFF" * (spare - 6)
        first = False
    return bytes(out)


CUES = [  # start, length, lines, forced, colors
    (1.0, 2.2, ["The lighthouse has been dark", "since the storm."], False, (0, 1, 2, 3)),
    (3.5, 2.3, ["Someone has to climb the stairs."], False, (0, 1, 2, 3)),
    (6.0, 2.04, ["Is the lamp broken?", "No. Only asleep."], False, (0, 4, 2, 3)),
    (8.5, 2.5, ["NO ENTRY"], True, (0, 5, 2, 3)),
    (11.5, None, ["Red light."], False, (0, 5, 1, 3)),  # no stop command
    (14.0, 2.25, ["Even at sea."], False, (0, 1, 2, 3)),
    (17.0, 2.5, ["Good night."], False, (0, 1, 2, 3)),
]


def main():
    stem = sys.argv[1]
    index = ["# VobSub index file, v7 (do not modify this line!)", "size: 720x576", "org: 0, 0",
             "scale: 100%, 100%", "alpha: 100%", "smooth: OFF", "fadein/out: 50, 50",
             "align: OFF at LEFT TOP", "time offset: 0", "forced subs: OFF",
             "palette: " + ", ".join(PALETTE),
             "custom colors: OFF, tridx: 0000, colors: 000000, 000000, 000000, 000000",
             "langidx: 0", "", "id: en, index: 0"]
    data = bytearray()
    for start, length, lines, forced, colours in CUES:
        shown = picture.text(lines, scale=3, even=True)
        x, y = (720 - shown.width) // 2, 540 - shown.height
        if forced:
            y = 40
        milliseconds = round(start * 1000)
        index.append("timestamp: 00:%02d:%02d:%03d, filepos: %09x" % (
            milliseconds // 60000, milliseconds // 1000 % 60, milliseconds % 1000, len(data)))
        data += packs(unit(shown, x, y, length, forced, colours), start)
    with open(stem + ".idx", "w", newline="\n") as file:
        file.write("\n".join(index) + "\n")
    with open(stem + ".sub", "wb") as file:
        file.write(data)


if __name__ == "__main__":
    main()
