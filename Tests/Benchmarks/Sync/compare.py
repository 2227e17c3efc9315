"""Runs aligners on the pairs of pairs.py and prints a table for each measure: compare.py FOLDER RESULTS TOOL…

TOOL is undertext, ffsubsync, ffsubsync-split or ffsubsync-gss; UNDERTEXT and FFSUBSYNC name the programs, PAIRS is a
regular expression for the names of pairs. RESULTS is a JSON file; results of earlier runs stay in it, so that tools may run
one after the other. A cue is right if it starts within
100 ms (500 ms) of its right time. Times are user and system time of the process, which depend less than wall time on
what else the machine does.
"""

import json
import os
import re
import subprocess
import sys

UNDERTEXT = os.environ.get("UNDERTEXT", ".build/release/undertext")
FFSUBSYNC = os.environ.get("FFSUBSYNC", "ffsubsync")
# The offsets of the pairs are up to 120 s at the rate of the reference; 29.97/23.976 of that is 150 s.
OURS = ["{ref}", "-i", "{sub}", "-o", "{out}", "--max-offset-seconds", "160"]
TOOLS = {
    "undertext": lambda: [UNDERTEXT, "sync", "--quiet", "{sub}", "--to", "{ref}", "-o", "{out}", "--force"],
    "ffsubsync": lambda: [FFSUBSYNC] + OURS,
    "ffsubsync-split": lambda: [FFSUBSYNC] + OURS + ["--split-penalty"],
    "ffsubsync-gss": lambda: [FFSUBSYNC] + OURS + ["--gss"],
}
ORDER = ["offset", "ratio", "breaks", "missing", "language", "noise", "all", "unrelated"]
CUE = re.compile(r"(-?\d+):(\d+):(\d+),(\d+) --> .*\ncue (\d+)")


def run(command):
    """The exit code, processor seconds and peak KiB of a command."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def starts(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = {}
    for h, m, s, ms, number in CUE.findall(text):
        found[int(number)] = ((int(h) * 60 + int(m)) * 60 + int(s)) * 1000 + int(ms)
    return found


def measure(tool, folder, name, out):
    with open(os.path.join(folder, name + ".json")) as file:
        facts = json.load(file)
    if os.path.exists(out):
        os.remove(out)
    names = {"sub": os.path.join(folder, name + ".sub.srt"), "ref": os.path.join(folder, name + ".ref.srt"), "out": out}
    code, seconds, memory = run([word.format(**names) for word in TOOLS[tool]()])
    row = {"class": facts["class"], "code": code, "seconds": seconds, "memory": memory, "written": os.path.exists(out)}
    if facts["truth"] is not None:
        found = starts(out) if row["written"] else {}
        wanted = [(number, time) for number, time in enumerate(facts["truth"]) if time is not None and time >= 0]
        errors = [abs(found.get(number, 1 << 60) - time) for number, time in wanted]
        row["within100"] = sum(error <= 100 for error in errors) / len(errors)
        row["within500"] = sum(error <= 500 for error in errors) / len(errors)
    return row


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def table(results):
    tools = list(results)
    classes = list(dict.fromkeys(row["class"] for tool in tools for row in results[tool].values()))
    head = "| class | pairs | " + " | ".join(tools) + " |"
    line = "| --- " * (2 + len(tools)) + "|"
    for title, value in (
        ("Share of cues within 100 ms, percent", lambda rows: "%.1f" % (100 * mean(r["within100"] for r in rows))),
        ("Share of cues within 500 ms, percent", lambda rows: "%.1f" % (100 * mean(r["within500"] for r in rows))),
        ("Processor time per pair, seconds", lambda rows: "%.3f" % mean(r["seconds"] for r in rows)),
        ("Peak memory, MiB", lambda rows: "%.0f" % (max(r["memory"] for r in rows) / 1024)),
        ("Pairs with an output", lambda rows: "%d" % sum(r["written"] for r in rows)),
    ):
        print("\n%s\n\n%s\n%s" % (title, head, line))
        for kind in sorted(classes, key=ORDER.index):
            rows = {tool: [r for r in results[tool].values() if r["class"] == kind] for tool in tools}
            if title.startswith("Share") and kind == "unrelated":
                continue
            print("| %s | %d | %s |" % (kind, max(len(r) for r in rows.values()),
                                       " | ".join(value(rows[tool]) if rows[tool] else "–" for tool in tools)))


def main(folder, path, tools):
    results = {}
    if os.path.exists(path):
        with open(path) as file:
            results = json.load(file)
    names = sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".json"))
    names = [name for name in names if re.search(os.environ.get("PAIRS", ""), name)]
    for tool in tools:
        results[tool] = {name: measure(tool, folder, name, os.path.join(folder, "out.%s.srt" % tool)) for name in names}
        with open(path, "w") as file:
            json.dump(results, file)
    table(results)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
