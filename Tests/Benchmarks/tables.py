#!/usr/bin/env python3
"""Results as Markdown.

    tables.py page [RESULTS [FILE]]

writes a summary of the results (bench-out/results.json) between the lines
<!-- figures --> and <!-- end of figures --> of a file
(Documentation/Benchmarks.md).
"""

import json
import re
import sys

from case import AS_BASELINE, is_floor


class Goal:
    """A figure and the limit it is to keep."""

    def __init__(self, words, figure, limit, at_most):
        self.words, self.figure, self.limit, self.at_most = words, figure, limit, at_most

    def as_json(self):
        reached = self.figure <= self.limit if self.at_most else self.figure >= self.limit
        return {"goal": self.words, "figure": self.figure, "atMost": self.at_most, "limit": self.limit,
                "reached": reached}


def amount(count):
    """A number of bytes for people."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return "%.3g %s" % (count / size, unit)
    return "%d B" % count


def duration(seconds):
    """Seconds for people."""
    return "%.2f s" % seconds if seconds >= 1 else "%.1f ms" % (seconds * 1000)


def rows(head, body):
    """A table; the first column is left-aligned."""
    lines = ["| %s |" % " | ".join(head), "| --- |%s" % (" ---: |" * (len(head) - 1))]
    return "\n".join(lines + ["| %s |" % " | ".join(row) for row in body])


def heading(everything):
    about = everything["environment"]
    return "# Benchmarks\n\n%s; %d processors, %s of memory, Linux %s; %s. Medians of %d runs in turn.\n" % (
        about["date"], about["processors"], amount(about["memory"]), about["kernel"],
        ", ".join(about["versions"]), everything["runs"])


def floor_of(tools):
    """The seconds of the fastest floor among tools, or None."""
    return min((result["seconds"] for name, result in tools.items() if is_floor(name)), default=None)


def case(entry):
    """A section for one case."""
    tools = entry["tools"]
    served = any("sent" in result for result in tools.values())
    head = ["tool", "time", "ratio", "bytes read", "reads", "peak memory"]
    if served:
        head[3:5] = ["bytes sent", "responses"]
    head += ["path", "asked of the input", "requests"] * any("path" in result for result in tools.values())
    first = next(iter(tools.values()))["seconds"]
    floor = floor_of(tools)
    if floor:
        head.insert(3, "× floor")
    body = []
    for name, result in tools.items():
        row = [name, duration(result["seconds"]), "%.1f" % (result["seconds"] / first),
               *(["%.1f" % (result["seconds"] / floor)] if floor else []), amount(result["sent" if served else "bytesRead"]),
               "%d" % result["answers" if served else "reads"], amount(result["peakMemory"])]
        if "path" in result:
            row += [result["path"], amount(result["requested"]), "%d" % result["requests"]]
        body.append(row + [""] * (len(head) - len(row)))
    # A server and the kernel's work for it are not child processes.
    others = entry["busyWithOthers"]
    noisy = " **Others used %.0f %% of the processors: the times are noisy.**" % (others * 100) if (
        others > 0.05 and not served) else ""
    return "## %s\n\n%s, %s; %d runs.%s\n\n%s\n" % (
        entry["title"], amount(entry["bytes"]), entry["note"], entry["runs"], noisy, rows(head, body))


def goals(entries):
    body = [[goal["goal"], "%s %g" % ("≤" if goal["atMost"] else "≥", goal["limit"]),
             "%.3g" % goal["figure"], "yes" if goal["reached"] else "**no**"] for goal in entries]
    return "## What is to be reached\n\n" + rows(["goal", "limit", "found", "reached"], body)


def against_baseline(cases):
    """Ours against the build BASELINE: time and peak memory."""
    body = []
    for entry in cases.values():
        for name, result in entry["tools"].items():
            before = entry["tools"].get(name + AS_BASELINE)
            if before:
                body.append([entry["title"], name, duration(before["seconds"]), duration(result["seconds"]),
                             "%.3f" % (result["seconds"] / before["seconds"]),
                             amount(before["peakMemory"]), amount(result["peakMemory"])])
    return "## Against the baseline\n\n" + rows(
        ["case", "command", "time before", "now", "ratio", "peak memory before", "now"], body)


def summary(everything):
    """One line a case: what undertext took, how much longer the others did, and how much longer it took than the floor."""
    body = []
    for entry in everything["cases"].values():
        tools = list(entry["tools"].items())
        name, own = tools[0]
        if name != "undertext" or "path" not in own:
            continue
        note = entry["note"].split(",")[0].split(" (")[0]
        others = "; ".join("%s %s (%.1f×)" % (name, duration(result["seconds"]),
                                              result["seconds"] / own["seconds"])
                           for name, result in tools[1:] if not name.startswith("undertext") and not is_floor(name))
        floor = floor_of(entry["tools"])
        least = "%s (%.1f×)" % (duration(floor), own["seconds"] / floor) if floor else ""
        title = entry["title"] + ("" if note in entry["title"] else ", " + note)
        body.append([title, duration(own["seconds"]), others, least, amount(own.get("sent", own["requested"])),
                     amount(entry["bytes"]), amount(own["peakMemory"])])
    return rows(["case", "undertext", "others", "floor", "read", "of", "peak memory"], body)


def main():
    if len(sys.argv) < 2 or sys.argv[1] != "page":
        sys.exit(__doc__)
    defaults = ["bench-out/results.json", "Documentation/Benchmarks.md"]
    results, target = (sys.argv[2:] + defaults[len(sys.argv) - 2:])[:2]
    with open(results, encoding="utf-8") as file:
        everything = json.load(file)
    with open(target, encoding="utf-8") as file:
        text = file.read()
    about = everything["environment"]
    new = "<!-- figures -->\n%d processors, Linux %s, %s; medians of %d runs in turn (%s).\n\n%s\n%s" % (
        about["processors"], about["kernel"].split("-")[0], ", ".join(about["versions"]), everything["runs"],
        about["date"], summary(everything), "<!-- end of figures -->")
    text, found = re.subn(r"<!-- figures -->.*?<!-- end of figures -->", lambda _: new, text, flags=re.S)
    if not found:
        sys.exit("%s has no line <!-- figures -->" % target)
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
