#!/usr/bin/env python3
"""The ratios of results, and how they differ from the committed ones.

    compare.py [RESULTS]        prints the changes; exit code 1 if anything is worse
    compare.py keep [RESULTS]   stores the ratios of the cases that the results have in Documentation/Benchmarks.json, and as
                                a table between the lines <!-- floors --> and <!-- end of floors --> of Documentation/Benchmarks.md

RESULTS is bench-out/results.json by default. Times depend on the machine, so what is kept is the time of undertext divided by
that of another tool, a median of the ratios of each round with its quartiles. Bytes, requests and memory are kept as they are.
"""

import json
import os
import re
import statistics
import sys

import tables
from case import AS_BASELINE, is_floor

DOCUMENTATION = os.path.join(os.path.dirname(__file__), "..", "..", "Documentation")
KEPT = os.path.join(DOCUMENTATION, "Benchmarks.json")
PAGE = os.path.join(DOCUMENTATION, "Benchmarks.md")
LIMIT = 1.05  # times the committed value
BUSY = 0.05  # the share of the processors that other programs may use


def spread(values):
    """The median and the quartiles of values."""
    if len(values) < 2:
        return [values[0]] * 3
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return [middle, low, high]


def own(names):
    """The tool of a case that is compared with the others."""
    ours = [name for name in names if name.startswith("undertext") and not name.endswith(AS_BASELINE)]
    return "undertext" if "undertext" in ours else ours[0] if ours else None


def fastest_floor(found):
    """The name of the fastest floor of a case, if there is one."""
    return min(filter(is_floor, found), key=lambda name: found[name]["seconds"], default=None)


def measures(entry):
    """Names of measures to [median, lower quartile, upper quartile]; less is better."""
    found, name = entry["tools"], own(entry["tools"])
    if not name:
        return {}
    ours, floor, kept = found[name], fastest_floor(found), {}
    for other, result in found.items():
        if other.startswith("undertext") or is_floor(other) and other != floor:
            continue
        kept["time / " + ("floor" if other == floor else other)] = spread(
            [one / two for one, two in zip(ours["allSeconds"], result["allSeconds"])])
    for words, key in (("bytes", "sent" if "sent" in ours else "requested"),
                       ("requests", "answers" if "answers" in ours else "requests")):
        if key in ours:
            kept[words] = [ours[key]] * 3
    kept["peak memory"] = spread(ours["allPeaks"])
    return {words: [float("%.4g" % value) for value in values] for words, values in kept.items()}


def kept_of(everything):
    """What is kept of each case."""
    about = everything["environment"]
    return {name: {"title": entry["title"], "date": about["date"], "processors": about["processors"],
                   "processor": about.get("processor", ""), "versions": about["versions"][1:],
                   "busyWithOthers": 0 if judged_while_busy(entry) else entry["busyWithOthers"],
                   "measures": measures(entry)}
            for name, entry in everything["cases"].items() if own(entry["tools"])}


def judged_while_busy(entry):
    """Returns whether other programs are part of the case: a server is."""
    return any("sent" in result for result in entry["tools"].values())


def changes(old, new):
    """Rows of what was kept and is there now, and the number of regressions.

    A value is worse if it is more than 5 % larger, and its lower quartile exceeds the upper quartile before. Times are not
    judged while other programs use the processors, nor against another version of a tool.
    """
    rows, worse = [], 0
    for name, entry in new.items():
        before = old.get(name)
        if not before:
            rows.append([entry["title"], "", "", "", "", "new"])
            continue
        same_tools = before["versions"] == entry["versions"]
        for words, (value, low, high) in entry["measures"].items():
            if words not in before["measures"]:
                continue
            was, was_low, was_high = before["measures"][words]
            verdict, is_time = "", words.startswith("time")
            if value > was * LIMIT and low > was_high:
                if is_time and entry["busyWithOthers"] > BUSY:
                    verdict = "not judged: other programs ran"
                elif words != "time / floor" and is_time and not same_tools:
                    verdict = "not judged: other versions"
                else:
                    verdict, worse = "**worse**", worse + 1
            elif value * LIMIT < was and high < was_low:
                verdict = "better"
            elif value > was * LIMIT or value * LIMIT < was:
                verdict = "within the noise"
            shown = tables.amount if words in ("bytes", "peak memory") else "{:.4g}".format
            rows.append([entry["title"], words, shown(was), shown(value),
                         "%+.1f %%" % (100 * (value / was - 1) if was else 0), verdict])
    return rows, worse


def against_kept(everything):
    """A section of Markdown, and the number of regressions."""
    if not os.path.exists(KEPT):
        return "## Against the committed results\n\nThere are none.", 0
    with open(KEPT, encoding="utf-8") as file:
        old = json.load(file)["cases"]
    new = kept_of(everything)
    rows, worse = changes(old, new)
    text = "## Against the committed results\n\n"
    others = {old[name]["processor"] for name in new if name in old} - {entry["processor"] for entry in new.values()}
    if others:
        text += "The committed results are from another machine: %s.\n\n" % ", ".join(sorted(others))
    return text + tables.rows(["case", "measure", "committed", "now", "change", ""], rows), worse


def keep(everything):
    """Stores the ratios; cases that the results do not have stay."""
    cases = {}
    if os.path.exists(KEPT):
        with open(KEPT, encoding="utf-8") as file:
            cases = json.load(file)["cases"]
    cases.update(kept_of(everything))
    lines = ",\n".join("    %s: %s" % (json.dumps(name), re.sub(
        r'("(?:measures|title)"|"[^"]*": \[)', lambda found: "\n      " + found.group(), json.dumps(cases[name], ensure_ascii=False)))
        for name in cases)
    with open(KEPT, "w", encoding="utf-8") as file:
        file.write('{\n  "cases": {\n%s\n  }\n}\n' % lines)
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    new = "<!-- floors -->\n%s\n<!-- end of floors -->" % table(cases)
    text, found = re.subn(r"<!-- floors -->.*?<!-- end of floors -->", lambda _: new, text, flags=re.S)
    if not found:
        sys.exit("%s has no line <!-- floors -->" % PAGE)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)


def table(cases):
    """What is kept, for people."""
    body = []
    for entry in cases.values():
        found = entry["measures"]
        if "time / floor" not in found:
            continue
        others = "; ".join("%s %.2g" % (words[len("time / "):], values[0]) for words, values in found.items()
                           if words.startswith("time / ") and words != "time / floor")
        body.append([entry["title"], "%.1f (%.1f to %.1f)" % tuple(found["time / floor"]), others,
                     tables.amount(found["bytes"][0]) if "bytes" in found else "",
                     "%d" % found["requests"][0] if "requests" in found else "", tables.amount(found["peak memory"][0])])
    return tables.rows(["case", "time / floor (quartiles)", "time / others", "read", "requests", "peak memory"], body)


def main():
    arguments = sys.argv[1:]
    keeping = arguments[:1] == ["keep"]
    path = (arguments[keeping:] + ["bench-out/results.json"])[0]
    with open(path, encoding="utf-8") as file:
        everything = json.load(file)
    if keeping:
        keep(everything)
        return
    text, worse = against_kept(everything)
    print(text)
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
