#!/usr/bin/env python3
"""Puts closed captions into video that an encoder made, as user data before the slices of each picture: captioned.py FOLDER."""
import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import cea608
from caption_video import FRAME, START, Video, escaped, pes, user_data

STREAM_TYPES = {"mpeg2video": 0x02, "h264": 0x1B, "hevc": 0x24, "av1": 0x06}
# The registration and the video descriptor (Carriage of AV1 in MPEG-2 TS, sections 2.1 and 2.2).
_AV1_DESCRIPTORS = b"\x05\x04AV01\x80\x04\x81\0\x0C\0"
# Access unit delimiters are first in the pictures of H.264 and HEVC.
_OPTIONS = {
    "mpeg2video": ["-c:v", "mpeg2video"],
    "h264": ["-c:v", "libx264", "-x264-params", "aud=1"],
    "hevc": ["-c:v", "libx265", "-x265-params", "aud=1:info=0:log-level=none"],
    "av1": ["-c:v", "libaom-av1", "-cpu-used", "8", "-row-mt", "0"],
}
_RAW = {"mpeg2video": "mpeg2video", "h264": "h264", "hevc": "hevc", "av1": "ivf"}


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y", *map(str, arguments)], check=True)


def encoded(codec, source, folder, *options):
    """Pictures of a lavfi source in the order of decoding, and for each its position among those shown."""
    whole, raw = Path(folder) / f"{codec}.mkv", Path(folder) / f"{codec}.raw"
    ffmpeg("-f", "lavfi", "-i", source, *_OPTIONS[codec], "-pix_fmt", "yuv420p", *options, whole)
    ffmpeg("-i", whole, "-c", "copy", "-f", _RAW[codec], raw)
    found = json.loads(subprocess.run(
        ["ffprobe", "-loglevel", "error", "-show_entries", "packet=pts", "-of", "json", whole],
        check=True, capture_output=True).stdout)
    times = [int(packet["pts"]) for packet in found["packets"]]
    ranks = {time: rank for rank, time in enumerate(sorted(times))}
    data = raw.read_bytes()
    parts = ivf_frames(data) if codec == "av1" else pictures(codec, data)
    assert len(parts) == len(times)
    return list(zip(parts, (ranks[time] for time in times)))


def ivf_frames(data):
    place, frames = 32, []
    while place < len(data):
        size = struct.unpack_from("<I", data, place)[0]
        frames.append(data[place + 12:place + 12 + size])
        place += 12 + size
    return frames


def units(data):
    """Where start codes are, and the byte after each."""
    return [(found.start(), data[found.end()]) for found in re.finditer(rb"\x00?\x00\x00\x01", data) if found.end() < len(data)]


def is_slice(codec, byte):
    if codec == "mpeg2video":
        return 0x01 <= byte <= 0xAF
    return (byte & 0x1F) in (1, 5) if codec == "h264" else byte >> 1 & 0x3F <= 31


def begins(codec, byte):
    """True if a unit may be the first of a picture."""
    if codec == "mpeg2video":
        return byte in (0x00, 0xB3, 0xB8)
    return byte & 0x1F in (6, 7, 8, 9) if codec == "h264" else byte >> 1 & 0x3F in (32, 33, 34, 35, 39)


def pictures(codec, data):
    starts, after_slice = [], True
    for place, byte in units(data):
        if begins(codec, byte) and after_slice:
            starts.append(place)
            after_slice = False
        after_slice = after_slice or is_slice(codec, byte)
    return [data[start:end] for start, end in zip(starts, starts[1:] + [len(data)])]


def with_captions(codec, picture, pairs):
    """The picture with the pairs of both fields."""
    data = user_data(pairs)
    t35 = b"\xB5\0\x31" + data
    if codec == "av1":
        return with_metadata(picture, t35)
    unit = {"mpeg2video": lambda: b"\0\0\1\xB2" + data,
            "h264": lambda: b"\0\0\0\1" + escaped(bytes([6, 4, len(t35)]) + t35 + b"\x80"),
            "hevc": lambda: b"\0\0\0\1" + escaped(bytes([39 << 1, 1, 4, len(t35)]) + t35 + b"\x80")}[codec]()
    place = next(place for place, byte in units(picture) if is_slice(codec, byte))
    return picture[:place] + unit + picture[place:]


def obus(unit):
    """The OBUs of a temporal unit of AV1, each with its offset."""
    place = 0
    while place < len(unit):
        size, shift, at = 0, 0, place + 1
        while True:
            size |= (unit[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if unit[at - 1] < 0x80:
                break
        yield place, unit[place:at + size]
        place = at + size


def with_start_codes(unit):
    """The OBUs of a temporal unit as transport streams carry them (Carriage of AV1 in MPEG-2 TS, section 3.2)."""
    return b"".join(b"\0\0\1" + escaped(data) for _, data in obus(unit))


def with_metadata(unit, t35):
    """A temporal unit of AV1 with an OBU_METADATA of METADATA_TYPE_ITUT_T35 before its first frame."""
    place = next(place for place, data in obus(unit) if data[0] >> 3 & 15 in (3, 6))
    payload = b"\x04" + t35 + b"\x80"
    return unit[:place] + bytes([5 << 3 | 2, len(payload)]) + payload + unit[place:]


def with_line_21(picture, fields):
    """A picture that begins a group with its captions as on DVDs; `fields` has the pairs of each frame of the group."""
    place = next((place for place, byte in units(picture) if byte == 0x00), None)
    header = bytes([0x80 | len(fields) << 1])
    data = b"".join(bytes([0xFF, *one, 0xFE, *two]) for one, two in fields)
    return picture[:place] + b"\0\0\1\xB2CC\x01\xF8" + header + data + picture[place:]


def transport(codec, parts, descriptors=b""):
    """A transport stream of pictures with their positions."""
    stream = Video(STREAM_TYPES[codec], descriptors)
    for index, (picture, rank) in enumerate(parts):
        stream.video(START + rank * FRAME, START + (index - 3) * FRAME, picture)
    return stream.bytes()


def program(parts):
    """A program stream of MPEG-2 pictures, each in its own pack: several would share the time of the first one."""
    data = b""
    for index, (picture, rank) in enumerate(parts):
        decode = START + (index - 3) * FRAME
        clock = decode - 9000
        data += b"\0\0\1\xBA" + bytes([
            0x44 | clock >> 27 & 0x38 | clock >> 28 & 3, clock >> 20 & 0xFF, clock >> 12 & 0xF8 | 4 | clock >> 13 & 3,
            clock >> 5 & 0xFF, clock << 3 & 0xF8 | 4, 1, 1, 0x89, 0xC3, 0xF8])
        data += pes(START + rank * FRAME, decode, picture, len(picture) + 13)
    return data + b"\0\0\1\xB9"


def ivf(parts, width, height):
    """The same pictures of AV1 in a file, each with its time in 1001/30000 s."""
    head = b"DKIF" + struct.pack("<HH4sHHIIII", 0, 32, b"AV01", width, height, 30000, 1001, len(parts), 0)
    return head + b"".join(struct.pack("<IQ", len(unit), rank) + unit for unit, rank in parts)


def main(folder):
    """Files with `pop_on` in field 1 and `field_2` in field 2."""
    folder.mkdir(parents=True, exist_ok=True)
    one, two = cea608.pop_on(), cea608.field_2()
    pairs = [(pair, two[i] if i < len(two) else (0x80, 0x80)) for i, pair in enumerate(one)]
    source = f"color=c=gray:s=64x64:r=30000/1001:d=10,trim=end_frame={len(pairs)}"
    with tempfile.TemporaryDirectory() as work:
        for codec, options in ("mpeg2video", ["-bf", "2", "-q:v", "30"]), ("h264", ["-bf", "3"]), ("hevc", ["-bf", "3"]):
            parts = encoded(codec, source, work, *options)
            captions = [(with_captions(codec, part, pairs[rank]), rank) for part, rank in parts]
            write(folder, work, codec, transport(codec, captions))
            if codec == "mpeg2video":
                (folder / "line_21.vob").write_bytes(program(line_21(parts, pairs)))
        parts = encoded("av1", source, work, "-crf", "50", "-g", "60")
        captions = [(with_captions("av1", part, pairs[rank]), rank) for part, rank in parts]
        write(folder, work, "av1", ivf(captions, 64, 64))
        parts = [(with_start_codes(unit), rank) for unit, rank in captions]
        (folder / "av1.ts").write_bytes(transport("av1", parts, _AV1_DESCRIPTORS))


def line_21(parts, pairs):
    """Pictures, of which the first one of each group has the captions of the group."""
    starts = [index for index, (picture, _) in enumerate(parts) if any(byte == 0xB8 for _, byte in units(picture))]
    for index, (picture, rank) in enumerate(parts):
        if index in starts:
            end = next((start for start in starts if start > index), len(parts))
            ranks = sorted(rank for _, rank in parts[index:end])
            picture = with_line_21(picture, [pairs[rank] for rank in ranks])
        yield picture, rank


def write(folder, work, codec, data):
    """The same packets in the containers that have the codec."""
    source = Path(work) / f"{codec}.source"
    source.write_bytes(data)
    for name, options in CONTAINERS[codec].items():
        ffmpeg("-i", source, "-c", "copy", "-fflags", "+bitexact", *options, folder / f"{codec.removesuffix('video')}.{name}")


CONTAINERS = {
    "mpeg2video": {"mkv": []},
    "h264": {"flv": [], "mp4": ["-movflags", "frag_keyframe+empty_moov"]},
    "hevc": {"mp4": [], "mkv": []},
    "av1": {"mp4": [], "mkv": []},
}

if __name__ == "__main__":
    main(Path(sys.argv[1]))
