#!/usr/bin/env python3
"""Prints the throughput of `batch run`: batch.py [FILES] [RUNS]

A library of small mixed files is extracted by `batch run` with one job and with two, by one `extract` process with all files, which
has neither journal nor search, and by a loop of ffmpeg processes. Each run starts without outputs and journal; the tools run
in turn after one round to warm up. The difference between one job and `extract` is the overhead of the journal and the search.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Batch"))
import library  # pylint: disable=wrong-import-position

UNDERTEXT = os.path.abspath(os.environ.get("UNDERTEXT", library.ROOT / ".build/release/undertext"))
IMAGES = ("hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle")


def ffmpeg_lines(paths, folder):
    """A command for each file: text is converted to WebVTT, images are copied; `None` for files without subtitles."""
    made = {}
    for path in paths:
        # Hard links of a fixture have the same streams.
        key = path.stat().st_ino
        if key not in made:
            text = subprocess.run(["ffprobe", "-v", "quiet", "-of", "json", "-show_entries", "stream=index,codec_name",
                                   "-select_streams", "s", path], capture_output=True, check=False).stdout
            made[key] = json.loads(text or "{}").get("streams", [])
        outputs = []
        for stream in made[key]:
            name = f"{folder}/{path.stem}.{stream['index']}"
            kind = [f"{name}.sup", "-c:s", "copy"] if stream["codec_name"] in IMAGES else [f"{name}.vtt"]
            outputs += ["-map", f"0:{stream['index']}", *kind[1:], kind[0]]
        yield ["ffmpeg", "-nostdin", "-v", "quiet", "-y", "-i", str(path), *outputs] if outputs else None


def measure(commands):
    """Seconds, and seconds of processors, for commands one after another."""
    before, start = os.times(), time.monotonic()
    for command in commands:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = os.times()
    return time.monotonic() - start, sum(after[2:4]) - sum(before[2:4])


def main(files=1000, runs=5):
    files, runs = int(files), int(runs)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        media = library.make(folder / "media", files, library.MIX)
        paths = sorted(path for path in media.rglob("*") if path.is_file())
        state = folder / "state"

        def batch(jobs):
            return [[UNDERTEXT, "batch", "run", media, "-o", state / "output", "--journal", state / "journal", "-j", str(jobs)]]

        tools = {
            "batch run -j 1": batch(1), "batch run -j 2": batch(2),
            "extract": [[UNDERTEXT, "extract", "-q", "-o", f"{state}/output/", *paths]],
            "ffmpeg": [line for line in ffmpeg_lines(paths, state / "output") if line],
        }
        found = {title: [] for title in tools}
        for number in range(runs + 1):
            for title, commands in tools.items():
                (state / "output").mkdir(parents=True)
                result = measure(commands)
                if not any((state / "output").iterdir()):
                    sys.exit(f"{title} wrote nothing")
                if number:
                    found[title].append(result)
                # Outputs are deleted at the end: ext4 does not use an inode again for some time after its deletion, and the
                # search for another one would take longer than everything else.
                state.rename(folder / f"{title} {number}")
    medians = {title: [statistics.median(one) for one in zip(*results)] for title, results in found.items()}
    one, two = medians["batch run -j 1"], medians["batch run -j 2"]
    print(f"{files} files, {runs} runs\n\n| tool | time | user and system time |\n| --- | --- | --- |")
    for title, (seconds, processor) in medians.items():
        print(f"| {title} | {seconds:.3f} s | {processor:.3f} s |")
    extract, ffmpeg = medians["extract"], medians["ffmpeg"]
    print(f"\nTwo jobs: {one[0] / two[0]:.2f} × one job (goal: 1.7)")
    print(f"Overhead: {(one[0] - extract[0]) / files * 1000:.3f} ms for each file (goal: 1), "
          f"{(one[1] - extract[1]) / files * 1000:.3f} ms of processors")
    print(f"A loop of ffmpeg processes: {ffmpeg[0] / one[0]:.1f} × one job, {ffmpeg[0] / two[0]:.1f} × two jobs")


if __name__ == "__main__":
    main(*sys.argv[1:])
