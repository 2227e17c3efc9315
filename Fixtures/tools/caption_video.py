#!/usr/bin/env python3
"""Writes video with closed captions: caption_video.py FOLDER.

Each picture carries a pair of the conformance set's `pop_on` in field 1 and of `field_2` in field 2. The headers are
those of a decoder's stream, the slices hold no image. Pictures are decoded in another order than they are shown.
"""
import struct
import sys
from pathlib import Path

import cea608
from transport import TransportStream

FRAME = 3003
START = 10 * 90000
GROUP = 31


class Bits:
    """The bits of a raw byte sequence payload."""

    def __init__(self):
        self.text = ""

    def add(self, value, count):
        self.text += format(value, f"0{count}b")
        return self

    def exponential(self, *values):
        for value in values:
            digits = format(value + 1, "b")
            self.text += "0" * (len(digits) - 1) + digits
        return self

    def unit(self, header):
        """A NAL unit with trailing bits and emulation prevention."""
        text = self.text + "1"
        text += "0" * (-len(text) % 8)
        return escaped(header + bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8)))


def escaped(data):
    result, zeros = bytearray(), 0
    for byte in data:
        if zeros >= 2 and byte <= 3:
            result.append(3)
            zeros = 0
        zeros = zeros + 1 if byte == 0 else 0
        result.append(byte)
    return bytes(result)


def user_data(pairs):
    """ATSC A/53 Part 4, section 6.2.3, with padding of CEA-708."""
    triplets = b"".join(bytes([0xFC | field, *pair]) for field, pair in enumerate(pairs)) + b"\xFA\0\0"
    return b"GA94\x03" + bytes([0x40 | len(triplets) // 3, 0xFF]) + triplets + b"\xFF"


def decoded(count):
    """Pictures in the order of decoding: number in the group, kind; I, then P before the two B that it follows."""
    order = [(0, "I")]
    for last in range(3, count + 2, 3):
        if last < count:
            order.append((last, "P"))
        order += [(number, "B") for number in (last - 2, last - 1) if number < count]
    return order


def h264(pairs, first, number, kind):
    """An access unit: delimiter, parameter sets, SEI, slice."""
    units = [b"\x09\xF0"]
    if kind == "I":
        sps = Bits().add(77, 8).add(0, 8).add(30, 8).exponential(0, 0, 0, 0, 2).add(0, 1).exponential(9, 5)
        units += [sps.add(0b11000, 5).unit(b"\x67"), Bits().exponential(0, 0).add(0, 2).exponential(0, 0, 0).add(0, 3)
                  .exponential(0, 0, 0).add(0, 3).unit(b"\x68")]
    payload = b"\xB5\0\x31" + user_data(pairs[first + number])
    units.append(escaped(bytes([6, 4, len(payload)]) + payload + b"\x80"))
    slice_ = Bits().exponential(0, {"I": 7, "P": 5, "B": 6}[kind], 0).add(number // 3 % 16, 4)
    if kind == "I":
        slice_.exponential(0)
    # pic_order_cnt_lsb has four bits.
    slice_.add(number * 2 % 16, 4)
    # The rest states that nothing differs from the parameter sets; slice_qp_delta is 0.
    slice_.add({"I": 0b001, "P": 0b0001, "B": 0b10001}[kind], {"I": 3, "P": 4, "B": 5}[kind])
    for _ in range(40):
        slice_.add(0x5A, 8)
    units.append(slice_.unit({"I": b"\x65", "P": b"\x41", "B": b"\x01"}[kind]))
    return b"".join(b"\0\0\0\1" + unit for unit in units)


def mpeg2(pairs, first, number, kind):
    """A picture with the headers of its sequence and group."""
    data = b""
    if kind == "I":
        data += b"\0\0\1\xB3" + bytes.fromhex("0a0060 14 ffff e0 18".replace(" ", ""))
        data += b"\0\0\1\xB5" + bytes.fromhex("148200010000") + b"\0\0\1\xB8" + bytes.fromhex("00080040")
    reference = number << 6 | {"I": 1, "P": 2, "B": 3}[kind] << 3 | 7
    data += b"\0\0\1\0" + struct.pack(">H", reference) + b"\xFF\xF8" + (b"" if kind == "I" else b"\x38")
    data += b"\0\0\1\xB5" + bytes.fromhex("8fff f3 80 80".replace(" ", ""))
    data += b"\0\0\1\xB2" + user_data(pairs[first + number])
    return data + b"\0\0\1\1" + b"\x5A" * 40


def pes(shown, decode, payload, length=0):
    """A PES packet of video with both times; a length of 0 states none."""
    def stamp(mark, ticks):
        return bytes([mark << 4 | ticks >> 29 & 0x0E | 1, ticks >> 22 & 0xFF, ticks >> 14 & 0xFE | 1, ticks >> 7 & 0xFF,
                      ticks << 1 & 0xFE | 1])
    return b"\0\0\1\xE0" + struct.pack(">H", length) + b"\x80\xC0\x0A" + stamp(3, shown) + stamp(1, decode) + payload


class Video(TransportStream):
    """A transport stream whose stream is video, with its own clock."""

    def __init__(self, stream_type, descriptors=b""):
        super().__init__(descriptors, stream_type=stream_type)

    def video(self, shown, decode, payload):
        base = decode - 45000 & (1 << 33) - 1
        self._packet(0x1FF, False, b"", b"\x10" + struct.pack(">IH", base >> 1, (base & 1) << 15 | 0x7E00))
        data = pes(shown, decode, payload)
        for start in range(0, len(data), 184):
            self._packet(self.pid, start == 0, data[start:start + 184])


def captions_descriptor():
    """caption_service_descriptor (ATSC A/65, section 6.9.2): CC1 in English for a wide screen, service 1 in Spanish, easy to read."""
    services = b"eng" + bytes([0x7E, 0x7F, 0xFF]) + b"spa" + bytes([0xC1, 0xFF, 0xFF])
    return bytes([0x86, len(services) + 1, 0xE2]) + services


def table(number, extension, body):
    """A section without its check sum."""
    return struct.pack(">BHHBBB", number, 0xF000 | len(body) + 9, extension, 0xC1, 0, 0) + body


def event_tables(program, services):
    """The tables of ATSC A/65 by PID: of the two events of the program the second one is broadcast, with `services`."""
    now, pid, source = 1_200_000_000, 0x1D00, 7
    guide = b"\0" + struct.pack(">H", 1) + struct.pack(">HHBIH", 0x0100, 0xE000 | pid, 0xE0, 80, 0xF000) + b"\xF0\0"
    channel = "TEST".ljust(7, "\0").encode("utf-16-be") + b"\xF0\x10\x01" + b"\x04" + bytes(4)
    channel += struct.pack(">HHHHH", 1, program, 0x0DC2, source, 0xFC00)
    time = b"\0" + struct.pack(">IBH", now, 18, 0x6000)

    def event(number, start, length, descriptors):
        return struct.pack(">HIBHBH", 0xC000 | number, start, 0xF0 | length >> 16, length & 0xFFFF, 0,
                           0xF000 | len(descriptors)) + descriptors
    events = b"\0\2" + event(1, now - 3600, 1800, services.replace(b"eng", b"ger")) + event(2, now - 1800, 3600, services)
    return [(0x1FFB, table(0xC7, 0, guide)), (0x1FFB, table(0xC8, 1, b"\0\1" + channel + b"\xFC\0")),
            (0x1FFB, table(0xCD, 0, time)), (pid, table(0xCB, source, events))]


def write(path, picture, stream_type, pairs, per_packet, descriptors=b"", tables=()):
    """`per_packet` pictures share a PES packet, which has the times of the first one."""
    stream = Video(stream_type, descriptors)
    for pid, section in tables:
        stream._section(pid, section)
    place = 0
    for first in range(0, len(pairs), GROUP):
        order = decoded(min(GROUP, len(pairs) - first))
        for index in range(0, len(order), per_packet):
            part = order[index:index + per_packet]
            shown = START + (first + part[0][0]) * FRAME
            decode = START + (place - 2) * FRAME
            stream.video(shown, decode, b"".join(picture(pairs, first, *item) for item in part))
            place += len(part)
    path.write_bytes(stream.bytes())


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    one, two = cea608.pop_on(), cea608.field_2()
    pairs = [(pair, two[i] if i < len(two) else (0x80, 0x80)) for i, pair in enumerate(one)]
    write(folder / "h264.ts", h264, 0x1B, pairs, 1, captions_descriptor())
    write(folder / "h264_groups.ts", h264, 0x1B, pairs, 3)
    write(folder / "mpeg2.ts", mpeg2, 0x02, pairs, 1)
    write(folder / "mpeg2_groups.ts", mpeg2, 0x02, pairs, GROUP)
    write(folder / "events.ts", mpeg2, 0x02, pairs[:GROUP], 1, tables=event_tables(1, captions_descriptor()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
