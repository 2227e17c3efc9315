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


def fill(path):
    """Reads a file until it stays in the page cache; the share that does.

    A file that needs most of the memory first pushes out its neighbors, which are other inputs.
    """
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if os.path.getsize(path) > memory / 3:
        for other in os.scandir(os.path.dirname(path)):
            if other.is_file() and not os.path.samefile(other.path, path):
                forget(other.path)
    for _ in range(4):
        read(path)
        if resident(path) > 0.99:
            break
    return resident(path)


def forget(path):
    """Asks for the pages of one file to be evicted."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def libraries(program):
    """A program and the libraries it is linked with."""
    path = shutil.which(program)
    found = subprocess.run(["ldd", path], check=False, capture_output=True, text=True).stdout
    return [path] + [word for word in found.split() if word.startswith("/")]


def evict(path, programs):
    """Removes a file from the page cache; the programs stay in it with every method."""
    forget(path)
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
