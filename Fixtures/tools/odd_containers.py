#!/usr/bin/env python3
"""Writes the Matroska fixtures that no muxer makes: odd_containers.py SOURCES SUBTITLES OUTPUT."""

import os
import sys

import matroska
from matroska import File, Track


def main():
    sources, subtitles, output = sys.argv[1:]
    english = matroska.subrip(os.path.join(sources, "en.srt"))
    portuguese = matroska.subrip(os.path.join(sources, "pt-BR.srt"))
    pictures = matroska.display_sets(os.path.join(subtitles, "bitmaps.sup"))
    video = [(1, time, None, bytes([time // 100]) * 96) for time in range(0, 20000, 1000)]

    def text(number, cues):
        return [(number, start, duration, payload) for start, duration, payload in cues]

    def bitmap(number):
        return [(number, start, None, payload) for start, payload in pictures]

    def save(name, file):
        file.write(os.path.join(output, name))

    picture = Track("video", "V_UNCOMPRESSED")
    subrip = Track("text", "S_TEXT/UTF8", language="eng")
    graphics = Track("text", "S_HDMV/PGS", language="eng")

    # Header stripping and zlib on text and images. Every display set begins with a PCS.
    stripped = Track("text", "S_HDMV/PGS", strip=b"\x16\0", language="eng")
    packed = Track("text", "S_TEXT/UTF8", deflate=True, language="por")
    prefixed = [(start, duration, b"- " + line) for start, duration, line in english]
    save("encodings.mkv", File(
        [picture, Track("text", "S_TEXT/UTF8", strip=b"- ", language="eng"), packed, stripped],
        video + text(2, prefixed) + text(3, portuguese) + bitmap(4)))

    # One byte that is not UTF-8, in the second cue; the third ends with a NUL and more after it.
    damaged = list(english)
    damaged[1] = (damaged[1][0], damaged[1][1], b"Someone \xE9 has to climb the stairs.")
    damaged[2] = (damaged[2][0], damaged[2][1], damaged[2][2] + b"\0not text")
    save("invalid-utf8.mkv", File([picture, subrip], video + text(2, damaged)))

    # The third track has no block at all.
    save("empty-track.mkv", File(
        [picture, subrip, Track("text", "S_TEXT/UTF8", language="fre")], video + text(2, english)))

    # Indexes that point beside the block: inside the group, at other bytes, to another cluster.
    for name, relative, offset in (("inside", "inside", 0), ("wrong", "wrong", 0),
                                   ("cluster", "right", 11), ("none", "absent", 0)):
        file = File([picture, subrip, graphics], video + text(2, english) + bitmap(3)[:4])
        file.relative, file.cluster_offset = relative, offset
        save("cues-%s.mkv" % name, file)

    # The index lists the video only.
    file = File([picture, subrip], video + text(2, english))
    file.indexed = {1}
    save("cues-video.mkv", file)

    # Sizes that are not known, as a live stream has them.
    file = File([picture, subrip], video + text(2, english))
    file.unknown_sizes = True
    save("unknown-sizes.mkv", file)


if __name__ == "__main__":
    main()
