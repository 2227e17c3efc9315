"""Reading and writing EBML elements: only what the fixtures need."""

import struct

# Element identifiers (Matroska, RFC 9559).
EBML, SEGMENT, SEEK_HEAD, SEEK, SEEK_ID, SEEK_POSITION = (
    0x1A45DFA3, 0x18538067, 0x114D9B74, 0x4DBB, 0x53AB, 0x53AC)
INFO, TIMESTAMP_SCALE, DURATION, DATE, MUXING_APP, WRITING_APP = (
    0x1549A966, 0x2AD7B1, 0x4489, 0x4461, 0x4D80, 0x5741)
TRACKS, TRACK_ENTRY, TRACK_NUMBER, TRACK_UID, TRACK_TYPE, FLAG_LACING = (
    0x1654AE6B, 0xAE, 0xD7, 0x73C5, 0x83, 0x9C)
LANGUAGE, LANGUAGE_IETF, CODEC_ID, CODEC_PRIVATE, DEFAULT_DURATION = (
    0x22B59C, 0x22B59D, 0x86, 0x63A2, 0x23E383)
ENCODINGS, ENCODING, ENCODING_ORDER, ENCODING_SCOPE, ENCODING_TYPE = (
    0x6D80, 0x6240, 0x5031, 0x5032, 0x5033)
COMPRESSION, COMPRESSION_ALGORITHM, COMPRESSION_SETTINGS = 0x5034, 0x4254, 0x4255
CLUSTER, TIMESTAMP, SIMPLE_BLOCK, BLOCK_GROUP, BLOCK, BLOCK_DURATION = (
    0x1F43B675, 0xE7, 0xA3, 0xA0, 0xA1, 0x9B)
CUES, CUE_POINT, CUE_TIME, CUE_TRACK_POSITIONS, CUE_TRACK, CUE_CLUSTER_POSITION = (
    0x1C53BB6B, 0xBB, 0xB3, 0xB7, 0xF7, 0xF1)
CUE_RELATIVE_POSITION, CUE_DURATION = 0xF0, 0xB2
ATTACHMENTS, ATTACHED_FILE, CHAPTERS, EDITION, CHAPTER, TARGETS = (
    0x1941A469, 0x61A7, 0x1043A770, 0x45B9, 0xB6, 0x63C0)
TAGS, TAG, SIMPLE_TAG, TAG_NAME, TAG_STRING, VOID = (
    0x1254C367, 0x7373, 0x67C8, 0x45A3, 0x4487, 0xEC)
MASTERS = {EBML, SEGMENT, SEEK_HEAD, SEEK, INFO, TRACKS, TRACK_ENTRY, CLUSTER, BLOCK_GROUP, CUES,
           CUE_POINT, CUE_TRACK_POSITIONS, TAGS, TAG, SIMPLE_TAG, ATTACHMENTS, ATTACHED_FILE,
           CHAPTERS, EDITION, CHAPTER, TARGETS}


def identifier(number):
    """The bytes of an element identifier."""
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def size(length, width=None):
    """The bytes of an element size, in `width` bytes or as few as do."""
    if width is None:
        width = next(n for n in range(1, 9) if length < (1 << 7 * n) - 1)
    return (length | 1 << 7 * width).to_bytes(width, "big")


def unsigned(value):
    """The bytes of an unsigned integer."""
    return value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")


def element(number, content, width=None):
    """One element; `content` is bytes, text, an integer, a float or a list of elements."""
    if isinstance(content, str):
        content = content.encode()
    elif isinstance(content, float):
        content = struct.pack(">d", content)
    elif isinstance(content, int):
        content = unsigned(content)
    elif isinstance(content, list):
        content = b"".join(content)
    return identifier(number) + size(len(content), width) + content


def read_size(data, at):
    """The value of the size at `at` (None when unknown) and where it ends."""
    first = data[at]
    width = 9 - first.bit_length()
    value = int.from_bytes(data[at:at + width], "big") & ((1 << 7 * width) - 1)
    return (None if value == (1 << 7 * width) - 1 else value), at + width


def walk(data, start=0, end=None, parents=()):
    """Yields (identifier, parents, header position, content start, content end), depth first."""
    end = len(data) if end is None else end
    at = start
    while at < end:
        width = 9 - data[at].bit_length()
        number = int.from_bytes(data[at:at + width], "big")
        length, content = read_size(data, at + width)
        stop = end if length is None else min(end, content + length)
        yield number, parents, at, content, stop
        if number in MASTERS:
            yield from walk(data, content, stop, parents + (number,))
        at = stop
