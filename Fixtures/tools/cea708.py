#!/usr/bin/env python3
"""Writes the conformance set of CEA-708: cea708.py FOLDER.

Each file 708-NAME.mcc has the data of some rules, and 708-NAME.SERVICE.screens the windows that a viewer sees. They are
computed here, by a decoder written from CTA-708-E that shares nothing with Undertext's: it keeps characters by their
rows and columns on the screen.
"""
import random
import sys
from fractions import Fraction
from pathlib import Path

G2 = dict(zip(
    [0x25, 0x2A, 0x2C, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x39, 0x3A, 0x3C, 0x3D, 0x3F, *range(0x76, 0x80)],
    "…ŠŒ█‘’“”•™šœ℠Ÿ⅛⅜⅝⅞│┐└─┘┌"))
FONTS = ["default", "mono-serif", "serif", "mono-sans", "sans", "casual", "cursive", "small-caps"]
EDGES = ["none", "raised", "depressed", "uniform", "left-shadow", "right-shadow", "none", "none"]
SIZES = ["small", "standard", "large", "standard"]
LTR, RTL, TTB, BTT = range(4)
OPACITY = ["", "!", "~", "-"]
C1_SIZES = {0x90: 2, 0x91: 3, 0x92: 2, 0x97: 4, **{c: 6 for c in range(0x98, 0xA0)}, **{c: 1 for c in range(0x88, 0x8E)}}


def color(parameter):
    parts = [(parameter >> shift & 3) * 85 for shift in (4, 2, 0)]
    return "%02x%02x%02x" % tuple(parts) + OPACITY[parameter >> 6]


class Pen:
    def __init__(self, style=1):
        self.font = [0, 1, 2, 3, 4, 3, 4][style - 1]
        self.size, self.edge, self.flags, self.tag = 1, (3 if style > 5 else 0), "", 0
        self.fore, self.back, self.edge_color = 0x3F, (0xC0 if style > 5 else 0), 0

    def __str__(self):
        words = [color(self.fore) + "/" + color(self.back)]
        if SIZES[self.size] != "standard":
            words.append(SIZES[self.size])
        if FONTS[self.font] != "default":
            words.append(FONTS[self.font])
        if EDGES[self.edge] != "none":
            words.append(EDGES[self.edge] + ":" + color(self.edge_color))
        if self.flags:
            words.append(self.flags)
        return " ".join(words)


class Window:
    def __init__(self, parameters):
        self.text = {}  # (row, column) -> (character, pen as text); lines may be longer than the window
        self.parameters = None
        self.style(1)
        self.pen = Pen()
        self.row = self.column = 0
        self.define(parameters, True)

    def style(self, number):
        self.justify = 2 if number in (3, 6) else 0
        self.wrap = number in (4, 5, 6)
        self.fill = 0xC0 if number in (2, 5) else 0
        self.print, self.scroll = (TTB, RTL) if number == 7 else (LTR, BTT)

    def define(self, p, is_new=False):
        if p == self.parameters:
            return
        self.parameters = p
        self.visible, self.priority = bool(p[0] & 0x20), p[0] & 7
        self.relative, self.y, self.x = bool(p[1] & 0x80), p[1] & 0x7F, p[2]
        self.anchor, self.rows, self.columns = min(p[3] >> 4, 8), (p[3] & 15) + 1, (p[4] & 63) + 1
        before = self.print
        if p[5] >> 3 & 7:
            self.style(p[5] >> 3 & 7)
        if p[5] & 7:
            self.pen = Pen(p[5] & 7)
        self.turn(before)
        if is_new:
            self.home()

    def attributes(self, p):
        before = self.print
        self.fill, self.justify, self.wrap = p[0], p[2] & 3, bool(p[2] & 0x40)
        self.print, self.scroll = p[2] >> 4 & 3, p[2] >> 2 & 3
        self.turn(before)
        if not any(c for c, _ in self.text.values()):
            self.home()

    @property
    def vertical(self):
        return self.print in (TTB, BTT)

    # Lines and positions in them, both from the beginning of printing.

    @property
    def line_count(self):
        return self.columns if self.vertical else self.rows

    @property
    def length(self):
        return self.rows if self.vertical else self.columns

    @property
    def line(self):
        return self.column if self.vertical else self.row

    @property
    def place(self):
        return {LTR: self.column, RTL: self.columns - 1 - self.column, TTB: self.row, BTT: self.rows - 1 - self.row}[self.print]

    def at(self, line, place):
        return {LTR: (line, place), RTL: (line, self.columns - 1 - place), TTB: (place, line),
                BTT: (self.rows - 1 - place, line)}[self.print]

    def go(self, line, place):
        self.row, self.column = self.at(line, place)

    def turn(self, before):
        """Windows that change keep their lines in the order of printing, as far as they have room."""
        after, self.print = self.print, before
        rows, columns = self.rows, self.columns
        self.rows, self.columns = getattr(self, "size", (rows, columns))
        lines = {}
        for (row, column), cell in self.text.items():
            saved, self.row, self.column = (self.row, self.column), row, column
            lines[self.line, self.place] = cell
            self.row, self.column = saved
        line, place = self.line, self.place
        self.rows, self.columns, self.print = rows, columns, after
        self.size = rows, columns
        self.text = {self.at(*key): cell for key, cell in lines.items() if key[0] < self.line_count and key[1] < self.length}
        self.go(min(line, self.line_count - 1), min(place, self.length))

    def home(self):
        self.go(self.line_count - 1 if self.upwards else 0, 0)

    @property
    def upwards(self):
        return self.scroll == (LTR if self.vertical else TTB)

    def write(self, character):
        """Returns 1 for a character that is lost."""
        line, place = self.line, self.place
        if place >= self.length and self.wrap:
            if character in (None, " "):
                self.carriage_return()
                return 0
            word = []
            last = max((p for l, p in map(self.key, self.text) if l == line), default=-1)
            while last >= 0 and self.text.get(self.at(line, last), (None,))[0] not in (None, " "):
                word.insert(0, self.text[self.at(line, last)])
                last -= 1
            if last < 0:
                word = []
            for index in range(len(word)):
                del self.text[self.at(line, last + 1 + index)]
            self.carriage_return()
            line = self.line
            if word:
                for key in [k for k in self.text if self.key(k)[0] == line]:
                    del self.text[key]
                for index, cell in enumerate(word):
                    self.text[self.at(line, index)] = cell
            place = len(word)
        if place >= 64:
            return 1
        pen = str(self.pen) if character is not None else ""
        if character is not None and self.pen.tag == 15:
            pen = "hidden"
        self.text[self.at(line, place)] = (character, pen)
        self.go(line, place + 1)
        return 0

    def key(self, position):
        row, column = position
        return {LTR: (row, column), RTL: (row, self.columns - 1 - column), TTB: (column, row),
                BTT: (column, self.rows - 1 - row)}[self.print]

    def carriage_return(self):
        step = -1 if self.upwards else 1
        if 0 <= self.line + step < self.line_count:
            self.go(self.line + step, 0)
            return
        moved = {}
        for position, cell in self.text.items():
            line, place = self.key(position)
            if 0 <= line - step < self.line_count:
                moved[self.at(line - step, place)] = cell
        self.text = moved
        self.go(self.line, 0)

    def dump(self, number):
        if not self.visible:
            return ""
        cells = {self.key(k): v for k, v in self.text.items() if v[0] is not None and v[1] != "hidden"}
        if not any(c not in (" ", "\u00a0") for c, _ in cells.values()):
            return ""
        width, height = min(Fraction(1), Fraction(self.columns, 42)), min(Fraction(1), Fraction(self.rows, 15))
        x = Fraction(self.x, 100 if self.relative else 210) - width * (self.anchor % 3) / 2
        y = Fraction(self.y, 100 if self.relative else 75) - height * (self.anchor // 3) / 2
        x, y = max(Fraction(0), min(x, 1 - width)), max(Fraction(0), min(y, 1 - height))
        box = [10 + 80 * x, 10 + 80 * y, 80 * width, 80 * height]
        words = [f"window {number}", " ".join(hundredths(v) for v in box)]
        if self.priority:
            words.append(f"priority {self.priority}")
        words.append("fill " + color(self.fill))
        if self.justify:
            words.append(["left", "right", "center", "full"][self.justify])
        if self.print != LTR:
            words.append("print " + ["lr", "rl", "tb", "bt"][self.print])
        lines = [", ".join(words)]
        for line in sorted({key[0] for key in cells}):
            last = max(place for l, place in cells if l == line)
            text, runs = "", []
            for place in range(last + 1):
                character, look = cells.get((line, place), ("·", "-"))
                text += character
                if runs and runs[-1][1] == look:
                    runs[-1][0] += 1
                else:
                    runs.append([1, look])
            lines.append(f"{line} |{text}|" + ",".join(f"{n}:{look}" for n, look in runs))
        return "\n".join(lines)


def hundredths(value):
    number = (value * 100 + Fraction(1, 2)).__floor__()
    return f"{number // 100}.{number % 100:02}"


class Service:
    """The windows of a service, and its input buffer with the delays."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.windows, self.current = {}, None
        self.buffer, self.until = [], None

    def feed(self, data, now):
        self.buffer += data
        self.run(now)

    def advance(self, now, changed):
        while self.until is not None and self.until <= now:
            then, self.until = self.until, None
            self.run(then)
            changed(then)

    def size(self, data):
        """Bytes of the first code; None if it is not there yet."""
        first = data[0]
        if first == 0x10:
            if len(data) < 2:
                return None
            second = data[1]
            if second < 0x20:
                return 2 + second // 8
            if 0x80 <= second < 0x88:
                return 6
            if 0x88 <= second < 0x90:
                return 7
            if 0x90 <= second < 0xA0:
                return 3 + (data[2] & 63) if len(data) > 2 else None
            return 2
        if first < 0x20:
            return 1 if first < 0x10 else 2 if first < 0x18 else 3
        return 1 + C1_SIZES.get(first, 0)

    def split(self, data):
        codes, rest = [], list(data)
        while rest:
            size = self.size(rest)
            if size is None or size > len(rest):
                break
            codes.append(rest[:size])
            rest = rest[size:]
        return codes

    def run(self, now):
        while True:
            if self.until is not None:
                codes = self.split(self.buffer)
                names = [c[0] for c in codes]
                stops = [i for i, n in enumerate(names) if n in (0x8E, 0x8F)]
                if stops and names[stops[0]] == 0x8F:
                    rest = self.buffer[sum(map(len, codes[:stops[0] + 1])):]
                    self.reset()
                    self.buffer = rest
                elif stops or len(self.buffer) >= 128:
                    self.until = None
                else:
                    return
            codes = self.split(self.buffer[:80])
            if not codes:
                return
            self.buffer = self.buffer[len(codes[0]):]
            self.code(codes[0], now)

    def code(self, c, now):
        first = c[0]
        if first == 0x8D:
            if c[1]:
                self.until = now + Fraction(c[1], 10)
        elif first == 0x8F:
            rest = self.buffer
            self.reset()
            self.buffer = rest
        elif 0x80 <= first < 0x88:
            self.current = first & 7
        elif 0x98 <= first:
            if first < 0xA0:
                self.current = first & 7
                if self.current in self.windows:
                    self.windows[self.current].define(c[1:])
                else:
                    self.windows[self.current] = Window(c[1:])
        if 0x88 <= first <= 0x8C:
            for number in range(8):
                window = self.windows.get(number)
                if window is None or not c[1] >> number & 1:
                    continue
                if first == 0x88:
                    window.text = {}
                elif first == 0x8C:
                    del self.windows[number]
                else:
                    window.visible = {0x89: True, 0x8A: False, 0x8B: not window.visible}[first]
        window = self.windows.get(self.current)
        if window is None:
            return
        pen = window.pen
        if first == 0x08:
            if window.place > 0:
                window.go(window.line, window.place - 1)
                window.text.pop((window.row, window.column), None)
        elif first == 0x0C:
            window.text = {}
            window.home()
        elif first == 0x0D:
            window.carriage_return()
        elif first == 0x0E:
            line = window.line
            window.text = {k: v for k, v in window.text.items() if window.key(k)[0] != line}
            window.go(line, 0)
        elif first == 0x90:
            pen.tag, pen.size = c[1] >> 4, c[1] & 3
            pen.flags = ("i" if c[2] & 0x80 else "") + ("u" if c[2] & 0x40 else "")
            pen.edge, pen.font = c[2] >> 3 & 7, c[2] & 7
        elif first == 0x91:
            pen.fore, pen.back, pen.edge_color = c[1], c[2], c[3] & 63
        elif first == 0x92:
            row, column = c[1] & 15, c[2] & 63
            if window.vertical:
                window.column, window.row = min(column, window.columns - 1), min(row, window.rows - 1)
            else:
                window.row, window.column = min(row, window.rows - 1), min(column, window.columns - 1)
        elif first == 0x97:
            window.attributes(c[1:])
        elif first == 0x10:
            second = c[1]
            if second in (0x20, 0x21):
                window.write(None)
            elif 0x20 <= second < 0x80 or second >= 0xA0:
                window.write("㏄" if second == 0xA0 else G2.get(second, "_"))
        elif first == 0x18:
            number = c[1] << 8 | c[2]
            window.write("\ufffd" if 0xD800 <= number < 0xE000 else chr(number))
        elif first == 0x7F:
            window.write("♪")
        elif 0x20 <= first < 0x80 or first >= 0xA0:
            window.write(chr(first))

    def dump(self):
        return "\n".join(filter(None, (self.windows[n].dump(n) for n in sorted(self.windows))))


# The sent data: codes of a service.

def text(words):
    return [ord(c) for c in words]


def window(number, rows=2, columns=32, y=60, x=25, anchor=0, visible=False, priority=0, relative=False, style=1, pen=1):
    return [0x98 + number, (0x20 if visible else 0) | 0x18 | priority, (0x80 if relative else 0) | y, x,
            anchor << 4 | rows - 1, columns - 1, style << 3 | pen]


def some(code, *numbers):
    return [code, sum(1 << n for n in numbers)]


def clear(*n):
    return some(0x88, *n)


def display(*n):
    return some(0x89, *n)


def hide(*n):
    return some(0x8A, *n)


def toggle(*n):
    return some(0x8B, *n)


def delete(*n):
    return some(0x8C, *n)


def delay(tenths):
    return [0x8D, tenths]


def current(number):
    return [0x80 + number]


def pen(size=1, offset=1, tag=0, italic=0, underline=0, edge=0, font=0):
    return [0x90, tag << 4 | offset << 2 | size, italic << 7 | underline << 6 | edge << 3 | font]


def colors(fore=0x3F, back=0, edge=0):
    return [0x91, fore, back, edge]


def at(row, column):
    return [0x92, row, column]


def attributes(fill=0, justify=0, direction=0, scroll=3, wrap=0, border=0, border_color=0, effect=0):
    return [0x97, fill, (border & 3) << 6 | border_color, border >> 2 << 7 | wrap << 6 | direction << 4 | scroll << 2 | justify, effect]


CR, HCR, BS, FF, ETX, DLC, RST = [0x0D], [0x0E], [0x08], [0x0C], [0x03], [0x8E], [0x8F]


def wait(frames):
    return ("wait", frames)


def pop_on():
    """Two windows in turn, written out of sight."""
    data = []
    for number, words in enumerate(["First caption", "The second one", "And a third"]):
        w = number % 2
        data += [window(w) + text(words) + ETX, display(w) + hide(1 - w) + ETX, wait(20)]
    return data + [toggle(0, 1), wait(10), clear(1), wait(5), delete(0, 1), wait(3)]


def roll_up():
    data = [window(0, rows=3, visible=True, style=4)]
    for line in ("first line", "second line", "third line", "fourth line", "fifth"):
        data += [text(line) + ETX, wait(4), CR, wait(4)]
    data += [HCR + text("again"), wait(2), HCR, wait(2), FF + text("from the top"), wait(3)]
    data += [attributes(scroll=2), FF + text("down"), CR + text("wards"), CR + text("it"), wait(2), CR + text("goes"), wait(3)]
    return data + [BS * 3, wait(2), BS * 9, wait(2), delete(0)]


def definitions():
    data = []
    for anchor in range(9):
        data += [window(anchor % 8, rows=2, columns=10, y=37, x=105, anchor=anchor, visible=True) + text(f"at {anchor}"), wait(3)]
    data += [delete(*range(8)), wait(2)]
    for anchor in range(9):
        data += [window(anchor % 8, rows=1, columns=12, y=98, x=95, anchor=anchor, visible=True, relative=True) + text(f"rel {anchor}"), wait(3)]
    data += [RST, window(2, visible=True, rows=4, columns=8, priority=5) + text("row 1") + CR + text("row 2") + CR + text("row 3"), wait(2)]
    # The same definition changes nothing, another one moves it, a smaller one loses rows and columns.
    data += [window(2, visible=True, rows=4, columns=8, priority=5) + text("!"), wait(2)]
    data += [window(2, visible=True, rows=4, columns=8, priority=1, y=10, style=0, pen=0) + text("?"), wait(2)]
    data += [window(2, visible=True, rows=2, columns=4, y=10, style=0, pen=0), wait(2), text("xy"), wait(2)]
    data += [window(2, visible=True, rows=12, columns=42, y=74, x=209, style=3, pen=6) + CR + text("larger"), wait(2)]
    # Too large for the screen.
    data += [window(5, visible=True, rows=16, columns=64) + at(15, 63) + text("e"), wait(2), current(6) + text("nowhere"), wait(2)]
    return data + [current(2) + text("here"), wait(2)]


def styles():
    data = []
    for style in range(1, 8):
        data += [window(0, visible=True, rows=3, columns=20, style=style, pen=style) + text(f"Style {style} has words to wrap"), wait(3), delete(0)]
    for fill, justify in [(0x2A, 0), (0x95, 1), (0x6A, 2), (0xFF, 3)]:
        data += [window(1, visible=True, style=2) + attributes(fill=fill, justify=justify, border=5, border_color=9, effect=0x21)
                 + text("first") + CR + text("the second"), wait(3)]
    return data


def looks():
    data = [window(0, rows=8, columns=42, visible=True, y=5, x=0)]
    for font in range(8):
        data += [at(font, 0) + pen(font=font, edge=font, italic=font & 1, underline=font >> 1 & 1) + colors(edge=font * 9) + text(f"font {font} ")
                 + pen(size=font & 3, offset=font % 3) + colors(fore=font * 9, back=63 - font * 9) + text("sized"), wait(2)]
    for opacity in range(4):
        data += [at(opacity, 20) + colors(fore=opacity << 6 | 0x3C, back=0x0F) + text("fore") + colors(back=opacity << 6 | 0x30) + text(" back"), wait(2)]
    return data + [at(5, 20) + pen(tag=15) + text("unseen") + pen(tag=14) + text("seen"), wait(2)]


def characters():
    data = [window(0, rows=15, columns=42, visible=True, y=0, x=0)]
    for row, start in enumerate(range(0x20, 0x80, 0x20)):
        data += [at(row, 0) + list(range(start, start + 0x20)), wait(2)]
    for row, start in enumerate(range(0xA0, 0x100, 0x20)):
        data += [at(3 + row, 0) + list(range(start, start + 0x20)), wait(2)]
    for row, start in enumerate([0x20, 0x40, 0x60, 0xA0, 0xC0, 0xE0]):
        for half in (0, 16):
            data += [at(6 + row, half) + sum(([0x10, start + half + c] for c in range(16)), []), wait(2)]
    data += [at(12, 0) + [0x18, 0x4E, 0x2D, 0x18, 0xAC, 0x00, 0x18, 0xD8, 0x34, 0x18, 0x00, 0x41], wait(2)]
    # Codes without a meaning, by their lengths.
    data += [at(13, 0) + [0x00, 0x01, 0x02, 0x0F, 0x11, 0x41, 0x17, 0x42, 0x19, 0x43, 0x44, 0x1F, 0x45, 0x46, 0x93, 0x96] + text("a"), wait(2)]
    data += [[0x10, 0x00, 0x10, 0x08, 0x41, 0x10, 0x10, 0x41, 0x42, 0x10, 0x1F, 0x41, 0x42, 0x43] + text("b"), wait(2)]
    data += [[0x10, 0x80, 1, 2, 3, 4, 0x10, 0x8F, 1, 2, 3, 4, 5, 0x10, 0x90, 0x03, 0x8F, 0x8F, 0x8F] + text("c"), wait(2)]
    return data


def wrapping():
    data = [window(0, rows=3, columns=10, visible=True, style=4)]
    data += [text("several words that wrap"), wait(2), text(" exactlyten"), wait(2), text(" unbreakablewordhere"), wait(2)]
    data += [FF + attributes(wrap=0) + text("0123456789abcdef"), wait(2), CR + text("y" * 25), text("y" * 25), text("y" * 25), wait(2)]
    return data + [attributes(wrap=1), wait(1), text("w"), wait(2), delete(0)]


def directions():
    data = []
    for direction in range(4):
        for scroll in range(4):
            data += [window(3, rows=4, columns=6, visible=True, style=2) + attributes(fill=0xC0, direction=direction, scroll=scroll)
                     + text("ab") + CR + text("cd") + CR + text("e") + at(1, 4) + text("f"), wait(2)]
            data += [sum((CR + text(c) for c in "12345"), []), wait(2), BS * 2 + FF + text("z"), wait(2), delete(3)]
    # Existing text turns with the direction.
    data += [window(3, rows=3, columns=5, visible=True) + text("abc") + CR + text("de"), wait(2), attributes(direction=2, scroll=1), wait(2)]
    return data + [text("!") + attributes(direction=1) + text("?"), wait(2)]


def delays():
    data = [window(0, visible=True) + text("a") + delay(5) + text("b"), wait(30), text("c") + delay(20) + text("d"), wait(10)]
    data += [text("e"), wait(4), text("f") + DLC + text("g"), wait(4), delay(255) + text("h"), wait(3), text("lost") + RST, wait(3)]
    data += [window(0, visible=True) + delay(255), wait(2)]
    for part in range(6):
        data += [text(f"full buffer part {part}, "), wait(2)]
    data += [CR + text("1") + delay(2) + text("2") + delay(3) + text("3") + delay(0) + text("4"), wait(60), DLC + text("end"), wait(2)]
    return data + [delay(10) + hide(0), wait(5)]


def several():
    """Two windows at once, and two services, one of them with an extended number."""
    data = [window(0, visible=True, y=5) + text("upper"), wait(2), window(1, visible=True, y=65, priority=3) + text("lower"), wait(2)]
    data += [(2, window(0, visible=True) + text("another service")), wait(2), current(0) + text("!"), wait(2), (40, window(7, visible=True) + text("extended")), wait(2)]
    data += [hide(0), wait(2), (2, RST), wait(2), display(0) + delete(1), wait(2), (40, hide(7)), wait(2)]
    return data


def losses():
    """Packets that are missing, cut, or numbered twice; a block that is longer than its packet."""
    data = [window(0, visible=True) + text("whole"), wait(2), ("skip", 1), text(" after a loss"), wait(2)]
    data += [("skip", 3), CR + text("twice"), wait(2)]
    data += [("cut", text(" cut off")), wait(2), ("long", text(" long")), wait(2), ("split", pen(italic=1) + text(" split")), wait(2)]
    return data + [text(" end"), wait(3)]


def noise():
    """All kinds of codes in a random order, most of them meaningful."""
    source = random.Random(708)
    data = []
    for index in range(700):
        kind = source.random()
        if kind < 0.4:
            data.append([source.choice([*range(0x20, 0x7F), 0x20, 0x20, *range(0xA0, 0x100)]) for _ in range(source.randrange(1, 12))])
        elif kind < 0.55:
            data.append([source.choice([0x08, 0x0C, 0x0D, 0x0D, 0x0D, 0x0E, 0x03])])
        elif kind < 0.65:
            data.append(window(source.randrange(8), source.randrange(1, 16), source.randrange(1, 43), source.randrange(75), source.randrange(210),
                               source.randrange(9), source.random() < 0.8, source.randrange(8), source.random() < 0.3, source.randrange(8), source.randrange(8)))
        elif kind < 0.75:
            data.append([source.randrange(0x88, 0x8D), source.randrange(256) & source.randrange(256)])
        elif kind < 0.8:
            data.append([source.randrange(0x90, 0x93), *[source.randrange(256) for _ in range(3)]])
        elif kind < 0.84:
            data.append([0x97] + [source.randrange(256) for _ in range(4)])
        elif kind < 0.88:
            data.append(current(source.randrange(8)))
        elif kind < 0.9:
            data.append([source.choice([0x8E, 0x8F]), 0x8D, source.randrange(30)])
        elif kind < 0.95:
            data.append([0x10] + [source.randrange(256) for _ in range(9)])
        else:
            data.append([source.randrange(256) for _ in range(source.randrange(1, 10))])
        data.append(wait(source.choice((1, 1, 1, 2, 5))))
    return data


SETS = dict(pop_on=[1], roll_up=[1], definitions=[1], styles=[1], looks=[1], characters=[1], wrapping=[1], directions=[1],
            delays=[1], several=[1, 2, 40], losses=[1], noise=[1])
RATE = Fraction(30000, 1001)


# From codes to packets: a list of frames, each a list of triplets.

def block(service, data):
    head = [7 << 5 | len(data), service] if service > 6 else [service << 5 | len(data)]
    return head + data


def packet(number, blocks, size=None):
    data = sum(blocks, [])
    size = size or (len(data) + 2) // 2
    data += [0] * (size * 2 - 1 - len(data))
    return [number << 6 | size & 63] + data


def triplets(data):
    data = data + [0] * (len(data) % 2)
    pairs = list(zip(data[::2], data[1::2]))
    return [(0xFF if i == 0 else 0xFE, a, b) for i, (a, b) in enumerate(pairs)]


def frames_of(data):
    """The frames, and what each service gets of them: the number of the frame, the service, and the bytes."""
    frames, received, number = [[] for _ in range(30)], [], 0
    for item in data:
        if isinstance(item, tuple) and item[0] == "wait":
            frames += [[] for _ in range(item[1])]
            continue
        if isinstance(item, tuple) and item[0] == "skip":
            # Encoders in the field leave numbers out, so windows stay.
            number = number + item[1] & 3
            continue
        kind, service, codes = "", 1, item
        if isinstance(item, tuple):
            kind, codes = item
            if not isinstance(kind, str):
                kind, service = "", kind
        parts = [codes[i:i + 31] for i in range(0, len(codes), 31)]
        if kind == "split":
            parts = [codes[:2], codes[2:]]
        for part in parts:
            sent = packet(number, [block(service, part)])
            got = part
            if kind == "long":
                sent[1] += 9
                got = part + [0] * (len(sent) - 2 - len(part))
            if kind == "cut":
                sent = sent[:6]
                sent[0] += 1
                got = sent[2:]
            number = number + 1 & 3
            frames.append(triplets(sent))
            received.append((len(frames) - 1, service, got))
    return frames, received


def cdp(index, cc):
    cc = cc + [(0xFA, 0, 0)] * (20 - len(cc))
    body = [0x72, 0xE0 | len(cc)] + [b for t in cc for b in t]
    body += [0x73, 0x91, 0xE1, *b"eng", 0xC1, 0x3F, 0xFF]
    counter = [index >> 8 & 255, index & 255]
    data = [0x96, 0x69, 0, 0x4F, 0x67, *counter] + body + [0x74, *counter]
    data[2] = len(data) + 1
    data.append(-sum(data) & 255)
    return data


SHORT = [(bytes([0xFA, 0, 0] * n), chr(70 + n)) for n in range(9, 0, -1)] + [
    (b"\xFB\x80\x80", "P"), (b"\xFC\x80\x80", "Q"), (b"\xFD\x80\x80", "R"), (b"\x96\x69", "S"), (b"\x61\x01", "T"), (b"\xE1\0\0\0", "U"), (b"\0", "Z")]


def shorthand(data):
    data, text, index = bytes(data), "", 0
    while index < len(data):
        for sequence, letter in SHORT:
            if data.startswith(sequence, index):
                text += letter
                index += len(sequence)
                break
        else:
            text += "%02X" % data[index]
            index += 1
    return text


def timecode(frame):
    """Drop-frame: two numbers are left out in each minute but every tenth."""
    tens, rest = divmod(frame, 17982)
    frame += tens * 18 + (0 if rest < 1800 else (rest - 2) // 1798 * 2)
    return f"{frame // 108000:02}:{frame // 1800 % 60:02}:{frame // 30 % 60:02};{frame % 30:02}"


def line21(index):
    """Field 1 of CEA-608 beside the rest: a pop-on caption again and again."""
    pairs = [(0x94, 0x20), (0x94, 0x20), (0x94, 0x70), (0x94, 0x70), (0xB6, 0xB0), (0x38, 0x80), (0x94, 0x2F), (0x94, 0x2F)]
    return pairs[index % 40] if index % 40 < len(pairs) else (0x80, 0x80)


def main(folder):
    for name, services in SETS.items():
        frames, received = frames_of(globals()[name]())
        lines = ["File Format=MacCaption_MCC V1.0", "", "// Made by Fixtures/tools/cea708.py", "", "UUID=00000000-0000-0000-0000-000000000708",
                 "Creation Program=cea708.py", "Creation Date=Monday, January 1, 2024", "Creation Time=00:00:00", "Time Code Rate=30DF", ""]
        for index, cc in enumerate(frames):
            # Frames without captions may be left out.
            if not cc and index % 8 and name != "several":
                continue
            pair = [(0xFC, *line21(index)), (0xFD, 0x80, 0x80)] if name == "several" else []
            data = cdp(index, pair + cc)
            data = [0x61, 0x01, len(data), *data]
            data.append(sum(data) & 255)
            lines.append(f"{timecode(index)}\t{shorthand(data)}")
        (folder / f"708-{name}.mcc").write_text("\r\n".join(lines) + "\r\n", encoding="utf-8")
        for service in services:
            state, blocks, last = Service(), [], ""

            def look(now):
                nonlocal last
                screen = state.dump()
                if screen != last:
                    blocks.append(f"@{(now * 1000 + Fraction(1, 2)).__floor__()}\n{screen}".strip())
                    last = screen

            for index in range(len(frames)):
                now = index / RATE
                state.advance(now, look)
                for frame, number, data in received:
                    if frame == index and number == service:
                        state.feed(data, now)
                look(now)
            state.advance(Fraction(10 ** 9), look)
            (folder / f"708-{name}.SERVICE{service}.screens").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
