"""What a player asks while it plays: built from the package Player beside this file, and run."""

import os
import subprocess
import sys

import tables

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Player")
COUNTS = (1000, 10_000, 100_000, 1_000_000)
# What overlays are measured of.
SHOWN = {name + suffix: "%s at %s" % (words, size)
         for name, words in (("srt", "SubRip"), ("ass", "ASS"), ("pgs", "bitmaps of 1080p"))
         for suffix, size in (("", "1080p"), ("-2160", "2160p"))}


def program():
    """The program of the package, built."""
    build = ["swift", "build", "-c", "release", "--package-path", PACKAGE]
    subprocess.run(build, check=True, stdout=sys.stderr)
    folder = subprocess.run([*build, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return folder + "/PlayerBenchmark"


def figures(film, distant):
    """Name -> the figures of a line: the least and the median of nanoseconds, then counts.

    `film` is a file in which seeks are measured, and `distant` the server that has it, too.
    """
    build = program()

    def run(prefix, *command):
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        parts = (line.split("\t") for line in lines if "\t" in line)
        return {prefix + name: [float(word) for word in words] for name, *words in parts}

    found = run("", build) | run("local-", build, "--seek", film)
    return found | run("distant-", *distant.prefix, build, "--seek", distant.base + os.path.basename(film))


def goals(found):
    """What is to be reached, each as tables.Goal has it; the least time, since others only add to it."""
    slowest = max(found["lookup-%d-%d" % (shown, count)][0] for shown in (1, 8) for count in COUNTS)
    yield "player: µs of cues(at:)", slowest / 1e3, 1, True
    yield ("player: cues(at:) of a million cues against a thousand",
           found["lookup-1-1000000"][0] / found["lookup-1-1000"][0], 8, True)
    yield "player: ms from a seek in a local file to the cue", found["local-seek"][1] / 1e6, 5, True
    yield ("player: round trips of 20 ms from a seek to the cue", found["distant-seek"][1] / 20e6, 3, True)
    yield "player: cues that a seek did not find", found["local-seek"][2] + found["distant-seek"][2], 0, True
    for name in SHOWN:
        size, most = ("2160p", 1 if name[:3] != "pgs" else 2) if "2160" in name else ("1080p", 5)
        yield ("player: ms of a changed frame of %s at %s" % (name[:3], size),
               found["overlay-%s-changed" % name][0] / 1e6, most, True)
        _, _, changes, drawn = found["overlay-%s-changed" % name]
        yield "player: frames of %s drawn without a change" % name, drawn - changes, 0, True


def markdown(found):
    """Two tables: least and median."""
    body = []
    for shown in (1, 8):
        for count in COUNTS:
            key = "-%d-%d" % (shown, count)
            times = ["%.0f (%.0f)" % tuple(found[name + key][:2]) for name in ("lookup", "next", "walk")]
            body.append(["%d" % count, "%.1f" % found["lookup" + key][2], *times])
    head = ["cues", "on screen", "`cues(at:)` ns", "`nextChange(after:)` ns", "a walk over all, ns"]
    text = "## A player's questions\n\nLeast time of 25 rounds (median).\n\n" + tables.rows(head, body)
    body = []
    for name, words in SHOWN.items():
        times = ["%.2f (%.2f)" % tuple(value / 1e6 for value in found["overlay-%s-%s" % (name, step)][:2])
                 for step in ("process", "first", "changed")]
        unchanged = "%.2f (%.2f)" % tuple(value / 1e3 for value in found["overlay-%s-unchanged" % name][:2])
        body.append([words, *times, unchanged])
    head = ["two lines", "a process's first, ms", "a renderer's first, ms", "changed, ms",
            "unchanged, µs"]
    text += "\n\n" + tables.rows(head, body) + "\n"
    body = [[words, "%.1f (%.1f)" % tuple(value / 1e6 for value in found[name + "-seek"][:2])]
            for name, words in (("local", "a file"), ("distant", "http with 20 ms"))]
    return text + "\n\n" + tables.rows(["a seek in 4 GB of Matroska, PGS", "to the cue, ms"], body) + "\n"
