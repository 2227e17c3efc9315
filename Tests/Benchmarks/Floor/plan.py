"""Plans for floor.c: which ranges of a file a task needs, and how its outputs consist of them.

A plan names every place in advance, and holds what a tool computes: numbers and times of cues, headers of
segments, encoded images. The rest of each output is copied from the input. Where that is not possible for the
payload of every block, there is no plan.
"""

import json
import os
import re
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import needed  # noqa: E402  (it finds ebml)
from needed import ebml  # noqa: E402

LITERAL = 0xFFFFFFFF
HEAD, INDEX, BLOCKS = range(3)  # phases: each needs what the one before has read
TABLES = {b"stts", b"ctts", b"stss", b"stsc", b"stsz", b"stz2", b"stco", b"co64", b"sdtp", b"sbgp", b"cslg"}
NESTED = {b"moov", b"trak", b"mdia", b"minf", b"stbl"}


class Plan:
    """Ranges in order, and files of pieces."""

    def __init__(self, packet=0):
        self.packet = packet
        self.ranges, self.names, self.literals = [], bytearray(), bytearray()
        self.files, self.pieces = [], []

    def add_range(self, phase, offset, length, expanded=0):
        """The range as a list; `sort` gives it its place."""
        entry = [phase, offset, length, expanded]
        self.ranges.append(entry)
        return entry

    def add_file(self, name, data, sources=()):
        """A file that holds `data`; sources are (range, bytes or parts of it), in order, all of which it has to have."""
        first, done = len(self.pieces), 0
        for entry, parts in sources:
            for at, part in parts:
                place = data.find(part, done)
                if place < 0:
                    raise LookupError("%s does not hold the bytes at %d" % (name, entry[1]))
                self._literal(data[done:place])
                self.pieces.append((at, entry, len(part)))
                done = place + len(part)
        self._literal(data[done:])
        self.files.append((len(self.names), first, len(self.pieces) - first, 0, len(data)))
        self.names += os.fsencode(name) + b"\0"

    def _literal(self, data):
        if data:
            self.pieces.append((len(self.literals), None, len(data)))
            self.literals += data

    def write(self, path):
        """In the layout that floor.c describes."""
        order = sorted(self.ranges, key=lambda entry: entry[:2])
        places = {id(entry): number for number, entry in enumerate(order)}
        phases = 1 + max((entry[0] for entry in order), default=0)
        self.names += bytes(-len(self.names) % 8)
        with open(path + ".new", "wb") as file:
            file.write(struct.pack("<8s6IQ", b"floor 1\n", self.packet, phases, len(order), len(self.files),
                                   len(self.pieces), len(self.names), len(self.literals)))
            file.writelines(struct.pack("<Q4I", offset, length, expanded, phase, 0)
                            for phase, offset, length, expanded in order)
            file.writelines(struct.pack("<4IQ", *entry) for entry in self.files)
            file.writelines(struct.pack("<QII", at, LITERAL if entry is None else places[id(entry)], length)
                            for at, entry, length in self.pieces)
            file.write(self.names + self.literals)
        os.replace(path + ".new", path)
        return sum(entry[2] for entry in order)


def outputs(folder):
    """Name and content of every file in a folder and below."""
    return [(os.path.relpath(os.path.join(path, name), folder), open(os.path.join(path, name), "rb").read())
            for path, _, names in os.walk(folder) for name in sorted(names)]


def add_tracks(plan, folder, tracks):
    """Adds the files of a folder, each with the blocks of the track that it holds."""
    left = dict(enumerate(tracks))
    for name, data in outputs(folder):
        for number, sources in left.items():
            state = len(plan.pieces), len(plan.literals)
            try:
                plan.add_file(name, data, sources)
            except LookupError:
                del plan.pieces[state[0]:], plan.literals[state[1]:]
                continue
            del left[number]
            break
        else:
            sys.exit("no track has the payload of %s" % name)
    if left:
        sys.exit("%d tracks are in no output" % len(left))


def segments(payload):
    """The segments of PGS, with their places."""
    found, at = [], 0
    while at + 3 <= len(payload):
        end = at + 3 + int.from_bytes(payload[at + 1:at + 3], "big")
        found.append((at, payload[at:end]))
        at = end
    return found


def lines(text, at=0):
    """The lines of a text, with their places; outputs end lines in their own way."""
    found = []
    for line in text.split(b"\r\n"):
        found.append((at, line))
        at += len(line) + 2
    return found


def words(text, at):
    """The words of a text, with their places; outputs have tags between them."""
    return [(at + found.start(), found.group()) for found in re.finditer(rb"\S+", text)]


# Matroska.

def matroska_tracks(data):
    """Numbers of subtitle tracks to (whether they hold PGS, whether their blocks are compressed by zlib)."""
    found = []

    def visit(start, end):
        for number, _, _, start, end in ebml.walk(data, start, end):
            if number == ebml.TRACK_ENTRY:
                found.append({})
            elif number in (ebml.ENCODINGS, ebml.ENCODING, ebml.COMPRESSION):
                found[-1][number] = True
                visit(start, end)
            elif found:
                found[-1][number] = data[start:end]

    visit(0, len(data))
    return {int.from_bytes(entry[ebml.TRACK_NUMBER], "big"): (
        entry[ebml.CODEC_ID].startswith(b"S_HDMV/PGS"),
        ebml.COMPRESSION in entry and not any(entry.get(ebml.COMPRESSION_ALGORITHM, b"")))
        for entry in found if entry[ebml.TRACK_TYPE] == bytes([needed.SUBTITLES])}


def matroska(path, folder, headers=False):
    """Head, index and blocks of the subtitle tracks; with `headers` also the headers of all other blocks."""
    plan, tracks, blocks = Plan(), {}, {}
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        _, _, _, end = next(needed.children(file, 0, size))
        plan.add_range(HEAD, 0, end)
        segment = needed.header(file, end)[1]
        plan.add_range(HEAD, end, segment - end)
        clusters = False
        for number, at, start, end in needed.children(file, segment, size):
            if number == ebml.TRACKS:
                file.seek(start)
                tracks = matroska_tracks(file.read(end - start))
                blocks = {track: [] for track in tracks}
            if number not in (ebml.CLUSTER, ebml.VOID, ebml.ATTACHMENTS):
                plan.add_range(INDEX if clusters or number == ebml.CUES else HEAD, at, end - at)
            if number != ebml.CLUSTER:
                continue
            clusters = True
            if headers:
                plan.add_range(BLOCKS, at, start - at)
            for kind, block, inside, after in needed.children(file, start, end):
                stop = after
                if kind == ebml.BLOCK_GROUP:
                    inner, _, inside, stop = next(needed.children(file, inside, after))
                    if inner != ebml.BLOCK:
                        sys.exit("the first element of the block group at %d is no block" % block)
                elif kind != ebml.SIMPLE_BLOCK:
                    if headers:
                        plan.add_range(BLOCKS, block, min(after - block, 16))
                    continue
                file.seek(inside)
                prefix = file.read(12)
                track, width = ebml.read_size(prefix, 0)
                if track not in tracks:
                    if headers:
                        plan.add_range(BLOCKS, block, inside + width - block)
                    continue
                begin = inside + width + 3
                file.seek(begin)
                stored = file.read(stop - begin)
                pgs, compressed = tracks[track]
                payload = zlib.decompress(stored) if compressed else stored
                if compressed:
                    plan.add_range(BLOCKS, block, begin - block)
                    if after > stop:
                        plan.add_range(BLOCKS, stop, after - stop)
                    entry, begin = plan.add_range(BLOCKS, begin, len(stored), len(payload)), 0
                else:
                    entry, begin = plan.add_range(BLOCKS, block, after - block), begin - block
                blocks[track].append((entry, [
                    (begin + at, part) for at, part in (segments if pgs else lines)(payload)]))
    add_tracks(plan, folder, blocks.values())
    return plan


def described_matroska(path, folder):
    """What describes the file without its index: all before the first cluster, and the tags."""
    plan = Plan()
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        _, _, _, end = next(needed.children(file, 0, size))
        segment = needed.header(file, end)[1]
        plan.add_range(HEAD, 0, segment)
        clusters = False
        for number, at, _, end in needed.children(file, segment, size):
            clusters = clusters or number == ebml.CLUSTER
            if number not in (ebml.CLUSTER, ebml.VOID, ebml.CUES):
                plan.add_range(INDEX if clusters else HEAD, at, end - at)
    printed(plan, folder)
    return plan


# MP4.

def boxes(file, start, end):
    """Kind, start, start of the content and end of each box."""
    at = start
    while at + 8 <= end:
        file.seek(at)
        length, kind = struct.unpack(">I4s", file.read(8))
        content = at + 8
        if length == 1:
            length, content = struct.unpack(">Q", file.read(8))[0], at + 16
        yield kind, at, content, at + (length or end - at)
        at += length or end - at


def movie(plan, file, size):
    """Adds the ranges of the boxes but for tables and media; the tables of each track."""
    tracks = []

    def visit(start, end, phase):
        for kind, at, content, stop in boxes(file, start, end):
            if kind == b"trak":
                tracks.append({})
            if kind == b"mdat":
                plan.add_range(HEAD, at, content - at)
            elif kind in NESTED:
                plan.add_range(phase, at, content - at)
                visit(content, stop, phase)
            elif kind in TABLES:
                # The counts of entries.
                plan.add_range(phase, at, min(stop - at, content - at + 12))
                tracks[-1][kind] = content, stop
            elif kind not in (b"free", b"skip"):
                plan.add_range(phase, at, stop - at)
                if kind == b"hdlr" and tracks and b"hdlr" not in tracks[-1]:
                    file.seek(content + 8)
                    tracks[-1][b"hdlr"] = file.read(4)

    for kind, at, content, stop in boxes(file, 0, size):
        if kind == b"moov":
            plan.add_range(INDEX, at, content - at)
            visit(content, stop, INDEX)
        elif kind in (b"mdat", b"free"):
            plan.add_range(HEAD, at, content - at)
        else:
            plan.add_range(HEAD, at, stop - at)
    return tracks


def mp4(path, folder):
    """The boxes but for other tracks' tables, and the samples of text tracks that are not empty."""
    plan, found = Plan(), []
    with open(path, "rb") as file:
        for track in movie(plan, file, os.fstat(file.fileno()).st_size):
            if track.get(b"hdlr") not in (b"sbtl", b"text"):
                continue
            for kind in (b"stts", b"stsc", b"stsz", b"stco", b"co64"):
                if kind in track:
                    start, end = track[kind]
                    plan.add_range(INDEX, start, end - start)

            def numbers(kind, skip, width=4):
                start, end = track[kind]
                file.seek(start + skip)
                data = file.read(end - start - skip)
                return struct.unpack(">%d%s" % (len(data) // width, "IQ"[width // 8]), data)

            chunks = numbers(b"co64", 8, 8) if b"co64" in track else numbers(b"stco", 8)
            sizes, spans, sources = list(numbers(b"stsz", 12)), numbers(b"stsc", 8), []
            counts = []
            for place in range(0, len(spans), 3):
                until = spans[place + 3] if place + 3 < len(spans) else len(chunks) + 1
                counts += [spans[place + 1]] * (until - spans[place])
            sizes.reverse()
            for at, count in zip(chunks, counts):
                for _ in range(count):
                    length = sizes.pop()
                    if length > 2:
                        file.seek(at)
                        sample = file.read(length)
                        text = sample[2:2 + int.from_bytes(sample[:2], "big")]
                        sources.append((plan.add_range(BLOCKS, at, length), words(text, 2)))
                    at += length
            found.append(sources)
    add_tracks(plan, folder, found)
    return plan


def described_mp4(path, folder):
    """The boxes but for the contents of tables."""
    plan = Plan()
    with open(path, "rb") as file:
        movie(plan, file, os.fstat(file.fileno()).st_size)
    printed(plan, folder)
    return plan


def printed(plan, folder):
    """What a command printed: floor.c writes it to its standard output."""
    with open(os.path.join(folder, "printed"), "rb") as file:
        plan.add_file("-", file.read())


# Transport streams and others.

def transport(path, folder, program, packet, codec):
    """The packets of the streams of a codec, or of none; `program` is floor.c. PGS is copied, other outputs are literal."""
    command = ["ffprobe", "-loglevel", "error", "-of", "json", "-show_entries", "stream=id,codec_name", path]
    about = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    pids = sorted({int(stream["id"], 16) for stream in about["streams"] if codec and stream.get("codec_name") == codec})
    prefix = os.path.join(folder, "..", "stream")
    if pids:
        subprocess.run([program, "streams", path, str(packet), prefix, *map(str, pids)], check=True)
    plan, found = Plan(packet), []
    for pid in pids:
        with open("%s-%d" % (prefix, pid), "rb") as file:
            data = file.read()
        os.remove(file.name)
        entry = plan.add_range(HEAD, pid, len(data))
        found.append([(entry, packets(data))] if codec == "hdmv_pgs_subtitle" else [])
    if codec == "hdmv_pgs_subtitle":
        add_tracks(plan, folder, found)
    else:
        literal(plan, folder)
    return plan


def packets(data):
    """The segments of PGS in packets of an elementary stream, with their places."""
    found, at = [], 0
    while at + 9 <= len(data):
        if data[at:at + 3] != b"\0\0\1":
            sys.exit("no packet of an elementary stream at %d" % at)
        length, start = int.from_bytes(data[at + 4:at + 6], "big"), at + 9 + data[at + 8]
        end = at + 6 + length if length else len(data)
        found += [(start + place, segment) for place, segment in segments(data[start:end])]
        at = end
    return found


def literal(plan, folder):
    for name, data in outputs(folder):
        plan.add_file(name, data)


def whole(path, folder):
    """All of a file, and outputs that have nothing of it."""
    plan = Plan()
    plan.add_range(HEAD, 0, os.path.getsize(path))
    literal(plan, folder)
    return plan
