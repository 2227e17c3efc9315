#!/usr/bin/env python3
"""Writes damaged files: malformed.py CONTAINERS SUBTITLES OUTPUT.

The name of each says what is wrong with it.
"""

import os
import struct
import sys

import ebml
from ebml import element


def matroska_head():
    return element(ebml.EBML, [element(0x4282, "matroska"), element(0x4287, 4), element(0x4285, 2)])


def nested(depth):
    content = element(ebml.TAG_NAME, "deep")
    for _ in range(depth):
        content = element(ebml.SIMPLE_TAG, content)
    return element(ebml.TAGS, [element(ebml.TAG, content)])


def stop_loop(unit):
    """A subtitle unit whose second control sequence points back at the first one."""
    first = struct.unpack(">H", unit[2:4])[0]
    second = struct.unpack(">H", unit[first + 2:first + 4])[0]
    return unit[:second + 2] + struct.pack(">H", first) + unit[second + 4:]


def main():
    containers, subtitles, output = sys.argv[1:]

    def read(folder, name):
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()

    def save(name, data):
        with open(os.path.join(output, name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    segment = ebml.identifier(ebml.SEGMENT)
    save("empty.mkv", b"")
    save("header-only.mkv", matroska_head())
    save("huge-segment.mkv", matroska_head() + segment + b"\x01" + b"\x7F" * 7)
    save("huge-element.mkv", matroska_head() + element(ebml.SEGMENT, [
        ebml.identifier(ebml.TRACKS) + ebml.size((1 << 55), 8)]))
    save("zero-size-id.mkv", matroska_head() + segment + ebml.size(64) + b"\0" * 64)
    save("deep-tags.mkv", matroska_head() + element(ebml.SEGMENT, nested(2000)))
    save("seek-to-self.mkv", matroska_head() + element(ebml.SEGMENT, element(ebml.SEEK_HEAD, [
        element(ebml.SEEK, [element(ebml.SEEK_ID, ebml.identifier(ebml.SEEK_HEAD)),
                            element(ebml.SEEK_POSITION, b"\0")])])))
    whole = read(containers, "encodings.mkv")
    packed = bytearray(whole)
    at = packed.find(b"\x78\xDA")
    packed[at + 8:at + 12] = b"\xFF\xFF\xFF\xFF"
    save("bad-zlib.mkv", bytes(packed[:at + 400]))
    laced = read(containers, "empty-track.mkv")
    group = bytearray(laced)
    at = group.find(element(ebml.BLOCK_DURATION, 2200))
    block = group.rfind(bytes([ebml.BLOCK]), 0, at)
    group[block + 5] |= 0x06  # EBML lacing announced, text instead of sizes
    save("lacing.mkv", bytes(group))

    sup = read(subtitles, "bitmaps.sup")
    save("cut.sup", sup[:3000])
    wild = bytearray(sup[:9000])
    at = wild.find(b"\x15", 60)
    wild[at + 10:at + 14] = b"\xFF\xFF\xFF\xFF"  # 65535 x 65535
    save("huge-object.sup", bytes(wild))
    save("no-end.sup", b"".join(part for part in segments(sup) if part[10] != 0x80)[:9000])

    index = read(subtitles, "vobsub.idx").decode()
    save("positions.idx", index.replace("filepos: 000001000", "filepos: 0ffffffff"))
    save("positions.sub", read(subtitles, "vobsub.sub")[:6000])
    payload = read(subtitles, "vobsub.sub")
    unit = payload[14 + 9 + 5 + 1:14 + 9 + 5 + 1 + 2019]  # the first pack's part of the unit
    length = struct.unpack(">H", unit[:2])[0]
    rest = payload[2048 + 14 + 9 + 1:2048 + 14 + 9 + 1 + length - len(unit)]
    save("loop.spu", stop_loop(unit + rest))

    save("times.srt", "1\n00:00:05,000 --> 00:00:01,000\nbackwards\n\n2\n99999999999:00:00,000 --> x\n"
         "far\n\n\n00:00:02,000 --> 00:00:03,000\nno number\n3\n00:00:04,000 --> 00:00:05,000")
    save("tags.srt", "1\n00:00:01,000 --> 00:00:02,000\n<i><b><font color=\"#zzz\" </i>{\\an99}{\\\n")
    save("cut.ass", "[Script Info]\nScriptType: v4.00+\n[V4+ Styles]\nStyle: A\n[Events]\n"
         "Dialogue: 0,0:00:01.00\nDialogue: 0,9:99:99.99,0:00:00.00,,,,,,,{\\pos(\\t(\\t(\\p999\n")
    save("cut.vtt", "WEBVTT\n\nREGION\nid:a\nwidth:9999%\n\n00:01.000 --> 00:00.500 line:9e99% "
         "position:-5%\n<v <c.a.b <00:99:99.999> &#x110000; &bogus\n\n00:00:01.000 -->")


def segments(data):
    """The segments of a .sup with their framing."""
    at = 0
    while at < len(data):
        end = at + 13 + struct.unpack(">H", data[at + 11:at + 13])[0]
        yield data[at:end]
        at = end


if __name__ == "__main__":
    main()
