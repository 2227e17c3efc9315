#!/usr/bin/env python3
"""Copies shared libraries of the system with what they need: bundle.py FOLDER LICENSES LIBRARY...

Each copy gets the suffix -undertext in its file name and SONAME, as the FFmpeg of the portable build has, so that it lives
beside another copy in one process. The copies find each other in their own folder. The C library, libstdc++ and libgcc_s
stay those of the system. LICENSES receives the copyright file of each package. Prints source package, version and package of
each library, separated by tabs.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

#: Parts of every system with glibc, which must not be in a process twice.
SYSTEM = re.compile(r"^(ld-linux.*|lib(c|m|dl|pthread|rt|resolv|stdc\+\+|gcc_s))\.so\.\d+$")


def output(*command):
    """Returns the output of a command."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def cached_paths():
    """Returns the path of each library that the loader knows."""
    lines = re.findall(r"^\s*(\S+) \(libc6,x86-64\S*.*\) => (\S+)$", output("/sbin/ldconfig", "-p"), re.M)
    paths = {}
    for name, path in lines:
        paths.setdefault(name, Path(path).resolve())
    return paths


def needed(path):
    """Returns the names of the libraries that a library needs."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-d", str(path)))


def renamed(name):
    """Returns the name of the copy of a library."""
    stem, version = name.split(".so", 1)
    return f"{stem}-undertext.so{version}"


def package(path):
    """Returns the source package, its version and the package of a file."""
    for candidate in (str(path), str(path).removeprefix("/usr")):
        found = subprocess.run(["dpkg", "-S", candidate], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            name = found.stdout.split(": ")[0].split(",")[0]
            fields = output(
                "dpkg-query", "--show", "--showformat=${source:Package}\t${source:Version}\t${Package}", name
            )
            return fields.split("\t")
    sys.exit(f"bundle.py: {path} belongs to no package")


def main():
    """Copies the libraries."""
    folder, licenses = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    licenses.mkdir(parents=True, exist_ok=True)
    paths, waiting, copied, packages = cached_paths(), list(sys.argv[3:]), {}, set()
    while waiting:
        name = waiting.pop()
        if name in copied or SYSTEM.match(name):
            continue
        if name not in paths:
            sys.exit(f"bundle.py: {name} is not installed")
        copied[name] = needed(paths[name])
        waiting += copied[name]
    for name, names in sorted(copied.items()):
        target = folder / renamed(name)
        shutil.copyfile(paths[name], target)
        target.chmod(0o644)
        command = ["patchelf", "--set-soname", target.name, "--set-rpath", "$ORIGIN"]
        for other in names:
            if other in copied:
                command += ["--replace-needed", other, renamed(other)]
        output(*command, str(target))
        packages.add(tuple(package(paths[name])))
    for source, version, binary in sorted(packages):
        shutil.copyfile(f"/usr/share/doc/{binary}/copyright", licenses / f"{binary}.txt")
        print(f"{source}\t{version}\t{binary}")


if __name__ == "__main__":
    main()
