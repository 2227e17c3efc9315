"""What tools wrote, compared by content: a benchmark of wrong results is worthless.

Names differ between tools, so tracks are compared by what they hold: .sup byte for byte but for the
decoding times, texts cue by cue.
"""

import hashlib
import json
import os
import re
import shutil
import struct
import sys


def empty(folder):
    """An empty folder of that name."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)


def files(folder):
    """Every file in a folder and below, in order."""
    return sorted(os.path.join(path, name) for path, _, names in os.walk(folder) for name in names)


def digest_of(path):
    """One value for what a file holds."""
    with open(path, "rb") as file:
        return hashlib.blake2b(file.read()).hexdigest()


def digest(folder):
    """Names and values of everything in a folder."""
    return [(path, digest_of(path)) for path in files(folder)]


def milliseconds(stamp):
    """HH:MM:SS,mmm, the hours left out at will and '.' for ',', as WebVTT has it."""
    *larger, seconds = stamp.replace(",", ".").split(":")
    hours, minutes = ([0, 0] + [int(part) for part in larger])[-2:]
    return (hours * 60 + minutes) * 60000 + round(float(seconds) * 1000)


def cues(path):
    """Times and lines of each cue of an .srt or .vtt."""
    with open(path, encoding="utf-8-sig") as file:
        blocks = file.read().replace("\r\n", "\n").strip().split("\n\n")
    found = []
    for block in blocks:
        lines = block.split("\n")
        at = next((at for at, line in enumerate(lines) if " --> " in line), None)
        if at is not None:
            start, _, end = lines[at].split()[:3]
            found.append((milliseconds(start), milliseconds(end), *lines[at + 1:]))
    return tuple(found)


def segments(path):
    """The segments of a .sup without their decoding times."""
    with open(path, "rb") as file:
        data = file.read()
    found, at = [], 0
    while at < len(data):
        end = at + 13 + struct.unpack(">H", data[at + 11:at + 13])[0]
        found.append(data[at + 2:at + 6] + data[at + 10:end])
        at = end
    return tuple(found)


def tracks(folder):
    """The tracks in a folder: content to name and count."""
    found = {}
    for path in files(folder):
        items = segments(path) if path.endswith(".sup") else cues(path)
        found[items] = os.path.basename(path), len(items)
    return found


def equal(folders, count, items):
    """Ends the program unless the folders hold the same tracks: so many, with so many items in all."""
    first, *others = ((folder, tracks(folder)) for folder in folders)
    for folder, other in others:
        for one, two in ((first, (folder, other)), ((folder, other), first)):
            for missing in one[1].keys() - two[1].keys():
                print("only in %s: %s (%d items)" % (one[0], *one[1][missing]), file=sys.stderr)
        if first[1].keys() != other.keys():
            sys.exit("the outputs differ")
    found = [number for _, number in first[1].values()]
    if (len(found), sum(found)) != (count, items):
        sys.exit("%s: %d tracks with %d items, not %d with %d" % (
            first[0], len(found), sum(found), count, items))


def same(folders):
    """Ends the program unless the folders hold the same files, byte for byte."""
    first, *others = [{os.path.relpath(path, folder): digest_of(path) for path in files(folder)}
                      for folder in folders]
    if not first or any(other != first for other in others):
        sys.exit("not the same bytes: %s" % " ".join(folders))


def pictures(folder, count):
    """Ends the program unless the folder holds so many PNG files, none empty."""
    found = [path for path in files(folder) if path.endswith(".png") and os.path.getsize(path) > 0]
    if len(found) != count:
        sys.exit("%s: %d pictures, not %d" % (folder, len(found), count))


def texts(folders, path, repeats):
    """Ends the program unless each folder has one file, whose cues have the words of a text file's paragraphs, repeated."""
    with open(path, encoding="utf-8") as file:
        expected = [part.split() for part in file.read().split("\n\n")] * repeats
    for folder in folders:
        found = [[re.sub(r"<[^>]*>|\{[^}]*\}", "", "\n".join(lines)).split() for _, _, *lines in cues(file)]
                 for file in files(folder)]
        if found != [expected]:
            sys.exit("%s: not the texts of %s" % (folder, path))


def size(folder, least):
    """Ends the program unless the files hold so many bytes."""
    found = sum(os.path.getsize(path) for path in files(folder))
    if found < least:
        sys.exit("%s: %d bytes, expected %d or more" % (folder, found, least))


def subtitles_described(path, count):
    """Ends the program unless the JSON of a probing tool names so many subtitle tracks."""
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    entries = data.get("streams") or data.get("tracks") or data.get("media", {}).get("track", [])
    kinds = [entry.get("codec_type") or entry.get("type") or entry.get("@type") for entry in entries]
    found = sum(kind in ("subtitle", "subtitles", "Text") for kind in kinds)
    if found != count:
        sys.exit("%s: %d subtitle tracks, not %d" % (path, found, count))
