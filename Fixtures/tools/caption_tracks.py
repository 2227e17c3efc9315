#!/usr/bin/env python3
"""Writes caption tracks of QuickTime and MP4 files: caption_tracks.py FOLDER.

`c608.mov` and `c608.mp4` have `pop_on` in field 1 and `field_2` in field 2, `c708.mov` the CEA-708 of `708-pop_on`. QuickTime File
Format, closed captioning media: samples have atoms `cdat`, `cdt2` and `ccdp`.
"""
import struct
import sys
from pathlib import Path

import cea608
import cea708

SCALE, FRAME = 30000, 1001
MATRIX = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)


def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I4s", len(body) + 8, kind) + body


def full(kind, *parts, flags=0):
    return box(kind, struct.pack(">I", flags), *parts)


def movie(path, brand, entry, samples, frames):
    """A file with one track, whose samples last so many frames each."""
    data = b"".join(samples)
    header = box(b"ftyp", brand, struct.pack(">I", 0x200), brand)
    lengths = frames * FRAME
    total = len(samples) * lengths
    media = box(
        b"mdia",
        full(b"mdhd", struct.pack(">IIIIHH", 0, 0, SCALE, total, 0x15C7, 0)),
        full(b"hdlr", b"mhlr" if brand == b"qt  " else b"\0" * 4, b"clcp", b"\0" * 12, b"\0"),
        box(b"minf",
            full(b"nmhd") if brand != b"qt  " else box(b"gmhd", full(b"gmin", struct.pack(">6H", 0x40, 0x8000, 0x8000, 0x8000, 0, 0))),
            box(b"dinf", full(b"dref", struct.pack(">I", 1), full(b"url ", flags=1))),
            box(b"stbl",
                full(b"stsd", struct.pack(">I", 1), box(entry, b"\0" * 6, struct.pack(">H", 1))),
                full(b"stts", struct.pack(">III", 1, len(samples), lengths)),
                full(b"stsc", struct.pack(">IIII", 1, 1, len(samples), 1)),
                full(b"stsz", struct.pack(">II", 0, len(samples)), b"".join(struct.pack(">I", len(s)) for s in samples)),
                full(b"stco", struct.pack(">II", 1, len(header) + 8)))))
    track = box(b"trak", full(b"tkhd", struct.pack(">IIIIIQHHHH", 0, 0, 1, 0, total, 0, 0, 0, 0, 0), MATRIX, b"\0" * 8, flags=7), media)
    moov = box(b"moov", full(b"mvhd", struct.pack(">IIIIIHHQ", 0, 0, SCALE, total, 0x10000, 0x100, 0, 0), MATRIX, b"\0" * 24,
                             struct.pack(">I", 2)), track)
    path.write_bytes(header + box(b"mdat", data) + moov)


def line_21(one, two, count):
    """Samples of so many frames with the pairs of both fields."""
    one = one + cea608.nulls(-len(one) % count)
    two = two + cea608.nulls(len(one) - len(two))
    return [b"".join(box(kind, b"".join(map(bytes, pairs[start:start + count]))) for kind, pairs in ((b"cdat", one), (b"cdt2", two)))
            for start in range(0, len(one), count)]


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    one, two = cea608.pop_on(), cea608.field_2()
    movie(folder / "c608.mov", b"qt  ", b"c608", line_21(one, two, 1), 1)
    movie(folder / "c608.mp4", b"mp42", b"c608", line_21(one, two, 15), 15)
    frames, _ = cea708.frames_of(cea708.pop_on())
    packets = [box(b"ccdp", bytes(cea708.cdp(index, list(cc)))) for index, cc in enumerate(frames)]
    movie(folder / "c708.mov", b"qt  ", b"c708", packets, 1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
