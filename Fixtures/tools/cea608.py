#!/usr/bin/env python3
"""Writes the conformance set of CEA-608: cea608.py FOLDER.

Each file NAME.scc has the data of some rules, and NAME.SERVICE.screens the screens that a viewer sees. The screens are
computed here, by a decoder written from 47 CFR 79.101 and CTA-608-E that shares nothing with Undertext's.
"""
import random
import sys
from pathlib import Path

COLORS = ["white", "green", "blue", "cyan", "red", "yellow", "magenta"]
STANDARD = {0x2A: "á", 0x5C: "é", 0x5E: "í", 0x5F: "ó", 0x60: "ú", 0x7B: "ç", 0x7C: "÷", 0x7D: "Ñ", 0x7E: "ñ", 0x7F: "█"}
SPECIAL = ["®", "°", "½", "¿", "™", "¢", "£", "♪", "à", None, "è", "â", "ê", "î", "ô", "û"]
SPANISH_FRENCH = "ÁÉÓÚÜü‘¡*’—©℠•“”" "ÀÂÇÈÊËëÎÏïÔÙùÛ«»"
PORTUGUESE_GERMAN = "ÃãÍÌìÒòÕõ{}\\^_|~" "ÄäÖöß¥¤│ÅåØø┌┐└┘"
# Rows of preamble address codes: first byte and bit 5 of the second one.
ROWS = {
    1: (0x11, 0), 2: (0x11, 1), 3: (0x12, 0), 4: (0x12, 1), 5: (0x15, 0), 6: (0x15, 1), 7: (0x16, 0), 8: (0x16, 1),
    9: (0x17, 0), 10: (0x17, 1), 11: (0x10, 0), 12: (0x13, 0), 13: (0x13, 1), 14: (0x14, 0), 15: (0x14, 1),
}
ROW_OF = {code: row for row, code in ROWS.items()}
NAMES = dict(
    RCL=0x20, BS=0x21, AOF=0x22, AON=0x23, DER=0x24, RU2=0x25, RU3=0x26, RU4=0x27, FON=0x28, RDC=0x29, TR=0x2A,
    RTD=0x2B, EDM=0x2C, CR=0x2D, ENM=0x2E, EOC=0x2F,
)


def odd(byte):
    return bin(byte).count("1") % 2 == 1


def parity(byte):
    return byte if odd(byte) else byte | 0x80


class Look:
    """Attributes of a character."""

    def __init__(self, color="white", flags="", background=""):
        self.color, self.flags, self.background = color, flags, background

    def with_flag(self, flag, is_on):
        rest = self.flags.replace(flag, "") + (flag if is_on else "")
        return Look(self.color, "".join(f for f in "iuf" if f in rest), self.background)

    def __str__(self):
        return self.color + (" " + self.flags if self.flags else "") + self.background


class Service:
    """One of CC1, CC2, T1, T2 of a field: a dictionary (row, column) -> (character, look) for each memory."""

    def __init__(self, is_text):
        self.is_text = is_text
        self.shown, self.hidden = {}, {}
        self.mode = "text" if is_text else "pop"
        self.depth, self.base = 0, 15
        self.row, self.column = (1 if is_text else 15), 1
        self.look = Look()
        self.is_full = False  # a character is in column 32, where the cursor stays

    @property
    def memory(self):
        return self.hidden if self.mode == "pop" else self.shown

    def write(self, character):
        self.memory.pop((self.row, self.column), None)
        if character is not None:
            self.memory[self.row, self.column] = (character, self.look)
        if self.column < 32:
            self.column += 1
        else:
            self.is_full = True

    def back(self):
        if self.is_full:
            self.is_full = False
        elif self.column == 1:
            return
        else:
            self.column -= 1
        self.memory.pop((self.row, self.column), None)

    def go(self, row, column):
        self.row, self.column, self.is_full = row, column, False

    def shift(self, first, last, by):
        """Moves rows up or down and forgets all others."""
        moved = {(r + by, c): v for (r, c), v in self.shown.items() if first <= r <= last and 1 <= r + by <= 15}
        self.shown.clear()
        self.shown.update(moved)

    def roll(self, depth):
        if self.mode != "roll":
            self.shown, self.hidden = {}, {}
            self.mode, self.depth, self.base = "roll", depth, 15
            self.look = Look()
            self.go(15, 1)
            return
        self.depth = depth
        self.move(max(self.base, depth))

    def move(self, base):
        self.shift(self.base - self.depth + 1, self.base, base - self.base)
        self.base = self.row = base

    def command(self, name):
        if name == "BS":
            self.back()
        elif name == "DER":
            for column in range(self.column, 33):
                self.memory.pop((self.row, column), None)
        elif name == "FON":
            self.write(" ")
            self.look = self.look.with_flag("f", True)
        elif name == "CR":
            if self.mode == "roll":
                self.shift(self.base - self.depth + 2, self.base, -1)
            elif self.mode == "text" and self.row < 15:
                self.row += 1
            elif self.mode == "text":
                self.shift(2, 15, -1)
            else:
                return
            self.look = Look()
            self.go(self.row, 1)

    def preamble(self, row, style, underlined):
        if self.mode == "roll":
            self.move(max(row, self.depth))
        column = 1
        look = Look()
        if style >= 8:
            column = (style - 8) * 4 + 1
        elif style == 7:
            look = Look(flags="i")
        else:
            look = Look(COLORS[style])
        self.look = look.with_flag("u", underlined)
        self.go(row if self.mode in ("pop", "paint") else self.row, column)

    def mid_row(self, style, underlined):
        self.write(" ")
        look = self.look.with_flag("f", False)
        if style == 7:
            look = look.with_flag("i", True)
        else:
            look = look.with_flag("i", False)
            look.color = COLORS[style]
        self.look = look.with_flag("u", underlined)

    def background(self, text):
        self.back()
        self.look = Look(self.look.color, self.look.flags, text)
        self.write(" ")

    def black(self, underlined):
        self.back()
        self.look = self.look.with_flag("i", False).with_flag("u", underlined)
        self.look.color = "black"
        self.write(" ")

    def dump(self):
        lines = []
        for row in range(1, 16):
            columns = sorted(c for r, c in self.shown if r == row)
            if not columns:
                continue
            text, runs = "", []
            for column in range(columns[0], columns[-1] + 1):
                character, look = self.shown.get((row, column), ("·", "-"))
                text += character
                if runs and runs[-1][1] == str(look):
                    runs[-1][0] += 1
                else:
                    runs.append([1, str(look)])
            lines.append(f"{row} {columns[0] - 1} |{text}|" + ",".join(f"{n}:{look}" for n, look in runs))
        return "\n".join(lines)


class Field:
    """A field: two channels, each with captions and text."""

    def __init__(self, number):
        self.number = number
        self.services = {(channel, is_text): Service(is_text) for channel in (0, 1) for is_text in (False, True)}
        self.is_text = [False, False]
        self.channel = None
        self.previous = None
        self.is_xds = False

    def pair(self, first, second):
        good = odd(first) or first == 0, odd(second) or second == 0
        one, two = first & 0x7F, second & 0x7F
        if 0 < one < 0x20:
            if not all(good):
                self.previous = None
            elif one < 0x10:
                self.previous = None
                self.is_xds = self.number == 2 and one != 0x0F
            elif self.previous == (one, two):
                self.previous = None
            else:
                self.previous = (one, two)
                self.is_xds = False
                self.control(one, two)
            return
        self.previous = None
        if self.channel is None or self.is_xds:
            return
        service = self.services[self.channel, self.is_text[self.channel]]
        for code, is_good in zip((one, two), good):
            if code >= 0x20:
                service.write((STANDARD.get(code) or chr(code)) if is_good else "█")

    def control(self, one, two):
        channel = self.channel = one >> 3 & 1
        one &= 0x17
        captions, text = self.services[channel, False], self.services[channel, True]
        if two < 0x20:
            return
        if one in (0x14, 0x15) and two < 0x30:
            name = next(n for n, code in NAMES.items() if code == two)
            if name in ("TR", "RTD"):
                self.is_text[channel] = True
                if name == "TR":
                    text.shown.clear()
                    text.look = Look()
                    text.go(1, 1)
            elif name in ("RCL", "RDC", "RU2", "RU3", "RU4", "EOC"):
                self.is_text[channel] = False
                if name == "EOC":
                    captions.shown, captions.hidden = captions.hidden, captions.shown
                if name.startswith("RU"):
                    captions.roll(int(name[2]))
                else:
                    captions.mode = "paint" if name == "RDC" else "pop"
            elif name == "EDM":
                captions.shown.clear()
            elif name == "ENM":
                captions.hidden.clear()
            else:
                (text if self.is_text[channel] else captions).command(name)
            return
        service = text if self.is_text[channel] else captions
        is_odd = bool(two & 1)
        if two >= 0x40:
            row = ROW_OF.get((one, two >> 5 & 1))
            if row:
                service.preamble(row, two >> 1 & 15, is_odd)
        elif one == 0x10 and two < 0x30:
            color = (COLORS + ["black"])[two >> 1 & 7]
            if is_odd:
                service.background(f"/{color}~")
            else:
                service.background("" if color == "black" else f"/{color}")
        elif one == 0x11 and two < 0x30:
            service.mid_row(two >> 1 & 7, is_odd)
        elif one == 0x11:
            service.write(SPECIAL[two & 15])
        elif one in (0x12, 0x13):
            service.back()
            service.write((SPANISH_FRENCH if one == 0x12 else PORTUGUESE_GERMAN)[two - 0x20])
        elif one == 0x17 and two in (0x21, 0x22, 0x23):
            # The cursor passes over a character in column 32, as over any other.
            service.go(service.row, min(32, service.column + (1 if service.is_full else 0) + two - 0x20))
        elif one == 0x17 and two == 0x2D:
            service.background("/-")
        elif one == 0x17 and two in (0x2E, 0x2F):
            service.black(is_odd)


# The sent data.

def code(first, second, channel=0, times=2):
    return [(parity(first | channel << 3), parity(second))] * times


def command(name, channel=0, field=0, times=2):
    return code(0x14 | field, NAMES[name], channel, times)


def pac(row, style=8, underlined=False, channel=0):
    first, bit = ROWS[row]
    return code(first, 0x40 | bit << 5 | style << 1 | underlined, channel)


def mid(style, underlined=False, channel=0):
    return code(0x11, 0x20 | style << 1 | underlined, channel)


def text(words):
    codes = [parity(ord(c)) for c in words]
    if len(codes) % 2:
        codes.append(0x80)
    return list(zip(codes[::2], codes[1::2]))


def chars(codes):
    codes = [parity(c) for c in codes] + [0x80] * (len(codes) % 2)
    return list(zip(codes[::2], codes[1::2]))


def nulls(count):
    return [(0x80, 0x80)] * count


def pop_on():
    data = []
    for row, words in [(15, "First caption"), (1, "At the top"), (8, "In the middle")]:
        data += command("RCL") + command("ENM") + pac(row) + text(words) + command("EOC") + nulls(20)
    data += command("EOC") + nulls(9) + command("EDM") + nulls(9)
    # Two captions in the same memory, erased in part.
    data += command("RCL") + pac(14) + text("one") + pac(15, 10) + text("two") + command("EOC") + nulls(20)
    data += command("RCL") + command("ENM") + pac(3, 9) + text("never shown") + command("ENM") + command("EOC")
    return data + nulls(9) + command("EDM")


def paint_on():
    data = command("RDC") + pac(12) + text("Paint-on appears at once") + pac(12, 10) + text("XX") + nulls(5)
    data += pac(13, 12) + code(0x17, 0x22) + text("tab") + code(0x17, 0x21) + text("more") + nulls(3)
    data += pac(12) + command("DER") + nulls(3) + command("EDM") + pac(15) + text("CR has no effect")
    return data + command("CR") + text("here") + nulls(4) + command("EDM")


def roll_up():
    data = []
    for depth in (2, 3, 4):
        data += command("EDM") + command(f"RU{depth}")
        for line in ("first line", "second line", "third line", "fourth line", "fifth"):
            data += command("CR") + pac(15 if depth < 4 else 11) + text(line) + nulls(4)
    data += command("RU2") + nulls(3) + command("CR") + text("in two rows") + nulls(3)
    data += pac(1) + text("moved up") + nulls(2) + pac(6, 10) + text("moved down") + nulls(3)
    data += command("RCL") + pac(2) + text("loaded meanwhile") + command("EOC") + nulls(5)
    return data + command("RU3") + text("erases that") + nulls(3) + command("EDM")


def attributes():
    data = command("RDC")
    for style in range(8):
        data += pac(1 + style, style, style % 2 == 1) + text("preamble") + mid(7 - style, style % 2 == 0) + text("mid")
    data += pac(10) + mid(4) + text("red") + mid(7) + text("red italics") + mid(4) + text("red") + nulls(2)
    data += pac(11) + text("a") + command("FON") + text("flashing") + mid(0) + text("still")
    for row, offset in ((12, 0), (13, 8)):
        data += pac(row)
        for index in range(8):
            data += text("x ") + code(0x10, 0x20 | (offset + index) % 16)
    data += pac(14) + text("a ") + code(0x17, 0x2D) + text("none ") + code(0x10, 0x20) + text("b ")
    return data + code(0x17, 0x2E) + text("black ") + code(0x17, 0x2F) + text("line") + nulls(3)


def characters():
    data = command("RDC") + pac(1) + chars(range(0x20, 0x40)) + pac(2) + chars(range(0x40, 0x60))
    data += pac(3) + chars(range(0x60, 0x80)) + pac(4)
    for second in range(0x30, 0x40):
        data += code(0x11, second)
    for row, first in ((5, 0x12), (6, 0x13)):
        data += pac(row)
        for second in range(0x20, 0x40):
            data += text("e") + code(first, second)
    # Without a character before it, and sent once.
    return data + pac(7) + code(0x12, 0x22) + code(0x13, 0x22, times=1) + text("x") + nulls(3)


def cursor():
    full = "abcdefghijklmnopqrstuvwxyzABCDEF"
    data = command("RDC") + pac(1) + text(full + "overwritten!") + pac(2) + text(full) + command("BS", times=1)
    data += pac(3) + text(full) + code(0x12, 0x21) + pac(4) + text(full) + command("DER")
    data += pac(5, 15) + text("five") + code(0x17, 0x23) + text("!") + pac(6) + command("BS") + text("start")
    data += nulls(1) + command("BS", times=1) + nulls(1) + command("BS", times=1) + pac(7) + text(full)
    data += mid(3) + text("#") + pac(8, 9) + text("erased from here") + pac(8, 11) + command("DER")
    return data + pac(9, 8) + code(0x11, 0x39) + text("a") + code(0x11, 0x39) + text("b") + pac(9) + text("X")


def channels():
    data = command("RDC") + pac(15) + text("CC1") + command("RDC", 1) + pac(14, channel=1) + text("CC2 here")
    data += command("RDC") + text(" goes on") + nulls(3) + command("TR") + text("text of T1") + command("CR")
    data += text("second") + command("RTD", 1) + text("text of T2") + command("RDC") + text("!") + nulls(2)
    for number in range(16):
        data += command("RTD") + command("CR") + text(f"row {number}")
    data += command("EDM") + nulls(2) + command("EDM", 1) + nulls(2) + command("TR") + nulls(2)
    return data


def field_2():
    data = command("RU2", field=1) + pac(15) + text("Field 2") + nulls(2)
    title = [1, 3] + [ord(c) for c in "A program"] + [0x0F]
    pairs = chars([1, 3]) + text("A program") + [(parity(0x0F), parity(-sum(title) & 0x7F))]
    data += pairs[:3] + command("RU2", field=1) + text("!") + chars([2, 3]) + pairs[3:]
    return data + command("CR", field=1) + text("after XDS") + nulls(2) + command("EDM", field=1)


def wrong_parity():
    data = command("RDC") + pac(15) + [(0x61, 0x62)] + [(0xE1, 0x62)] + [(0x61, 0xE2)] + nulls(1)
    data += [(0x94, 0xAC), (0x14, 0x2C)] + text("still") + [(0x14, 0x2C), (0x94, 0x2C)] + nulls(1) + [(0, 0)]
    return data + text("x") + nulls(2)


def repetition():
    data = command("RU4") + pac(15)
    for times in (1, 2, 3, 4):
        data += text("a") + command("CR", times=times)
    data += text("bbbb") + nulls(1) + text("bbbb") + command("CR", times=1) + nulls(1) + command("CR", times=1)
    data += command("BS", 1, times=1) + command("BS", times=1) + command("BS", 1, times=1) + text("end")
    return data + nulls(2)


def noise():
    """All kinds of codes in a random order, most of them meaningful."""
    source = random.Random(608)
    data = command("RU3")
    for _ in range(3000):
        kind = source.random()
        channel = source.random() < 0.1
        if kind < 0.45:
            data += chars([source.randrange(0x20, 0x80) for _ in range(2)])
        elif kind < 0.6:
            data += code(source.randrange(0x10, 0x18), source.randrange(0x40, 0x80), channel, source.choice((1, 2, 2)))
        elif kind < 0.75:
            # 0x15 would make readers of SCC take the line for field 2.
            first = source.choice((0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17))
            data += code(first, source.randrange(0x20, 0x40), channel, source.choice((1, 2, 2)))
        elif kind < 0.9:
            data += command(source.choice(list(NAMES)), channel, times=source.choice((1, 2, 2, 3)))
        elif kind < 0.95:
            data += nulls(1)
        else:
            pair = [parity(source.randrange(0x80)) for _ in range(2)]
            pair[source.randrange(2)] ^= 0x80
            data.append(tuple(pair))
    return data


SETS = dict(
    pop_on=["CC1"], paint_on=["CC1"], roll_up=["CC1"], attributes=["CC1"], characters=["CC1"], cursor=["CC1"],
    channels=["CC1", "CC2", "T1", "T2"], field_2=["CC3"], wrong_parity=["CC1"], repetition=["CC1"],
    noise=["CC1", "CC2", "T1"],
)


def timecode(frame):
    return f"{frame // 108000:02}:{frame // 1800 % 60:02}:{frame // 30 % 60:02}:{frame % 30:02}"


def main(folder):
    for name, services in SETS.items():
        data = globals()[name]()
        lines, frame = ["Scenarist_SCC V1.0", ""], 30
        for start in range(0, len(data), 300):
            pairs = data[start:start + 300]
            words = " ".join(f"{one:02x}{two:02x}" for one, two in pairs)
            lines += [f"{timecode(frame + start)}\t{words}", ""]
        (folder / f"{name}.scc").write_text("\n".join(lines), encoding="utf-8")
        for service in services:
            number = int(service[-1]) - 1
            key = number % 2, service.startswith("T")
            field, blocks, last = Field(number // 2 + 1), [], ""
            for index, (one, two) in enumerate(data):
                field.pair(one, two)
                screen = field.services[key].dump()
                if screen != last:
                    blocks.append(f"@{frame + index}\n{screen}".strip())
                    last = screen
            (folder / f"{name}.{service}.screens").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
