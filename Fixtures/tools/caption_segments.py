#!/usr/bin/env python3
"""Writes presentations whose video has closed captions: caption_segments.py FOLDER.

The pictures are those of `h264.ts` of `caption_video.py`, a group in each segment. `master.m3u8` has segments of MPEG-2 TS, whose
clock wraps and then begins again after a discontinuity; `fragments.m3u8` and `manifest.mpd` have fragmented MP4, whose clock
begins at ten seconds.
"""
import struct
import sys
from pathlib import Path

import caption_video
import cea608

SEGMENT = caption_video.GROUP
WRAP = 1 << 33
# The start of the clock, and its start after the discontinuity.
CLOCKS = {0: WRAP - 3 * 45000, 3: 7 * 90000}
FRAME, SCALE, BASE = 1001, 30000, 300000
SECONDS = FRAME / SCALE


def segments(pairs):
    """For each segment its number, its first picture, and its pictures in the order of decoding."""
    for number, first in enumerate(range(0, len(pairs), SEGMENT)):
        yield number, first, caption_video.decoded(min(SEGMENT, len(pairs) - first))


def transport(pairs, first, pictures, clock):
    stream = caption_video.Video(0x1B, caption_video.captions_descriptor())
    for place, (number, kind) in enumerate(pictures):
        shown, decode = (clock + frames * caption_video.FRAME for frames in (number, place - 2))
        stream.video(shown, decode, caption_video.h264(pairs, first, number, kind))
    return stream.bytes()


def box(kind, *parts):
    content = b"".join(parts)
    return struct.pack(">I", 8 + len(content)) + kind.encode() + content


def full(kind, version, flags, *parts):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def units(picture):
    return picture.split(b"\0\0\0\1")[1:]


def initialization(pairs):
    nals = units(caption_video.h264(pairs, 0, 0, "I"))
    sps, pps = (next(unit for unit in nals if unit[0] == kind) for kind in (0x67, 0x68))
    record = b"\1" + sps[1:4] + b"\xFF\xE1" + struct.pack(">H", len(sps)) + sps + b"\1" + struct.pack(">H", len(pps)) + pps
    matrix = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    size = struct.pack(">HH", 160, 96)
    entry = box("avc1", b"\0" * 6 + b"\0\1" + b"\0" * 16 + size + struct.pack(">IIIH", 0x480000, 0x480000, 0, 1),
                b"\0" * 32 + b"\0\x18\xFF\xFF", box("avcC", record))
    table = box("stbl", full("stsd", 0, 0, b"\0\0\0\1", entry), full("stts", 0, 0, b"\0" * 4), full("stsc", 0, 0, b"\0" * 4),
                full("stsz", 0, 0, b"\0" * 8), full("stco", 0, 0, b"\0" * 4))
    media = box("mdia", full("mdhd", 0, 0, struct.pack(">4IHH", 0, 0, SCALE, 0, 0x55C4, 0)),
                full("hdlr", 0, 0, b"\0" * 4 + b"vide" + b"\0" * 13),
                box("minf", full("vmhd", 0, 1, b"\0" * 8),
                    box("dinf", full("dref", 0, 0, b"\0\0\0\1", full("url ", 0, 1))), table))
    header = full("tkhd", 0, 3, struct.pack(">5I", 0, 0, 1, 0, 0) + b"\0" * 16 + matrix + struct.pack(">II", 160 << 16, 96 << 16))
    movie = full("mvhd", 0, 0, struct.pack(">5IH", 0, 0, SCALE, 0, 0x10000, 0x100) + b"\0" * 10 + matrix + b"\0" * 24 + b"\0\0\0\2")
    return box("ftyp", b"iso6\0\0\0\0iso6cmfc") + box(
        "moov", movie, box("trak", header, media), box("mvex", full("trex", 0, 0, struct.pack(">5I", 1, 1, FRAME, 0, 0))))


def fragment(pairs, number, first, pictures):
    samples, data = b"", b""
    for place, (index, kind) in enumerate(pictures):
        sample = b"".join(struct.pack(">I", len(unit)) + unit for unit in units(caption_video.h264(pairs, first, index, kind)))
        # Offsets of composition are signed, so that the first picture is shown at the time of the fragment.
        samples += struct.pack(">Ii", len(sample), (index - place) * FRAME)
        data += sample

    def movie(offset):
        run = full("trun", 1, 0xA01, struct.pack(">Ii", len(pictures), offset), samples)
        track = box("traf", full("tfhd", 0, 0x20000, b"\0\0\0\1"), full("tfdt", 1, 0, struct.pack(">Q", BASE + first * FRAME)), run)
        return box("moof", full("mfhd", 0, 0, struct.pack(">I", number + 1)), track)
    return movie(len(movie(0)) + 8) + box("mdat", data)


def captions():
    """Declared: captions of both fields, and a service of CEA-708 that is not there."""
    rows = (("English", "en", "CC1"), ("Svenska", "sv", "CC3"), ("Suomi", "fi", "SERVICE1"))
    return "".join(f'#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="{name}",LANGUAGE="{language}",INSTREAM-ID="{service}"\n'
                   for name, language, service in rows)


def master(media):
    return ("#EXTM3U\n" + captions() + '#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d001e",RESOLUTION=160x96,'
            f'CLOSED-CAPTIONS="cc"\n{media}\n')


def playlist(lengths, extension, breaks=(), initial=""):
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:3"] + ([initial] if initial else [])
    for number, length in enumerate(lengths):
        lines += (["#EXT-X-DISCONTINUITY"] if number in breaks else []) + [f"#EXTINF:{length * SECONDS:.6f},", f"{number}.{extension}"]
    return "\n".join(lines + ["#EXT-X-ENDLIST", ""])


def manifest(lengths):
    rows = "".join(f'<S t="{BASE + sum(lengths[:n]) * FRAME}" d="{length * FRAME}"/>' for n, length in enumerate(lengths))
    return f"""<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT{sum(lengths) * SECONDS:.3f}S" minBufferTime="PT2S">
<Period><AdaptationSet contentType="video" mimeType="video/mp4" codecs="avc1.4d001e">
<Accessibility schemeIdUri="urn:scte:dash:cc:cea-608:2015" value="CC1=eng;CC3=swe"/>
<Accessibility schemeIdUri="urn:scte:dash:cc:cea-708:2015" value="1=lang:fin"/>
<SegmentTemplate timescale="{SCALE}" presentationTimeOffset="{BASE}" startNumber="0" initialization="init.mp4" media="$Number$.m4s">
<SegmentTimeline>{rows}</SegmentTimeline></SegmentTemplate>
<Representation id="v" bandwidth="100000" width="160" height="96"/></AdaptationSet></Period></MPD>
"""


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    one, two = cea608.pop_on(), cea608.field_2()
    pairs = [(pair, two[i] if i < len(two) else (0x80, 0x80)) for i, pair in enumerate(one)]
    lengths, clock, begin = [], 0, 0
    for number, first, pictures in segments(pairs):
        if number in CLOCKS:
            clock, begin = CLOCKS[number], first
        shown = clock + (first - begin) * caption_video.FRAME
        (folder / f"{number}.ts").write_bytes(transport(pairs, first, pictures, shown))
        (folder / f"{number}.m4s").write_bytes(fragment(pairs, number, first, pictures))
        lengths.append(len(pictures))
    (folder / "init.mp4").write_bytes(initialization(pairs))
    (folder / "master.m3u8").write_text(master("media.m3u8"))
    (folder / "media.m3u8").write_text(playlist(lengths, "ts", [n for n in CLOCKS if n]))
    (folder / "fragments.m3u8").write_text(master("fragments_media.m3u8"))
    (folder / "fragments_media.m3u8").write_text(playlist(lengths, "m4s", initial='#EXT-X-MAP:URI="init.mp4"'))
    (folder / "manifest.mpd").write_text(manifest(lengths))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
