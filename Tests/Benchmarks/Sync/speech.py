"""Aligns subtitles with the speech of the films of films.py and prints a table: speech.py FOLDER TOOL…

TOOL is undertext or ffsubsync; UNDERTEXT and FFSUBSYNC name the programs. The last column is the number of outputs that
undertext writes for the subtitles of the other films, which belong to another film: none is right.
"""

import glob
import json
import os
import sys

from compare import FFSUBSYNC, UNDERTEXT, mean, run, starts

KINDS = ["offset", "ratio", "break", "all"]


def command(tool, film, subtitle, out):
    if tool == "undertext":
        return [UNDERTEXT, "sync", "--quiet", subtitle, "--to", film, "--speech", "-o", out, "--force"]
    more = ["--split-penalty"] if ".break." in subtitle or ".all." in subtitle else []
    return [FFSUBSYNC, film, "-i", subtitle, "-o", out, "--max-offset-seconds", "160"] + more


def main(folder, tools):
    names = sorted(path[:-len(".speech.json")] for path in glob.glob(os.path.join(folder, "*.speech.json")))
    out = os.path.join(folder, "out.srt")
    print("| film | tool | 100 ms | 500 ms | seconds | MiB | of other films |\n| --- | --- | --- | --- | --- | --- | --- |")
    for name in names:
        film = next(path for path in glob.glob(name + ".*") if path.endswith((".mkv", ".mp4", ".ts")))
        for tool in tools:
            rows, wrong = [], 0
            for kind in KINDS:
                with open("%s.%s.json" % (name, kind)) as file:
                    truth = json.load(file)["truth"]
                if os.path.exists(out):
                    os.remove(out)
                _, seconds, memory = run(command(tool, film, "%s.%s.srt" % (name, kind), out))
                found = starts(out) if os.path.exists(out) else {}
                errors = [abs(found.get(number, 1 << 60) - time) for number, time in enumerate(truth)]
                rows.append((mean(e <= 100 for e in errors), mean(e <= 500 for e in errors), seconds, memory / 1024))
            if tool == "undertext":
                for other in names:
                    if other != name:
                        wrong += run(command(tool, film, other + ".offset.srt", out))[0] == 0
            print("| %s | %s | %.1f | %.1f | %.1f | %.0f | %s |" % (
                os.path.basename(name), tool, 100 * mean(r[0] for r in rows), 100 * mean(r[1] for r in rows),
                mean(r[2] for r in rows), max(r[3] for r in rows), wrong if tool == "undertext" else ""), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
