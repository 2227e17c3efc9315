"""Writes segments of DVB subtitles (ETSI EN 300 743)."""

import struct
import zlib

NORMAL, ACQUISITION, MODE_CHANGE = 0, 1, 2


class Bits:
    def __init__(self):
        self.text = ""

    def put(self, value, count):
        self.text += format(value, f"0{count}b")
        return self

    def bytes(self):
        padded = self.text + "0" * (-len(self.text) % 8)
        return bytes(int(padded[at:at + 8], 2) for at in range(0, len(padded), 8))


def runs(line):
    """Neighbors that are equal, as (count, code)."""
    result = []
    for code in line:
        if result and result[-1][1] == code:
            result[-1][0] += 1
        else:
            result.append([1, code])
    return result


def string2(line):
    """A 2-bit/pixel_code_string: data type, codes, end."""
    bits = Bits()
    for count, code in runs(line):
        while count:
            if count >= 29:
                taken = min(count, 284)
                bits.put(0b000011, 6).put(taken - 29, 8).put(code, 2)
            elif count >= 12:
                taken = min(count, 27)
                bits.put(0b000010, 6).put(taken - 12, 4).put(code, 2)
            elif count >= 3:
                taken = min(count, 10)
                bits.put(0b001, 3).put(taken - 3, 3).put(code, 2)
            elif code:
                taken = 1
                bits.put(code, 2)
            elif count == 2:
                taken = 2
                bits.put(0b000001, 6)
            else:
                taken = 1
                bits.put(0b0001, 4)
            count -= taken
    return b"\x10" + bits.put(0, 6).bytes()


def string4(line):
    """A 4-bit/pixel_code_string."""
    bits = Bits()
    for count, code in runs(line):
        while count:
            if count >= 25:
                taken = min(count, 280)
                bits.put(0b00001111, 8).put(taken - 25, 8).put(code, 4)
            elif count >= 9 and not (code == 0 and count == 9):
                taken = min(count, 24)
                bits.put(0b00001110, 8).put(taken - 9, 4).put(code, 4)
            elif code == 0 and count >= 3:
                taken = min(count, 9)
                bits.put(0, 5).put(taken - 2, 3)
            elif count >= 4:
                taken = min(count, 7)
                bits.put(0b000010, 6).put(taken - 4, 2).put(code, 4)
            elif code:
                taken = 1
                bits.put(code, 4)
            elif count == 2:
                taken = 2
                bits.put(0b00001101, 8)
            else:
                taken = 1
                bits.put(0b00001100, 8)
            count -= taken
    return b"\x11" + bits.put(0, 8).bytes()


def string8(line):
    """An 8-bit/pixel_code_string."""
    result = bytearray(b"\x12")
    for count, code in runs(line):
        while count:
            if code == 0:
                taken = min(count, 127)
                result += bytes([0, taken])
            elif count >= 3:
                taken = min(count, 127)
                result += bytes([0, 0x80 | taken, code])
            else:
                taken = 1
                result.append(code)
            count -= taken
    return bytes(result) + b"\0\0"


STRINGS = {2: string2, 4: string4, 8: string8}


def field(lines, bits):
    """The lines of one field, each with its end code."""
    return b"".join(STRINGS[bits](line) + b"\xF0" for line in lines)


def segment(kind, body, page=1):
    return struct.pack(">BBHH", 0x0F, kind, page, len(body)) + body


def page(regions, state=NORMAL, version=0, timeout=30, page=1):
    body = bytes([timeout, version << 4 | state << 2 | 3])
    for number, x, y in regions:
        body += struct.pack(">BBHH", number, 0xFF, x, y)
    return segment(0x10, body, page)


def region(number, width, height, objects=(), bits=4, clut=0, fill=None, version=0, page=1):
    """Objects are (id, x, y); `fill` is the code of the background, or None for no fill."""
    depth = {2: 1, 4: 2, 8: 3}[bits]
    code = fill or 0
    body = struct.pack(
        ">BBHHBBBB", number, version << 4 | (fill is not None) << 3 | 7, width, height,
        depth << 5 | depth << 2 | 3, clut, code & 0xFF, (code & 15) << 4 | (code & 3) << 2 | 3)
    for item in objects:
        kind = item[3] if len(item) > 3 else 0
        body += struct.pack(">HHH", item[0], kind << 14 | item[1], 0xF000 | item[2])
        if kind:
            body += b"\x01\x00"
    return segment(0x11, body, page)


def clut(number, entries, version=0, page=1, full=True):
    """Entries are (id, bits, y, cr, cb, t); without `full` the 6, 4, 4 and 2 upper bits are written."""
    body = bytes([number, version << 4 | 15])
    for entry, bits, y, cr, cb, t in entries:
        flags = {2: 0x80, 4: 0x40, 8: 0x20}[bits] | 0x1E | full
        body += bytes([entry, flags])
        if full:
            body += bytes([y, cr, cb, t])
        else:
            body += struct.pack(">H", y >> 2 << 10 | cr >> 4 << 6 | cb >> 4 << 2 | t >> 6)
    return segment(0x12, body, page)


def fields_object(number, top, bottom, version=0, non_modifying=False, page=1):
    body = struct.pack(">HBHH", number, version << 4 | non_modifying << 1 | 1, len(top), len(bottom))
    body += top + bottom
    return segment(0x13, body + b"\0" * (len(body) % 2), page)


def bitmap(number, rows, bits=4, version=0, non_modifying=False, before=b"", page=1):
    """An object of two fields; `before` precedes the strings of each, such as map tables."""
    return fields_object(
        number, before + field(rows[0::2], bits), before + field(rows[1::2], bits), version, non_modifying, page)


def progressive(number, rows, version=0, page=1, non_modifying=False):
    data = zlib.compress(b"".join(bytes(row) for row in rows), 9)
    body = struct.pack(
        ">HBHHH", number, version << 4 | 2 << 2 | non_modifying << 1 | 1, len(rows[0]), len(rows), len(data)) + data
    return segment(0x13, body, page)


def characters(number, codes, version=0, page=1):
    body = struct.pack(">HBB", number, version << 4 | 1 << 2 | 1, len(codes))
    return segment(0x13, body + b"".join(struct.pack(">H", code) for code in codes), page)


def display(width, height, window=None, version=0, page=1):
    """`window` is (left, top, width, height)."""
    body = struct.pack(">BHH", version << 4 | (window is not None) << 3 | 7, width - 1, height - 1)
    if window:
        left, top, wide, high = window
        body += struct.pack(">HHHH", left, left + wide - 1, top, top + high - 1)
    return segment(0x14, body, page)


def end(page=1):
    return segment(0x80, b"", page)


def pes(*segments):
    """What a PES packet holds."""
    return b"\x20\x00" + b"".join(segments) + b"\xFF"


def descriptor(*services):
    """Services are (language, type, composition page, ancillary page)."""
    body = b"".join(
        language.encode() + struct.pack(">BHH", kind, composition, ancillary)
        for language, kind, composition, ancillary in services)
    return bytes([0x59, len(body)]) + body
