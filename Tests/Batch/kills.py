#!/usr/bin/env python3
"""Kills `batch run` at random moments, and checks the journal after each of them and all outputs at the end.

Files change all the time, so that outputs, image folders among them, are also replaced when the run dies.
"""
import argparse
import contextlib
import pathlib
import random
import shutil
import sqlite3
import subprocess
import tempfile
import time

import library


def check(journal, scratch):
    """Fails if a journal is damaged, or if it has results without their outputs; returns the number of results."""
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    # A copy: reading the journal would also recover it.
    for ending in ("", "-wal"):
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(f"{journal}{ending}", scratch / f"copy{ending}")
    with contextlib.closing(sqlite3.connect(scratch / "copy")) as database:
        result = database.execute("PRAGMA integrity_check").fetchone()[0]
        if result != "ok":
            library.fail(f"the journal is damaged: {result}")
        if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'outputs'").fetchone():
            return 0
        rows = database.execute(
            "SELECT outputs.path, outputs.size FROM inputs JOIN outputs ON outputs.input = inputs.id"
            " WHERE inputs.state = 'done' AND is_current").fetchall()
        for path, size in rows:
            path = pathlib.Path(path.decode())
            if size is None or not path.exists() or path.is_file() and path.stat().st_size != size:
                library.fail(f"the journal has an output of {size} bytes that is not there: {path}")
        return database.execute("SELECT count(*) FROM inputs WHERE state = 'done'").fetchone()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default=library.ROOT / ".build/release/undertext", type=pathlib.Path)
    parser.add_argument("--files", default=1000, type=int)
    parser.add_argument("--kills", default=200, type=int)
    parser.add_argument("--seed", default=random.randrange(1 << 32), type=int)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        media = library.make(folder / "media", options.files, library.MIX)
        single, output, journal = folder / "single", folder / "output", folder / "state/journal"
        words = [options.command, "batch", "run", media, "-j", "3"]
        start = time.monotonic()
        whole = library.run(*words, "-o", single, "--journal", folder / "single.journal", codes=(0, 3))
        duration = time.monotonic() - start
        paths = sorted(path for path in media.rglob("*") if path.is_file())
        words += ["-o", output, "--journal", journal]
        kills = results = 0
        while kills < options.kills:
            for path in chance.sample(paths, options.files // 20):
                library.detach(path)
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                # Some while the journal is opened or outputs are begun, most during the work.
                process.wait(chance.choice([0.05, duration / 20, duration / 5]) * chance.random())
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
            if journal.exists():
                results = check(journal, folder / "check")
        last = library.run(*words, "--retry", "failed", codes=(whole.returncode,))
        check(journal, folder / "check")
        again = library.run(*words, codes=(0,))
        if again.stderr != f"{options.files} unchanged\n":
            library.fail(f"the last run found work: {again.stderr}")
        library.expect_equal(single, output)
    print(f"{kills} kills, {results} of {options.files} files done before the last run ({last.stderr.splitlines()[-1]}), "
          f"{time.monotonic() - began:.0f} s, seed {options.seed}: the journal was consistent, all outputs are equal")


if __name__ == "__main__":
    main()
