#!/usr/bin/env python3
"""Counts the declared public symbols of `import Undertext`: Scripts/public-api.py [--list] [--if-built]

Reads the modules of the last debug build; exit code 1 if there are too many. With `--if-built`, nothing is counted
unless that build is newer than the sources.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

LIMIT = 300
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODULE = "Undertext"
EXPORT = re.compile(r"^@_exported public import (?:(\w+) )?(\w+)(?:\.(\w+))?$", re.M)


def exports(module):
    """The names that a module exports of others, by module; `None` stands for all of a module."""
    found = collections.defaultdict(set)
    for path in glob.glob(f"{ROOT}/Sources/{module}/**/*.swift", recursive=True):
        with open(path, encoding="utf-8") as file:
            for _, other, name in EXPORT.findall(file.read()):
                found[other].add(name or None)
    return found


def symbols(module, folder):
    """The symbols that a module declares, each with the module whose type it extends, or `None`."""
    triple = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]["unversionedTriple"]
    subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public",
         "-skip-synthesized-members", "-target", triple, "-I", f"{ROOT}/.build/debug/Modules",
         "-I", f"{ROOT}/CFFmpeg", "-I", f"{ROOT}/Sources/Libraries", "-output-dir", folder], check=True)
    for path in sorted(glob.glob(f"{folder}/{module}[.@]*symbols.json")):
        extended = re.search(r"@(\w+)\.symbols", path)
        with open(path, encoding="utf-8") as file:
            # Synthesized members, such as `init(rawValue:)` of an enumeration, have no position in the source.
            yield from ((symbol, extended and extended[1]) for symbol in json.load(file)["symbols"]
                        if "location" in symbol)


def is_built():
    """`True` if the module is newer than the sources that it is made of."""
    module = f"{ROOT}/.build/debug/Modules/{MODULE}.swiftmodule"
    sources = (path for name in (MODULE, *exports(MODULE))
               for path in glob.glob(f"{ROOT}/Sources/{name}/**/*.swift", recursive=True))
    return os.path.exists(module) and all(os.path.getmtime(path) < os.path.getmtime(module) for path in sources)


def main():
    if "--if-built" in sys.argv and not is_built():
        return 0
    visible = []
    with tempfile.TemporaryDirectory() as folder:
        visible += (symbol for symbol, _ in symbols(MODULE, folder))
        for module, names in exports(MODULE).items():
            # Members of standard library types are always visible with the module, regardless of its exports.
            visible += (symbol for symbol, extended in symbols(module, folder)
                        if None in names or symbol["pathComponents"][0] in names
                        or extended and not extended.startswith(MODULE))
    by_type = collections.defaultdict(list)
    for symbol in visible:
        by_type[symbol["pathComponents"][0]].append(".".join(symbol["pathComponents"][1:]))
    if "--list" in sys.argv:
        for name, members in sorted(by_type.items(), key=lambda item: (-len(item[1]), item[0])):
            print(f"{len(members):4} {name}: {' '.join(sorted(filter(None, members)))}")
        print(f"{len(visible):4} of at most {LIMIT - 1}")
    if len(visible) >= LIMIT:
        print(f"import {MODULE} shows {len(visible)} public symbols, {LIMIT} and more are too many: "
              "make `package` what is no product (Scripts/public-api.py --list)")
        return 1
    return 0


sys.exit(main())
