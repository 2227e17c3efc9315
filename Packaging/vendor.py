#!/usr/bin/env python3
"""Builds without a network: puts the sources of all Swift packages into one folder, and makes SwiftPM use them.

  Packaging/vendor.py collect BUILD FOLDER   copies the checkouts of a build folder (.build) that was resolved
  Packaging/vendor.py use FOLDER             makes a repository of each copy, and names them as SwiftPM's mirrors

`collect` leaves out tests, benchmarks and documentation. `packages.json` in FOLDER has the version and the addresses of
each package. `use` writes repositories with one commit each into FOLDER, and .swiftpm/configuration/mirrors.json.
"""
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEFT_OUT = {".git", ".github", ".swiftpm", ".build", "Tests", "Benchmarks", "IntegrationTests", "Examples", "Snippets",
            "dev", "docker", "docs", "fuzz", "FuzzTesting", "_site", "Performance"}
ADDRESS = re.compile(r'url:\s*"([^"]+)"')


def name(address):
    """The identity of a package, as SwiftPM forms it."""
    return re.sub(r"\.git$", "", address.rstrip("/").rsplit("/", 1)[-1]).lower()


def manifests(folder):
    for file in sorted(os.listdir(folder)):
        if re.fullmatch(r"Package(@swift-.*)?\.swift", file):
            with open(os.path.join(folder, file), encoding="utf-8") as manifest:
                yield manifest.read()


def collect(build, folder):
    with open(os.path.join(build, "workspace-state.json"), encoding="utf-8") as file:
        state = json.load(file)["object"]["dependencies"]
    packages, addresses = {}, {}
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for entry in state:
        location, version = entry["packageRef"]["location"], entry["state"]["checkoutState"]["version"]
        source = os.path.join(build, "checkouts", entry["subpath"])
        packages[name(location)] = {"version": version, "folder": entry["subpath"], "addresses": [location]}

        def ignored(path, files, source=source):
            if path == source:
                return [f for f in files if f in LEFT_OUT]
            return [f for f in files if f.endswith(".docc") or f == ".git"]

        shutil.copytree(source, os.path.join(folder, entry["subpath"]), symlinks=True, ignore=ignored)
        for text in manifests(source):
            for address in ADDRESS.findall(text):
                addresses.setdefault(name(address), set()).add(address)
    for text in manifests(ROOT):
        for address in ADDRESS.findall(text):
            addresses.setdefault(name(address), set()).add(address)
    for identity, package in packages.items():
        package["addresses"] = sorted(addresses.get(identity, set()) | set(package["addresses"]))
    with open(os.path.join(folder, "packages.json"), "w", encoding="utf-8") as file:
        json.dump(packages, file, indent=2, sort_keys=True)
        file.write("\n")


def use(folder):
    folder = os.path.abspath(folder)
    with open(os.path.join(folder, "packages.json"), encoding="utf-8") as file:
        packages = json.load(file)
    date = "1970-01-01T00:00:00Z"
    environment = {
        **os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "vendor", "GIT_AUTHOR_EMAIL": "vendor", "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": "vendor", "GIT_COMMITTER_EMAIL": "vendor", "GIT_COMMITTER_DATE": date,
    }
    mirrors = []
    for package in packages.values():
        source = os.path.join(folder, package["folder"])
        repository = os.path.join(folder, "repositories", package["folder"])
        if not os.path.exists(repository):
            os.makedirs(repository)

            def git(*arguments, repository=repository, source=source):
                subprocess.run(
                    ["git", f"--git-dir={repository}", f"--work-tree={source}", *arguments],
                    check=True, env=environment, stdout=subprocess.DEVNULL)

            git("init", "--quiet", "--initial-branch=main")
            git("add", "--all", "--force", ".")
            git("commit", "--quiet", "--message", package["version"])
            git("tag", package["version"])
            git("config", "core.bare", "true")
        mirrors += [{"original": a, "mirror": "file://" + repository} for a in package["addresses"]]
    configuration = os.path.join(ROOT, ".swiftpm", "configuration")
    os.makedirs(configuration, exist_ok=True)
    with open(os.path.join(configuration, "mirrors.json"), "w", encoding="utf-8") as file:
        json.dump({"version": 1, "object": mirrors}, file, indent=2)


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "collect":
        collect(sys.argv[2], sys.argv[3])
    elif len(sys.argv) == 3 and sys.argv[1] == "use":
        use(sys.argv[2])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
