#!/usr/bin/env python3
"""Counts the bytes that the subtitles of a Matroska file need at least: needed.py FILE.

Prints header and index, and the blocks of the subtitle tracks, in bytes: what a reader has to ask
for that knows every place in advance.
"""

import functools
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "Fixtures", "tools"))
import ebml  # noqa: E402

SUBTITLES = 17


def header(file, at):
    """Identifier, content start and content length of the element at an offset."""
    file.seek(at)
    data = file.read(12)
    width = 9 - data[0].bit_length()
    length, end = ebml.read_size(data, width)
    return int.from_bytes(data[:width], "big"), at + end, length


def children(file, start, end):
    at = start
    while at < end:
        number, content, length = header(file, at)
        yield number, at, content, content + length
        at = content + length


def subtitle_numbers(data):
    """The numbers of the subtitle tracks in the content of Tracks."""
    numbers, current = set(), None
    for number, _, _, start, end in ebml.walk(data):
        value = int.from_bytes(data[start:end], "big") if end - start <= 8 else None
        if number == ebml.TRACK_NUMBER:
            current = value
        elif number == ebml.TRACK_TYPE and value == SUBTITLES:
            numbers.add(current)
    return numbers


@functools.lru_cache
def needed(path):
    """The bytes of header and index, and those of the wanted blocks."""
    described, wanted, tracks = 0, 0, set()
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        _, _, start, end = next(children(file, 0, size))
        described += end
        segment = header(file, end)[1]
        for number, at, start, end in children(file, segment, size):
            if number == ebml.TRACKS:
                file.seek(start)
                tracks = subtitle_numbers(file.read(end - start))
            if number not in (ebml.CLUSTER, ebml.VOID, ebml.ATTACHMENTS):
                described += end - at
            if number != ebml.CLUSTER:
                continue
            for kind, block, inside, after in children(file, start, end):
                if kind == ebml.BLOCK_GROUP:
                    inside = header(file, inside)[1]
                elif kind != ebml.SIMPLE_BLOCK:
                    continue
                file.seek(inside)
                if ebml.read_size(file.read(8), 0)[0] in tracks:
                    wanted += after - block
    return described, wanted


if __name__ == "__main__":
    print(*needed(sys.argv[1]))
