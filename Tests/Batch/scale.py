#!/usr/bin/env python3
"""Measures `batch` with many small files on a local disk: planning, and a run that finds nothing to do.

Without --report-only it fails if one of the limits is exceeded; its figures are those of an idle machine only.
"""
import argparse
import os
import pathlib
import resource
import sys
import tempfile
import time

import library

# Seconds, and bytes of memory.
LIMITS = {"plan": 10, "run that finds nothing to do": 5}
MEMORY = 100_000_000


def measure(title, *words, codes=(0,)):
    """Runs a command; returns its seconds, processor seconds and peak memory."""
    start = time.monotonic()
    log = tempfile.TemporaryFile()
    process = os.posix_spawn(words[0], [str(word) for word in words], os.environ,
                             file_actions=[(os.POSIX_SPAWN_DUP2, log.fileno(), stream) for stream in (1, 2)])
    _, status, usage = os.wait4(process, 0)
    seconds = time.monotonic() - start
    code = os.waitstatus_to_exitcode(status)
    log.seek(0)
    text = log.read().decode().splitlines()
    if code not in codes:
        library.fail(f"exit code {code} of {title}: {text[-5:]}")
    memory = usage.ru_maxrss * 1024
    print(f"{title:30} {seconds:7.2f} s  {usage.ru_utime:7.2f} s user  {usage.ru_stime:7.2f} s system  "
          f"{memory / 1e6:6.1f} MB  {text[-1] if text else ''}", flush=True)
    return title, seconds, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default=library.ROOT / ".build/release/undertext", type=pathlib.Path)
    parser.add_argument("--files", default=100_000, type=int)
    parser.add_argument("--folder", help="a folder on the disk to measure; it is not removed, and used again")
    parser.add_argument("--report-only", action="store_true", help="print the figures, whatever they are")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(options.folder or name)
        media, output, journal = folder / "media", folder / "output", folder / "journal"
        if not media.exists():
            library.make(media, options.files, library.SMALL)
        command = str(options.command.resolve())
        plan = [command, "batch", "plan", media, "--manifest", folder / "plan.jsonl", "--shards", "8", "--force"]
        run = [command, "batch", "run", media, "-o", output, "--journal", journal]
        beside = [command, "batch", "run", media, "--journal", folder / "beside.journal", "--include", "*.mkv",
                  "--include", "*.ass"]
        results = [
            measure("plan", *plan),
            measure("first run", *run, codes=(0, 3)),
            measure("run that finds nothing to do", *run, codes=(0, 3)),
            measure("first run beside media", *beside, codes=(0, 3)),
            measure("run that finds nothing to do", *beside, codes=(0, 3)),
            measure("status", command, "batch", "status", "--journal", journal, codes=(0, 3)),
        ]
    missed = [f"{title}: {seconds:.1f} s" for title, seconds, _ in results if seconds > LIMITS.get(title, seconds)]
    missed += [f"{title}: {memory / 1e6:.0f} MB" for title, _, memory in results if memory > MEMORY]
    if missed and not options.report_only:
        sys.exit("limits exceeded: " + ", ".join(missed))


if __name__ == "__main__":
    main()
