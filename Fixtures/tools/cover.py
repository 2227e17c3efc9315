#!/usr/bin/env python3
"""Writes the cover image, an indexed PNG: cover.py OUTPUT."""

import struct
import sys
import zlib

import picture


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(shown, palette, alphas):
    """The image as a PNG with a palette and its transparency."""
    header = struct.pack(">IIBBBBB", shown.width, shown.height, 8, 3, 0, 0, 0)
    rows = b"".join(b"\0" + row for row in shown.rows)
    return b"\x89PNG\r\n\x1a\n" + b"".join([
        chunk(b"IHDR", header), chunk(b"PLTE", bytes(value for colour in palette for value in colour)),
        chunk(b"tRNS", bytes(alphas)), chunk(b"IDAT", zlib.compress(rows, 9)), chunk(b"IEND", b"")])


if __name__ == "__main__":
    title = picture.text(["Lighthouse", "at night"], scale=4)
    with open(sys.argv[1], "wb") as file:
        file.write(png(
            title, [(16, 32, 64), (255, 204, 0), (0, 0, 0), (160, 120, 0)], [255, 255, 255, 255]))
