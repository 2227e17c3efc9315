#!/usr/bin/env python3
"""Compares the C library with its recorded ABI: Scripts/abi.py [record]

The library is written in Swift, so its debug information does not describe C. A stub with all functions of the
header is compiled instead, and abidiff compares its types with Sources/Libraries/CUndertext/undertext.abi, which
was recorded on x86-64. The compiler checks the library against the header (`@c @implementation`), and a test compares
the exported symbols. Additions are reported and accepted; an incompatible change is an error, and needs a new major
version, which `record` begins.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEADER = os.path.join(ROOT, "Sources/Libraries/CUndertext/undertext.h")
RECORD = os.path.join(ROOT, "Sources/Libraries/CUndertext/undertext.abi")
# The bits of abidiff's exit code.
ERROR, USAGE, INCOMPATIBLE = 1, 2, 8


def prototypes():
    """Returns the declarations of the header's functions, without their semicolons."""
    with open(HEADER, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
    pattern = r"^(?!typedef)[a-z][\w ]*?[ *]+undertext_\w+\([^;{]*\);"
    return [match.group()[:-1] for match in re.finditer(pattern, text, re.MULTILINE)]


def stub(folder, functions):
    """Compiles a library with all functions; they are never called."""
    source, library = os.path.join(folder, "stub.c"), os.path.join(folder, "stub.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <undertext.h>\n")
        for prototype in functions:
            file.write(prototype + " { __builtin_trap(); }\n")
    subprocess.run(
        ["gcc", "-std=c11", "-g", "-O0", "-w", "-fPIC", "-shared", "-Wl,-soname,libundertext.so.0",
         "-I", os.path.dirname(HEADER), "-o", library, source],
        check=True)
    return library


def main():
    functions = prototypes()
    if len(functions) < 50:
        sys.exit(f"abi.py: only {len(functions)} functions were found in {HEADER}")
    with tempfile.TemporaryDirectory() as folder:
        library = stub(folder, functions)
        if sys.argv[1:] == ["record"]:
            subprocess.run(
                ["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs",
                 "--no-elf-needed", "--short-locs", "--out-file", RECORD, library],
                check=True)
            return 0
        result = subprocess.run(
            ["abidiff", "--no-show-locs", RECORD, library], check=False,
            capture_output=True, text=True)
    print(result.stdout, end="")
    print(result.stderr, end="", file=sys.stderr)
    return 1 if result.returncode & (ERROR | USAGE | INCOMPATIBLE) else 0


if __name__ == "__main__":
    sys.exit(main())
