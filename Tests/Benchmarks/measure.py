#!/usr/bin/env python3
"""Runs tools in turn and prints a Markdown table of what each took.

    measure.py [--runs N] --tool NAME 'COMMAND ARGUMENTS' [--tool NAME COMMAND]...

Ratios are relative to the first tool. Wall time is the median. Bytes are what the process asked of
read(2) and its kin (rchar of /proc/PID/io), programs and libraries included, page cache or not.
"""

import argparse
import os
import shlex
import statistics
import sys
import tempfile
import time


def once(command):
    """Seconds, bytes read and peak memory in KiB of one run."""
    with tempfile.NamedTemporaryFile("r") as peak:
        # A child's peak starts at that of the process that forked it: let a small one do it.
        # GNU time also waits for its child, and so takes over the child's account of bytes.
        argv = ["/usr/bin/time", "--format=%M", "--output=" + peak.name, *command]
        with open(os.devnull, "r+b") as null:
            streams = [(os.POSIX_SPAWN_DUP2, null.fileno(), number) for number in (0, 1, 2)]
            start = time.monotonic()
            process = os.posix_spawn(argv[0], argv, os.environ, file_actions=streams)
        os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
        seconds = time.monotonic() - start
        with open("/proc/%d/io" % process, encoding="ascii") as file:
            read = int(file.readline().split()[1])
        _, status = os.waitpid(process, 0)
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            sys.exit("exit code %d: %s" % (code, shlex.join(command)))
        return seconds, read, int(peak.read().split()[-1])


def amount(count):
    """A number of bytes for people."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return "%.3g %s" % (count / size, unit)
    return "%d B" % count


def duration(seconds):
    """Seconds for people."""
    return "%.2f s" % seconds if seconds >= 1 else "%.1f ms" % (seconds * 1000)


def main():
    parser = argparse.ArgumentParser(description="Compares tools.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--tool", nargs=2, action="append", required=True)
    given = parser.parse_args()
    tools = [(name, shlex.split(command)) for name, command in given.tool]
    results = {name: [] for name, _ in tools}
    for number in range(given.runs + 1):
        for name, command in tools:
            result = once(command)
            if number:  # the first round only warms the caches
                results[name].append(result)
    print("| tool | time | ratio | bytes read | peak memory |")
    print("| --- | ---: | ---: | ---: | ---: |")
    first = None
    for name, _ in tools:
        seconds = statistics.median(run[0] for run in results[name])
        read = statistics.median(run[1] for run in results[name])
        memory = max(run[2] for run in results[name]) * 1024
        first = first or seconds
        print("| %s | %s | %.1f | %s | %s |" % (
            name, duration(seconds), seconds / first, amount(read), amount(memory)))


if __name__ == "__main__":
    main()
