"""Writes MPEG transport streams with one program and one stream of private data."""

import struct

_PMT, _CLOCK = 0x100, 0x1FF


def _crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return struct.pack(">I", value)


class TransportStream:
    """Collects PES packets of PID 0x101; `descriptors` is its entry in the program map."""

    def __init__(self, descriptors, pid=0x101, stream_type=0x06):
        self.pid, self.counters, self.packets = pid, {}, []
        pat = struct.pack(">BHHBBBHH", 0, 0xB00D, 1, 0xC1, 0, 0, 1, 0xE000 | _PMT)
        self._section(0, pat)
        body = struct.pack(">BHH", stream_type, 0xE000 | pid, 0xF000 | len(descriptors)) + descriptors
        length = 9 + len(body) + 4
        head = struct.pack(">BHHBBBHH", 2, 0xB000 | length, 1, 0xC1, 0, 0, 0xE000 | _CLOCK, 0xF000)
        self._section(_PMT, head + body)

    def _packet(self, pid, start, payload, adaptation=None):
        """One transport packet; what the payload lacks is stuffing in the adaptation field."""
        counter = self.counters.get(pid, 0)
        if payload:
            self.counters[pid] = (counter + 1) % 16
        room = 184 - len(payload)
        field = b"" if adaptation is None else adaptation
        control = 1 if payload else 0
        if room or adaptation is not None:
            control |= 2
            field = bytes([room - 1]) + (b"" if room == 1 else (field or b"\0") + b"\xFF" * (room - 1 - len(field or b"\0")))
        else:
            field = b""
        head = struct.pack(">BHB", 0x47, (0x4000 if start else 0) | pid, control << 4 | counter)
        self.packets.append(head + field + payload)
        assert len(self.packets[-1]) == 188

    def _section(self, pid, section):
        data = b"\0" + section + _crc(section)
        self._packet(pid, True, data + b"\xFF" * (184 - len(data)))

    def pes(self, seconds, payload, clock=True):
        """A PES packet of private_stream_1 with that time, after the clock of half a second before."""
        ticks = round(seconds * 90000)
        if clock:
            base = ticks - 45000
            self._packet(_CLOCK, False, b"", b"\x10" + struct.pack(">IH", base >> 1, (base & 1) << 15 | 0x7E00))
        stamp = bytes([
            0x21 | ticks >> 29 & 0x0E, ticks >> 22 & 0xFF, ticks >> 14 & 0xFE | 1, ticks >> 7 & 0xFF,
            ticks << 1 & 0xFE | 1])
        data = b"\0\0\1\xBD" + struct.pack(">H", len(payload) + 8) + b"\x84\x80\x05" + stamp + payload
        for start in range(0, len(data), 184):
            self._packet(self.pid, start == 0, data[start:start + 184])

    def bytes(self):
        """The file; ten packets of nothing, so that short ones are recognized too."""
        nothing = struct.pack(">BHB", 0x47, 0x1FFF, 0x10) + b"\xFF" * 184
        return b"".join(self.packets) + nothing * 10
