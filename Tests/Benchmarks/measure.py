"""Runs commands and takes down what each took."""

import json
import os
import shlex
import statistics
import sys
import tempfile
import time

import content
from case import FLOOR


def once(command, output=os.devnull):
    """One run: seconds, bytes and calls of read(2) and its kin, peak memory in bytes.

    Bytes are what the process asked for (rchar of /proc/PID/io), programs and libraries included, page
    cache or not. Standard output goes to the file `output`.
    """
    with tempfile.NamedTemporaryFile("r") as account:
        # A child's peak starts at that of the process that forked it: let a small one do it.
        argv = [FLOOR, "run", account.name, *command]
        with open(os.devnull, "r+b") as null, open(output, "wb") as file:
            streams = [(os.POSIX_SPAWN_DUP2, null.fileno(), 0),
                       (os.POSIX_SPAWN_DUP2, file.fileno(), 1),
                       (os.POSIX_SPAWN_DUP2, null.fileno(), 2)]
            process = os.posix_spawn(argv[0], argv, os.environ, file_actions=streams)
        _, status = os.waitpid(process, 0)
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            sys.exit("exit code %d: %s" % (code, shlex.join(command)))
        seconds, peak, read, calls = account.read().split()
        return {"seconds": float(seconds), "bytesRead": int(read), "reads": int(calls), "peakMemory": int(peak)}


class Others:
    """How much of the processors was busy with something else than this program and what it ran."""

    def __init__(self):
        self.start = self._now()

    @staticmethod
    def _now():
        with open("/proc/stat", encoding="ascii") as file:
            user, nice, system, _, _, interrupts, soft = map(int, file.readline().split()[1:8])
        busy = (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")
        own = os.times()
        return busy - sum(own[:4]), time.monotonic()

    def share(self):
        """From 0 to 1."""
        busy, at = self._now()
        return max(0, busy - self.start[0]) / max(1e-3, at - self.start[1]) / os.cpu_count()


def in_turn(case, runs):
    """Runs the tools of a case in turn; the results, by the names of the tools, and the share of others.

    The first round warms up and is checked in full. Later ones start without outputs too, and have to
    leave the same.
    """
    found = {tool.name: [] for tool in case.tools}
    wanted = {}
    for number in range(runs + 1):
        for tool in case.tools:
            content.empty(tool.folder)
            for folder in tool.folders:
                os.makedirs(os.path.join(tool.folder, folder))
            case.before(tool)
            result = once(tool.command, tool.output)
            result.update(case.after(tool))
            if tool.report:
                result.update(reported(tool.report))
            if number:
                found[tool.name].append(result)
            written = content.digest(tool.folder)
            if wanted.setdefault(tool.name, written) != written:
                sys.exit("%s, %s: another output in run %d" % (case.name, tool.name, number))
        if number == 0:
            case.check()
            others = Others()
    return {name: summary(results) for name, results in found.items()}, others.share()


def reported(path):
    """What undertext's report says of how it read."""
    with open(path, encoding="utf-8") as file:
        io = json.load(file)["inputs"][0]["io"]
    return {"path": io["path"], "requested": io["bytesRead"], "requests": io["requests"]}


def summary(results):
    """Medians of the runs, the largest peak, and all the times."""
    found = {}
    for key in results[0]:
        values = [result[key] for result in results]
        if key == "path":
            found[key] = "/".join(sorted(set(values)))
        else:
            found[key] = max(values) if key == "peakMemory" else statistics.median(values)
    found["allSeconds"] = [round(result["seconds"], 6) for result in results]
    found["allPeaks"] = [result["peakMemory"] for result in results]
    return found
