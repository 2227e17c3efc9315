#!/usr/bin/env python3
"""Says whether two folders hold the same tracks: compare.py FOLDER FOLDER.

Names differ between tools, so tracks are compared by content: .sup byte for byte but for the decoding
times, .srt cue by cue. Exit code 1 and a line for each difference.
"""

import os
import struct
import sys


def cues(path):
    """The cues of an .srt without their numbers."""
    with open(path, encoding="utf-8-sig") as file:
        blocks = file.read().replace("\r\n", "\n").strip().split("\n\n")
    return tuple(tuple(block.split("\n")[1:]) for block in blocks)


def segments(path):
    """The segments of a .sup without their decoding times."""
    with open(path, "rb") as file:
        data = file.read()
    found, at = [], 0
    while at < len(data):
        end = at + 13 + struct.unpack(">H", data[at + 11:at + 13])[0]
        found.append(data[at + 2:at + 6] + data[at + 10:end])
        at = end
    return tuple(found)


def tracks(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        content = segments(path) if name.endswith(".sup") else cues(path)
        found[hash(content)] = name, len(content)
    return found


def main():
    first, second = (tracks(folder) for folder in sys.argv[1:3])
    for missing in first.keys() - second.keys():
        print("only in %s: %s (%d items)" % (sys.argv[1], *first[missing]))
    for missing in second.keys() - first.keys():
        print("only in %s: %s (%d items)" % (sys.argv[2], *second[missing]))
    if first.keys() != second.keys():
        sys.exit(1)
    print("%d tracks, %d cues and segments: equal" % (
        len(first), sum(count for _, count in first.values())))


if __name__ == "__main__":
    main()
