#!/usr/bin/env python3
"""Compares what the command writes with a list of hashes.

    Scripts/output-hashes.py COMMAND ROOT LIST [--record]

Runs COMMAND on every file below ROOT: each format of text and images, the JSON records on standard output,
the report, and both kinds of probe. LIST has a line for each file: its path, then the exit code and a hash
for each job. What differs is printed, and the exit code is 1. --record writes LIST.

Messages, times of day and versions are masked, and images are compared as inflated pixels, so that neither
the wording nor the version of zlib counts. Everything else does: names, keys, codes, order and bytes.
"""
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

JOBS = {
    "vtt": ["extract", "--format", "vtt,png"],
    "srt": ["extract", "--format", "srt,bdn"],
    "ass": ["extract", "--format", "ass,sup"],
    "ttml": ["extract", "--format", "ttml,vobsub"],
    "json": ["extract", "--format", "json"],
    "native": ["extract", "--format", "native"],
    "scan": ["extract", "--format", "native", "--io", "scan"],
    "source": ["extract", "--format", "jsonl", "--timeline", "source"],
    "stdout": ["extract", "--format", "jsonl", "-o", "-"],
    "probe": ["probe", "--json"],
    "deep": ["probe", "--json", "--deep"],
}
# The values of these keys are messages, or differ from run to run.
# The bytes of an output are in its hash; those of JSON change with the words of a message.
MASKED = {"bytes", "message", "reason", "string", "description", "seconds", "version", "avformat", "requests", "bytesRead"}
# Files that are no input.
SKIPPED = (".png", ".md", ".py", ".sh", ".js", ".rgba", ".html", ".cpp", ".h", ".java")
LIMIT = 60


def masked(value):
    if isinstance(value, dict):
        return {key: "*" if key in MASKED and item is not None else masked(item) for key, item in value.items()}
    return [masked(item) for item in value] if isinstance(value, list) else value


def masked_json(data):
    try:
        return json.dumps(masked(json.loads(data)), ensure_ascii=False).encode()
    except ValueError:
        pass
    lines = []
    for line in data.splitlines():
        try:
            lines.append(json.dumps(masked(json.loads(line)), ensure_ascii=False).encode())
        except ValueError:
            lines.append(line)
    return b"\n".join(lines)


def inflated_png(data):
    """The chunks of a PNG that determine its appearance, with the image data inflated."""
    offset, image, others = 8, b"", []
    while offset + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, offset)
        body = data[offset + 8 : offset + 8 + size]
        if kind == b"IDAT":
            image += body
        else:
            others.append(kind + body)
        offset += 12 + size
    return b"".join(others) + zlib.decompress(image)


def content(path):
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".png"):
        return inflated_png(data)
    if path.endswith((".json", ".jsonl")):
        return masked_json(data)
    return data


def outcome(command, root, file, job):
    """The exit code and the hash of all that a job writes."""
    folder = tempfile.mkdtemp()
    arguments = [command, *JOBS[job]]
    if job in ("probe", "deep"):
        arguments.append(file)
    else:
        report = os.path.join(folder, "report.json")
        arguments += ["--quiet", "--report", report]
        if job != "stdout":
            arguments += ["-o", os.path.join(folder, "out")]
        arguments.append(file)
    try:
        done = subprocess.run(
            arguments, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=LIMIT, check=False)
        code, output = done.returncode, masked_json(done.stdout)
    except subprocess.TimeoutExpired:
        code, output = "late", b""
    total = hashlib.sha256(output)
    for parent, folders, names in sorted(os.walk(folder)):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(parent, name)
            total.update(os.path.relpath(path, folder).encode() + b"\0")
            # The folder of outputs has another name each time.
            total.update(content(path).replace(folder.encode(), b""))
    shutil.rmtree(folder)
    return f"{job}:{code}:{total.hexdigest()[:10]}"


def line(command, root, file):
    return file + "\t" + " ".join(outcome(command, root, file, job) for job in JOBS)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--record"]
    if len(arguments) != 3:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(64)
    command, root, listed = os.path.abspath(arguments[0]), arguments[1], arguments[2]
    files = [
        os.path.relpath(os.path.join(parent, name), root)
        for parent, _, names in os.walk(root) for name in names
        if re.fullmatch(r"[ -~]+", name) and not name.endswith(SKIPPED)
    ]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda file: line(command, root, file), sorted(files)))
    if "--record" in sys.argv:
        with open(listed, "w", encoding="utf-8") as output:
            output.write("\n".join(found) + "\n")
        return
    with open(listed, encoding="utf-8") as file:
        known = dict(entry.rstrip("\n").split("\t") for entry in file)
    differing = 0
    for file, jobs in (entry.split("\t") for entry in found):
        expected = known.pop(file, "").split(" ")
        changed = [job for job in jobs.split(" ") if job not in expected]
        if changed:
            differing += 1
            print(file, *(f"{job} (was {next((e for e in expected if e.split(':')[0] == job.split(':')[0]), 'absent')})" for job in changed))
    for file in known:
        differing += 1
        print(file, "is gone")
    print(f"{len(found)} files, {differing} differ")
    sys.exit(1 if differing else 0)


main()
