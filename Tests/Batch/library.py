"""Libraries of small files, and what the tests of `batch` compare."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"
# Text, images, an indexed container with both, files without cues, with damage, and one that is no media.
MIX = [
    "subtitles/en.srt", "subtitles/signs.ass", "subtitles/captions.vtt", "containers/movie.webm",
    "subtitles/bitmaps.sup", "containers/unknown-sizes.mkv", "subtitles/sdh.srt", "containers/invalid-utf8.mkv",
    "containers/empty-track.mkv", "containers/movie.mp4", "subtitles/pt-BR.srt", "containers/movie.mkv",
]
# As above, but small text only.
SMALL = [name for name in MIX if not name.endswith((".sup", "movie.mkv", "movie.mp4"))]


def make(folder, count, names, per_folder=100):
    """Makes a library of hard links to copies of fixtures, so that the files have one size and time for each fixture."""
    folder = pathlib.Path(folder)
    store = folder.parent / (folder.name + ".store")
    store.mkdir(parents=True)
    for name in set(names):
        shutil.copyfile(FIXTURES / name, store / name.replace("/", "-"))
    for number in range(count):
        name = names[number % len(names)]
        place = folder / f"{number // per_folder:04}"
        if number % per_folder == 0:
            place.mkdir(parents=True)
        os.link(store / name.replace("/", "-"), place / f"{number:06}{pathlib.Path(name).suffix}")
    return folder


def detach(path):
    """Replaces a hard link by a file of its own, with the time of now."""
    copy = f"{path}.copy"
    shutil.copyfile(path, copy)
    os.replace(copy, path)


def tree(folder):
    """The files below a folder with their bytes, by paths below it."""
    folder = pathlib.Path(folder)
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def expect_equal(one, other):
    """Fails if two folders differ."""
    one, other = tree(one), tree(other)
    different = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    if different or not one:
        fail(f"{len(different)} of {len(one)} files differ: {different[:10]}")


def records(path):
    """The records of a report."""
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def run(*words, codes=(0,), **options):
    """Runs a command, and fails if its code is not one of the expected ones."""
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)
    if result.returncode not in codes:
        fail(f"exit code {result.returncode} of {' '.join(map(str, words))}\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
    return result


def fail(text):
    """Ends the test."""
    sys.exit(f"{os.path.basename(sys.argv[0])}: {text}")
