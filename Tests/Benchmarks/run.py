"""Runs the cases; see run.sh for its variables and its option."""

import contextlib
import datetime
import json
import os
import platform
import re
import subprocess
import sys

import cases
import chart
import compare
import documents
import measure
import player
import server
import tables
from case import BASELINE, build_floor

RESULTS = cases.ROOT + "/results.json"
ALL = "startup player probe indexed cold nocues http delay mp4 ts captions m2ts sup srt documents".split()
DELAY = 20  # milliseconds


def made(*names):
    """Makes inputs."""
    script = os.path.join(os.path.dirname(__file__), "inputs.sh")
    if subprocess.run([script, *names], check=False).returncode != 0:
        sys.exit(1)


def films(sizes):
    made(*(os.path.basename(cases.film(size)) for size in sizes))
    return sizes


def chosen(group, sizes, stack):
    """The cases of a group, with their inputs made and their servers running."""
    if group == "startup":
        yield cases.startup()
    elif group == "probe":
        films([4])
        made("film.mp4")
        yield cases.probe(cases.film(4), "4 GB Matroska", cases.TEXTS + cases.PICTURES, True)
        yield cases.probe(cases.ROOT + "/film.mp4", "2 GB MP4", 4)
    elif group == "indexed":
        yield from map(cases.indexed, films(sizes))
        if 4 in sizes and 16 in sizes:
            yield cases.growth()
    elif group == "cold":
        yield from map(cases.cold, films(sizes))
        if 4 in sizes and 16 in sizes:
            yield cases.growth(cases.Cold)
    elif group == "nocues":
        made("nocues.mkv")
        yield cases.nocues()
        yield cases.nocues(cases.Cold)
    elif group == "http":
        films([4])
        yield cases.http(stack.enter_context(server.near(cases.ROOT)))
    elif group == "delay":
        films([4])
        yield cases.delay(stack.enter_context(server.far(cases.ROOT, DELAY)))
    elif group == "documents":
        documents.pysubs2()
        made(*("document." + name for name in documents.FORMATS))
        yield from documents.cases()
    elif group == "srt":
        made("cues.mkv")
        yield cases.srt()
        yield cases.parsing()
        yield cases.inside()
        made("cues.ass")
        yield cases.ass()
    else:
        made({"mp4": "film.mp4", "ts": "dvb.ts", "captions": "captions.ts", "m2ts": "pgs.m2ts", "sup": "pictures.sup"}[group])
        yield getattr(cases, group)()


def version(program, *options):
    """The name of a program and its version, a word of digits and dots."""
    text = subprocess.run([program, *options], check=True, capture_output=True, text=True).stdout
    found = re.search(r"\d+(\.\d+)+", text)
    return "%s %s" % (os.path.basename(program), found.group() if found else "of unknown version")


def processor():
    """The name of the processor."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"^model name\s*: (.*)", file.read(), re.M)
    return found.group(1) if found else platform.machine()


def environment():
    return {
        "date": datetime.date.today().isoformat(), "processors": os.cpu_count(),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "kernel": platform.release(), "processor": processor(),
        "versions": [version(cases.UNDERTEXT, "--version"), version("ffmpeg", "-version"),
                     version("mkvmerge", "--version")],
    }


def main():
    strict = sys.argv[1:] == ["--strict"]
    if sys.argv[1:] and not strict:
        sys.exit("run.sh: the only option is --strict")
    groups = os.environ.get("CASES", "").replace(",", " ").split() or ALL
    unknown = sorted(set(groups) - set(ALL))
    if unknown:
        sys.exit("CASES: no %s; there are %s" % (" ".join(unknown), " ".join(ALL)))
    sizes = sorted({int(size) for size in os.environ.get("SIZES", "1 4").split()}
                   | ({16} if os.environ.get("BENCH_16") else set()))
    if set(sizes) - {1, 4, 16}:
        sys.exit("SIZES: any of 1 4 16")
    runs = int(os.environ.get("RUNS", 5))
    if not os.access(cases.UNDERTEXT, os.X_OK):
        sys.exit("%s is not there: make release" % cases.UNDERTEXT)

    build_floor()
    everything = {"environment": environment(), "runs": runs, "cases": {}, "goals": []}
    print(tables.heading(everything), flush=True)
    for group in groups:
        if group == "player":
            films([4])
            with server.far(cases.ROOT, DELAY) as distant:
                found = player.figures(cases.film(4), distant)
            everything["player"] = found
            everything["goals"] += [tables.Goal(*goal).as_json() for goal in player.goals(found)]
            print(player.markdown(found), flush=True)
            save(everything)
            continue
        with contextlib.ExitStack() as stack:
            for case in chosen(group, sizes, stack):
                case.add_baseline()
                case.prepare()
                found, others = measure.in_turn(case, case.runs or runs)
                goals = [tables.Goal(*goal(found)) for goal in case.goals]
                everything["cases"][case.name] = {
                    "title": case.title, "note": case.note, "bytes": os.path.getsize(case.path),
                    "runs": case.runs or runs, "busyWithOthers": round(others, 3), "tools": found}
                everything["goals"] += [goal.as_json() for goal in goals]
                print(tables.case(everything["cases"][case.name]), flush=True)
                save(everything)
    print(tables.goals(everything["goals"]))
    if BASELINE:
        print("\n" + tables.against_baseline(everything["cases"]))
    text, worse = compare.against_kept(everything)
    print("\n" + text)
    drawn = chart.draw(everything, cases.ROOT + "/time-against-size.svg")
    if drawn:
        print("\nDrawn: %s" % drawn)
    if worse and strict:
        sys.exit("%d measures are worse than the committed ones" % worse)


def save(everything):
    """Writes the results so far under their name when they are whole."""
    os.makedirs(os.path.dirname(RESULTS), exist_ok=True)
    with open(RESULTS + ".new", "w", encoding="utf-8") as file:
        json.dump(everything, file, indent=2)
        file.write("\n")
    os.replace(RESULTS + ".new", RESULTS)


if __name__ == "__main__":
    main()
