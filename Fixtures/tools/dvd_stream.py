"""Writes what DVDs and VobSub files consist of: units, packs, index lines, information files."""

import struct

from vobsub import field as run_lengths

START, FORCED, STOP = b"\x01", b"\x00", b"\x02"


def nibbles(values):
    """Four values of four bits, value 3 first."""
    return struct.pack(">H", sum(value << 4 * place for place, value in enumerate(values)))


def colours(values):
    return b"\x03" + nibbles(values)


def contrasts(values):
    return b"\x04" + nibbles(values)


def corners(x, y, width, height):
    right, low = x + width - 1, y + height - 1
    return bytes([x >> 4, (x & 15) << 4 | right >> 8, right & 255, y >> 4, (y & 15) << 4 | low >> 8, low & 255])


def area(x, y, width, height):
    return b"\x05" + corners(x, y, width, height)


def fields(top, bottom):
    return b"\x06" + struct.pack(">HH", top, bottom)


def changes(parts):
    """CHG_COLCON: ((first line, last line), [(column, colors, contrasts)])."""
    body = b""
    for (first, last), columns in parts:
        body += struct.pack(">HH", first, len(columns) << 12 | last)
        for start, chosen, opaque in columns:
            body += struct.pack(">H", start) + nibbles(chosen) + nibbles(opaque)
    body += b"\x0F\xFF\xFF\xFF"
    return b"\x07" + struct.pack(">H", 2 + len(body)) + body


def sequences(pixels, steps):
    """A unit of pixel data and control sequences (delay, commands)."""
    offset = 4 + len(pixels)
    control = b""
    for number, (delay, commands) in enumerate(steps):
        here = offset + len(control)
        body = commands + b"\xFF"
        following = here + 4 + len(body) if number + 1 < len(steps) else here
        control += struct.pack(">HH", delay, following) + body
    return struct.pack(">HH", offset + len(control), offset) + pixels + control


def unit(pixels, steps, top=None, bottom=None):
    """A unit; the first step gets the offsets of the fields. With `top`, that is the only field."""
    if top is not None:
        data, places = run_lengths(top), fields(4, 4)
    else:
        first, second = run_lengths(pixels[0::2]), run_lengths(pixels[1::2])
        data, places = first + second, fields(4, 4 + len(first))
    (delay, commands), *later = steps
    # The display begins after all other commands.
    return sequences(data, [(delay, places + commands)] + later)


def large_unit(pixels, x, y, entries, transparency, stop):
    """A unit of HD DVD: 32-bit offsets, pixels of eight bits."""
    def line(row):
        bits, at = "", 0
        while at < len(row):
            end = at + 1
            while end < len(row) and row[end] == row[at]:
                end += 1
            count, value = end - at, row[at]
            colour = "0" + format(value, "02b") if value < 4 else "1" + format(value, "08b")
            if end == len(row) and count > 9:
                bits += "1" + colour + "1" + "0000000"
            elif count == 1:
                bits += "0" + colour
            elif count < 10:
                bits += "1" + colour + "0" + format(count - 2, "03b")
            else:
                count = min(count, 136)
                bits += "1" + colour + "1" + format(count - 9, "07b")
                end = at + count
            at = end
        bits += "0" * (-len(bits) % 8)
        return bytes(int(bits[place:place + 8], 2) for place in range(0, len(bits), 8))

    first = b"".join(line(row) for row in pixels[0::2])
    data = first + b"".join(line(row) for row in pixels[1::2])
    offset = 10 + len(data)
    show = b"\x83" + b"".join(bytes(entry) for entry in entries) + b"\x84" + bytes(transparency)
    show += b"\x85" + corners(x, y, len(pixels[0]), len(pixels)) + b"\x86" + struct.pack(">II", 10, 10 + len(first)) + START + b"\xFF"
    end = offset + 6 + len(show)
    control = struct.pack(">HI", 0, end) + show + struct.pack(">HI", stop, end) + STOP + b"\xFF"
    return struct.pack(">HII", 0, offset + len(control), offset) + data + control


def stamp(clock, mark=0x20):
    return bytes([mark | 1 | clock >> 29 & 0x0E, clock >> 22 & 0xFF, clock >> 14 & 0xFE | 1,
                  clock >> 7 & 0xFF, clock << 1 & 0xFE | 1])


def pes(payload, clock, stream, stuffing=0, mpeg1=False):
    """A packet of private stream 1."""
    if mpeg1:
        head = b"\xFF" * stuffing + b"\x60\x04" + (stamp(clock) if clock is not None else b"\x0F")
    else:
        times = stamp(clock) if clock is not None else b""
        head = bytes([0x81, 0x80 if times else 0, len(times) + stuffing]) + times + b"\xFF" * stuffing
    body = head + bytes([0x20 + stream]) + payload
    return b"\0\0\1\xBD" + struct.pack(">H", len(body)) + body


def packs(payload, clock, stream=0, split=1900, stuffing=0, mpeg1=False):
    """The unit in packs of 2048 bytes, at most `split` bytes of it in each."""
    out, first = b"", True
    while payload:
        part, payload = payload[:split], payload[split:]
        if mpeg1:
            pack = b"\0\0\1\xBA" + stamp(clock) + bytes([0x80, 0x01, 0x89])
        else:
            pack = b"\0\0\1\xBA" + bytes([
                0x44 | clock >> 27 & 0x38 | clock >> 28 & 3, clock >> 20 & 0xFF,
                clock >> 12 & 0xF8 | 4 | clock >> 13 & 3, clock >> 5 & 0xFF, clock << 3 & 0xF8 | 4, 1, 1, 0x89, 0xC3, 0xF8])
        pack += pes(part, clock if first else None, stream, stuffing, mpeg1)
        room = 2048 - len(pack) - 6
        out += pack + b"\0\0\1\xBE" + struct.pack(">H", room) + b"\xFF" * room
        first = False
    return out


def index_text(streams, size, palette, org=(0, 0), scale=100, alpha=100, offset=0, custom=None, langidx=0):
    """An .idx file; `streams` are (language, number, lines, times): (milliseconds, offset) or a line."""
    def clock(milliseconds):
        return "%02d:%02d:%02d:%03d" % (milliseconds // 3600000, milliseconds // 60000 % 60, milliseconds // 1000 % 60, milliseconds % 1000)

    lines = ["# VobSub index file, v7 (do not modify this line!)", "size: %dx%d" % size, "org: %d, %d" % org,
             "scale: %d%%, %d%%" % (scale, scale), "alpha: %d%%" % alpha, "smooth: OFF", "fadein/out: 50, 50",
             "align: OFF at LEFT TOP", "time offset: %d" % offset, "forced subs: OFF"]
    if palette:
        lines.append("palette: " + ", ".join(palette))
    chosen, bits = custom or (["000000"] * 4, "0000")
    lines.append("custom colors: %s, tridx: %s, colors: %s" % ("ON" if custom else "OFF", bits, ", ".join(chosen)))
    lines += ["langidx: %d" % langidx, ""]
    for language, number, extra, times in streams:
        lines += ["# another language", "id: %s, index: %d" % (language, number)] + extra
        for entry in times:
            lines.append(entry if isinstance(entry, str) else "timestamp: %s, filepos: %09x" % (clock(entry[0]), entry[1]))
        lines.append("")
    return ("\r\n".join(lines)).encode()


def information(palette, languages):
    """A title set's information file: VTSI_MAT, and VTS_PGCIT with one program chain."""
    main = bytearray(2048)
    main[0:12] = b"DVDVIDEO-VTS"
    main[0xCC:0xD0] = struct.pack(">I", 1)
    main[0x200:0x202] = bytes([0x40 | 0x10, 0])  # MPEG-2, 625/50, 720 × 576
    main[0x254:0x256] = struct.pack(">H", len(languages))
    chain = bytearray(0xEC)
    for place, (language, stream) in enumerate(languages):
        main[0x256 + 6 * place:0x25C + 6 * place] = bytes([1, 0]) + language.encode() + bytes(2)
        chain[0x1C + 4 * place:0x20 + 4 * place] = bytes([0x80 | stream, stream, stream, stream])
    chain[0xA4:0xE4] = b"".join(bytes((0,) + entry) for entry in palette)
    table = struct.pack(">HHI", 1, 0, 16 + len(chain) - 1) + struct.pack(">II", 0x81000000, 16) + bytes(chain)
    return bytes(main) + table
