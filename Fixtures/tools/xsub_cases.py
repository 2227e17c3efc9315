#!/usr/bin/env python3
"""Writes the conformance set for XSUB: xsub_cases.py FOLDER [SEEDS].

SEEDS is a folder for seeds of fuzzing: a byte that is even for streams with opacities, then a packet.
"""

import os
import struct
import sys

from dvbsub import Bits, runs
from scene import Conformance, Shown, grid, stamp

CANVAS = (96, 48)
COLOURS = [(16, 32, 48), (255, 255, 255), (200, 40, 60), (0, 90, 180)]


def line(codes):
    """Runs of one line: 4, 8, 12 or 16 bits by their length; 0 = to the end."""
    bits = Bits()
    parts = runs(codes)
    for number, (count, code) in enumerate(parts):
        if number == len(parts) - 1 and count >= 64:
            bits.put(0, 14).put(code, 2)
            continue
        while count:
            taken = min(count, 255)
            if taken < 4:
                bits.put(taken, 2)
            elif taken < 16:
                bits.put(taken, 6)
            elif taken < 64:
                bits.put(taken, 10)
            else:
                bits.put(taken, 14)
            bits.put(code, 2)
            count -= taken
    return bits.bytes()


def clock(seconds):
    ms = round(seconds * 1000)
    return f"{ms // 3600000:02}:{ms // 60000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"


def packet(start, stop, x, y, rows, alphas=None, second=None, top=None):
    """A packet; `second` replaces the offset of the lower field, `top` the upper field's bytes."""
    upper = b"".join(line(row) for row in rows[0::2]) if top is None else top
    lower = b"".join(line(row) for row in rows[1::2])
    width, height = len(rows[0]), len(rows)
    head = f"[{clock(start)}-{clock(stop)}]".encode()
    head += struct.pack("<7H", width, height, x, y, x + width - 1, y + height - 1,
                        len(upper) if second is None else second)
    head += b"".join(bytes(colour) for colour in COLOURS) + bytes(alphas or [])
    return head + upper + lower


def avi(fourcc, packets):
    """An AVI file with one stream; the container's times are nonsense, as in real files."""
    def chunk(kind, data):
        return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)

    def listed(kind, data):
        return chunk(b"LIST", kind + data)

    main = struct.pack("<14I", 40000, 0, 0, 0x10, len(packets), 0, 1, 0, *CANVAS, 0, 0, 0, 0)
    header = struct.pack("<4s4sIHHIIIIIIII4H", b"vids", fourcc, 0, 0, 0, 0, 1, 25, 0, len(packets), 0, 0, 0,
                         0, 0, *CANVAS)
    form = struct.pack("<IiiHH4sIiiII", 40, *CANVAS, 1, 24, fourcc, 0, 0, 0, 0, 0)
    movie = b"movi"
    index = b""
    for data in packets:
        index += struct.pack("<4sIII", b"00sb", 0x10, len(movie), len(data))
        movie += chunk(b"00sb", data)
    body = listed(b"hdrl", chunk(b"avih", main) + listed(b"strl", chunk(b"strh", header) + chunk(b"strf", form)))
    body += chunk(b"LIST", movie) + chunk(b"idx1", index)
    return chunk(b"RIFF", b"AVI " + body)


def looks(alphas=(0, 255, 255, 255)):
    return [colour + (alpha,) for colour, alpha in zip(COLOURS, alphas)]


def shown(start, stop, source="explicit"):
    return Shown(start, stop, source, CANVAS)


def pattern(width, height):
    return [[(row + column // 3) % 4 for column in range(width)] for row in range(height)]


if __name__ == "__main__":
    target = Conformance(sys.argv[1])

    rows = pattern(40, 12)
    target.add("times-in-packet", "avi", avi(b"DXSB", [packet(1, 2.5, 10, 20, rows), packet(3661.042, 3662, 4, 6, rows)]), [
        shown(1, 2.5).add(10, 20, rows, looks()), shown(3661.042, 3662).add(4, 6, rows, looks())])

    target.add("fields-odd-height", "avi", avi(b"DXSB", [packet(1, 2, 0, 0, pattern(30, 9))]), [
        shown(1, 2).add(0, 0, pattern(30, 9), looks())])

    # Every length of code, and runs to the end of the line.
    long_rows = []
    for first in (1, 3, 4, 15, 16, 63, 64):
        long_rows.append(([1] * first + [2] * 5 + [3] * 80)[:80])
    long_rows.append([1] * 80)
    target.add("run-lengths", "avi", avi(b"DXSB", [packet(1, 2, 8, 8, long_rows)]), [
        shown(1, 2).add(8, 8, long_rows, looks())])

    alphas = (64, 255, 128, 0)
    target.add("alpha-dxsa", "avi", avi(b"DXSA", [packet(1, 2, 10, 20, rows, alphas)]), [
        shown(1, 2).add(10, 20, rows, looks(alphas))])

    # The lower field's stated offset is wrong: it still follows the upper one.
    target.add("second-field-wrong", "avi", avi(b"DXSB", [packet(1, 2, 10, 20, rows, second=3)]), [
        shown(1, 2).add(10, 20, rows, looks())])

    clear = stamp(grid(40, 20), pattern(10, 6), 12, 8)
    target.add("cropped-to-visible", "avi", avi(b"DXSB", [packet(1, 2, 10, 20, clear), packet(3, 4, 0, 0, grid(8, 8))]), [
        shown(1, 2).add(10, 20, clear, looks())])

    target.add("end-missing", "avi", avi(b"DXSB", [packet(1, 1, 0, 0, rows), packet(4, 5, 0, 0, pattern(8, 8))]), [
        shown(1, 4, "nextEvent").add(0, 0, rows, looks()), shown(4, 5).add(0, 0, pattern(8, 8), looks())])
    target.finish()

    if len(sys.argv) > 2:
        for name, data in (("plain", b"\1" + packet(1, 2, 10, 20, rows)), ("alpha", b"\0" + packet(1, 2, 0, 0, rows, alphas)),
                           ("runs", b"\1" + packet(1, 2, 0, 0, long_rows))):
            with open(os.path.join(sys.argv[2], name), "wb") as file:
                file.write(data)
