"""The page cache: a file brought into it, or out of it."""

import os
import shutil
import subprocess
import sys

DROP = "/proc/sys/vm/drop_caches"


def method():
    """How files are evicted here: 'drop' all caches, or only the pages of the 'file'."""
    return os.environ.get("EVICT") or ("drop" if os.access(DROP, os.W_OK) else "file")


def read(path):
    """Reads a file and forgets it."""
    with open(path, "rb", buffering=0) as file:
        buffer = bytearray(1 << 22)
        while file.readinto(buffer):
            pass


def resident(path):
    """The share of a file that is in the page cache."""
    found = subprocess.run(
        ["fincore", "--bytes", "--noheadings", "--output", "RES,SIZE", path],
        check=True, capture_output=True, text=True).stdout.split()
    return int(found[0]) / max(1, int(found[1]))


def libraries(program):
    """A program and the libraries it is linked with."""
    path = shutil.which(program)
    found = subprocess.run(["ldd", path], check=False, capture_output=True, text=True).stdout
    return [path] + [word for word in found.split() if word.startswith("/")]


def evict(path, programs):
    """Takes a file out of the page cache; the programs stay in it, whatever the method."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        if method() == "file":
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    if method() == "drop":
        os.sync()
        with open(DROP, "w", encoding="ascii") as file:
            file.write("3")
        for library in {name for program in programs for name in libraries(program)}:
            read(library)
    left = resident(path)
    if left > 0.001:
        sys.exit("%s: %.1f %% of it stay in the page cache; EVICT=file or drop may do better" % (
            path, left * 100))
