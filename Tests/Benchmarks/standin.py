#!/usr/bin/env python3
"""Prints a table of ffmpeg command lines, done by ffmpeg and by its stand-in: standin.py STAND-IN FILM [RUNS]

STAND-IN is a link to undertext named undertext-ffmpeg; FILM a Matroska file with six SubRip and two PGS tracks, such as
bench-out/film.mkv. A server shows the first subtitle when the command has ended. Each line runs with the file in the page cache
and without it; with 40 GB it would not be there.
"""
import os
import statistics
import sys
import tempfile

import cache
import measure
from case import build_floor


def lines(film, folder):
    """The command lines with which Jellyfin shows a track and fills its cache, and a usual one."""
    out = os.path.join(folder, "out%d.%s")
    given = ["-nostdin", "-v", "quiet", "-y", "-i", "file:" + film]
    yield "one track, `-copyts`", [*given, "-copyts", "-map", "0:2", "-an", "-vn", "-c:s", "copy", out % (0, "srt")]
    several = list(given)
    for index in range(2, 10):
        kind = "srt" if index < 8 else "sup"
        several += ["-map", "0:%d" % index, "-an", "-vn", "-c:s", "copy", "-flush_packets", "1", out % (index, kind)]
    yield "all tracks", several
    yield "one track, converted", [*given, "-map", "0:s:0", out % (0, "srt")]


def measured(program, arguments, film, runs, is_cold):
    """The median of the seconds, and the bytes read."""
    results = []
    for _ in range(runs + 1):
        if is_cold:
            cache.forget(film)
        results.append(measure.once([program, *arguments]))
    return statistics.median(result["seconds"] for result in results[1:]), results[1]["bytesRead"]


def main(stand_in, film, runs=3):
    build_floor()  # it measures
    print("| command | page cache | ffmpeg | undertext-ffmpeg | ratio | read by ffmpeg | read by undertext-ffmpeg |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for is_cold in (False, True):
            if not is_cold and cache.fill(film) < 0.99:
                continue
            for name, arguments in lines(film, folder):
                (slow, all_bytes), (fast, some) = (
                    measured(program, arguments, film, int(runs), is_cold) for program in ("ffmpeg", stand_in))
                print("| %s | %s | %.2f s | %.3f s | %.0f | %.0f MB | %.1f MB |"
                      % (name, "without" if is_cold else "with", slow, fast, slow / fast, all_bytes / 1e6, some / 1e6), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
