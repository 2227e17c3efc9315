#!/usr/bin/env python3
"""Adds an `elng` box to a track of an MP4 file whose moov is last: elng.py FILE TRACK LANGUAGE.

Extended language tags (ISO/IEC 14496-12, 8.4.6) are what MP4 has for BCP 47; ffmpeg does not write them.
"""

import struct
import sys

PARENTS = {b"moov", b"trak", b"mdia"}


def boxes(data):
    """The boxes of a stretch of data: [kind, content], the content a list for parents."""
    found, at = [], 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + length]
        found.append([kind, boxes(body) if kind in PARENTS else body])
        at += length
    return found


def joined(found):
    out = b""
    for kind, content in found:
        body = joined(content) if isinstance(content, list) else content
        out += struct.pack(">I4s", len(body) + 8, kind) + body
    return out


def main():
    path, number, language = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with open(path, "rb") as file:
        top = boxes(file.read())
    if top[-1][0] != b"moov":
        sys.exit("elng: the moov box must come last")
    tracks = [content for kind, content in top[-1][1] if kind == b"trak"]
    media = next(content for kind, content in tracks[number] if kind == b"mdia")
    after = next(index for index, box in enumerate(media) if box[0] == b"mdhd")
    media.insert(after + 1, [b"elng", b"\0\0\0\0" + language.encode() + b"\0"])
    with open(path, "wb") as file:
        file.write(joined(top))


if __name__ == "__main__":
    main()
