#!/usr/bin/env python3
"""Prints a table of ffmpeg command lines, done by ffmpeg and by its stand-in: standin.py STAND-IN FILM [RUNS]

STAND-IN is a link to undertext named undertext-ffmpeg; FILM a Matroska file with SubRip tracks. The file is in the page
cache; with 40 GB it would not be, and ffmpeg would wait for the disk.
"""
import os
import statistics
import sys
import tempfile

import measure


def lines(film, folder):
    """Jellyfin's command lines, and the usual one without -copyts."""
    out = os.path.join(folder, "out%d.srt")
    given = ["-nostdin", "-v", "quiet", "-y", "-i", "file:" + film]
    yield "one track, `-copyts`", [*given, "-copyts", "-map", "0:2", "-an", "-vn", "-c:s", "copy", out % 0]
    several = [*given, "-copyts"]
    for index in range(2, 8):
        several += ["-map", "0:%d" % index, "-an", "-vn", "-c:s", "copy", out % index]
    yield "six tracks, `-copyts`", several
    yield "one track, converted", [*given, "-map", "0:s:0", out % 0]


def main(stand_in, film, runs=3):
    print("| command | ffmpeg | undertext-ffmpeg | ratio | read by ffmpeg | read by undertext-ffmpeg |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in lines(film, folder):
            rows = []
            for program in ("ffmpeg", stand_in):
                results = [measure.once([program, *arguments]) for _ in range(int(runs) + 1)][1:]
                rows.append((statistics.median(r["seconds"] for r in results), results[0]["bytesRead"]))
            (slow, all_bytes), (fast, some) = rows
            print("| %s | %.2f s | %.3f s | %.0f | %.0f MB | %.1f MB |"
                  % (name, slow, fast, slow / fast, all_bytes / 1e6, some / 1e6))


if __name__ == "__main__":
    main(*sys.argv[1:])
