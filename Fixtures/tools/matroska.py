"""A small Matroska muxer for what other muxers never write: odd encodings, wrong indexes, damage."""

import struct
import zlib

import ebml
from ebml import element


class Track:
    """A track; `strip` are bytes its blocks begin with and that are left out, `deflate` packs them."""

    def __init__(self, kind, codec, private=None, language=None, strip=b"", deflate=False):
        self.kind, self.codec, self.private, self.language = kind, codec, private, language
        self.strip, self.deflate = strip, deflate

    def entry(self, number):
        """The TrackEntry."""
        parts = [element(ebml.TRACK_NUMBER, number), element(ebml.TRACK_UID, 1000 + number),
                 element(ebml.TRACK_TYPE, {"video": 1, "audio": 2, "text": 17}[self.kind]),
                 element(ebml.FLAG_LACING, 0), element(ebml.CODEC_ID, self.codec)]
        if self.language:
            parts.append(element(ebml.LANGUAGE, self.language))
        if self.private is not None:
            parts.append(element(ebml.CODEC_PRIVATE, self.private))
        if self.kind == "video":
            parts.append(element(0xE0, [
                element(0xB0, 8), element(0xBA, 8), element(0x2EB524, b"I420")]))
        if self.strip or self.deflate:
            method = [element(ebml.COMPRESSION_ALGORITHM, 3 if self.strip else 0)]
            if self.strip:
                method.append(element(ebml.COMPRESSION_SETTINGS, self.strip))
            parts.append(element(ebml.ENCODINGS, [element(ebml.ENCODING, [
                element(ebml.ENCODING_ORDER, 0), element(ebml.ENCODING_SCOPE, 1),
                element(ebml.ENCODING_TYPE, 0), element(ebml.COMPRESSION, method)])]))
        return element(ebml.TRACK_ENTRY, parts)

    def stored(self, payload):
        """A payload as a block stores it."""
        if self.strip:
            assert payload.startswith(self.strip)
            return payload[len(self.strip):]
        return zlib.compress(payload, 9) if self.deflate else payload


class File:
    """Tracks and blocks (track, milliseconds, duration or None, payload), `span` ms a cluster."""

    def __init__(self, tracks, blocks, span=5000):
        self.tracks, self.span = tracks, span
        self.blocks = sorted(blocks, key=lambda block: (block[1], block[0]))
        self.relative = "right"  # where CueRelativePosition points: right, inside, wrong, absent
        self.cluster_offset = 0  # added to every CueClusterPosition
        self.indexed = None  # the tracks in the index; None is all
        self.unknown_sizes = False  # of the segment and of the clusters
        self.application = "undertext fixtures"

    def _cluster(self, start, blocks):
        out, places = element(ebml.TIMESTAMP, start), []
        for number, time, duration, payload in blocks:
            head = ebml.size(number) + struct.pack(">hB", time - start, 0)
            body = head + self.tracks[number - 1].stored(payload)
            places.append((time, number, duration, len(out)))
            if duration is None:
                keyed = head[:-1] + b"\x80" + body[len(head):]
                out += element(ebml.SIMPLE_BLOCK, keyed)
            else:
                out += element(ebml.BLOCK_GROUP, [
                    element(ebml.BLOCK, body), element(ebml.BLOCK_DURATION, duration)])
        return out, places

    def _cues(self, places):
        points = []
        for time, number, duration, cluster, relative in places:
            if self.indexed is not None and number not in self.indexed:
                continue
            position = [element(ebml.CUE_TRACK, number),
                        element(ebml.CUE_CLUSTER_POSITION, max(0, cluster + self.cluster_offset))]
            shift = {"right": 0, "inside": 2, "wrong": 7}.get(self.relative)
            if shift is not None:
                position.append(element(ebml.CUE_RELATIVE_POSITION, relative + shift))
            if duration is not None:
                position.append(element(ebml.CUE_DURATION, duration))
            points.append(element(ebml.CUE_POINT, [
                element(ebml.CUE_TIME, time), element(ebml.CUE_TRACK_POSITIONS, position)]))
        return element(ebml.CUES, points)

    def data(self):
        """The bytes of the file."""
        head = element(ebml.EBML, [
            element(0x4286, 1), element(0x42F7, 1), element(0x42F2, 4), element(0x42F3, 8),
            element(0x4282, "matroska"), element(0x4287, 4), element(0x4285, 2)])
        end = max((b[1] + (b[2] or 0) for b in self.blocks), default=0)
        info = element(ebml.INFO, [
            element(ebml.TIMESTAMP_SCALE, 1_000_000), element(ebml.DURATION, float(end)),
            element(ebml.MUXING_APP, self.application), element(ebml.WRITING_APP, self.application)])
        tracks = element(
            ebml.TRACKS, [track.entry(n) for n, track in enumerate(self.tracks, start=1)])
        seek_size = 68  # three entries of fixed width
        at = seek_size + len(info) + len(tracks)
        clusters, places = b"", []
        starts = sorted({block[1] // self.span * self.span for block in self.blocks})
        for start in starts:
            inside = [b for b in self.blocks if start <= b[1] < start + self.span]
            content, found = self._cluster(start, inside)
            position = at + len(clusters)
            places += [(time, n, duration, position, place) for time, n, duration, place in found]
            if self.unknown_sizes:
                clusters += ebml.identifier(ebml.CLUSTER) + b"\x01" + b"\xFF" * 7 + content
            else:
                clusters += element(ebml.CLUSTER, content, width=8)
        seek = element(ebml.SEEK_HEAD, [
            element(ebml.SEEK, [
                element(ebml.SEEK_ID, ebml.identifier(number)),
                element(ebml.SEEK_POSITION, place.to_bytes(8, "big"))])
            for number, place in ((ebml.INFO, seek_size), (ebml.TRACKS, seek_size + len(info)),
                                  (ebml.CUES, at + len(clusters)))])
        assert len(seek) == seek_size, len(seek)
        body = seek + info + tracks + clusters + self._cues(places)
        if self.unknown_sizes:
            return head + ebml.identifier(ebml.SEGMENT) + b"\x01" + b"\xFF" * 7 + body
        return head + element(ebml.SEGMENT, body, width=8)

    def write(self, path):
        """Writes the file."""
        with open(path, "wb") as file:
            file.write(self.data())


def subrip(path):
    """The cues of an .srt fixture: (start ms, duration ms, payload)."""
    found = []
    with open(path, encoding="utf-8") as file:
        for block in file.read().strip().split("\n\n"):
            _, times, *lines = block.split("\n")
            start, end = (moment(text) for text in times.split(" --> "))
            found.append((start, end - start, "\n".join(lines).encode()))
    return found


def moment(text):
    """Milliseconds of HH:MM:SS,mmm."""
    hours, minutes, rest = text.split(":")
    seconds, thousandths = rest.split(",")
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(thousandths)


def display_sets(path):
    """The display sets of a .sup: (start ms, payload without framing)."""
    with open(path, "rb") as file:
        data = file.read()
    found, at, start, payload = [], 0, None, b""
    while at < len(data):
        clock, _, kind, length = struct.unpack(">IIBH", data[at + 2:at + 13])
        start = clock if start is None else start
        payload += data[at + 10:at + 13 + length]
        at += 13 + length
        if kind == 0x80:
            found.append(((start + 45) // 90, payload))
            start, payload = None, b""
    return found
