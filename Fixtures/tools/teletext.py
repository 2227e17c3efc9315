#!/usr/bin/env python3
"""Writes the conformance set of teletext: teletext.py FOLDER.

Each file teletext-NAME.t42 has lines of 42 bytes that show some rules of EN 300 706, and teletext-NAME.screens the
screens of page 888 that a viewer sees, each with the number of the last line that belongs to it. The screens are computed
here from what is sent, not from the bytes, by a model that shares nothing with Undertext's. teletext.ts has such lines in
a transport stream.
"""
import sys
import unicodedata
from pathlib import Path

from transport import TransportStream

HAMMING = [0x15, 0x02, 0x49, 0x5E, 0x64, 0x73, 0x38, 0x2F, 0xD0, 0xC7, 0x8C, 0x9B, 0xA1, 0xB6, 0xFD, 0xEA]
PLACES = [0x23, 0x24, 0x40, 0x5B, 0x5C, 0x5D, 0x5E, 0x5F, 0x60, 0x7B, 0x7C, 0x7D, 0x7E]
NATIONAL = {
    "en": "£$@←½→↑#―¼‖¾÷", "de": "#$§ÄÖÜ^_°äöüß", "sv": "#¤ÉÄÖÅÜ_éäöåü", "it": "£$é°ç→↑#ùàòèì",
    "fr": "éïàëêùî#èâôûç", "pt": "ç$¡áéíóú¿üñèà", "cs": "#ůčťžýířéáěúš", "pl": "#ńąƵŚŁćóężśłź",
    "tr": "₺ğİŞÖÇÜĞışöçü", "sr": "#ËČĆŽĐŠëčćžđš", "ro": "#¤ŢÂŞĂÎıţâşăî", "et": "#õŠÄÖŽÜÕšäöžü",
    "lt": "#$ŠėęŽčūšąųžį",
}
# By four bits of a region: the options by C12, C13, C14 as a number.
REGIONS = {
    0: ["en", "de", "sv", "it", "fr", "pt", "cs", None], 1: ["pl", "de", "sv", "it", "fr", None, "cs", None],
    2: ["en", "de", "sv", "it", "fr", "pt", "tr", None], 3: [None] * 5 + ["sr", None, "ro"],
    4: ["cyrillic 1", "de", "et", "lt", "cyrillic 2", "cyrillic 3", "cs", None], 6: [None] * 6 + ["tr", "greek"],
    8: ["en", None, None, None, "fr", None, None, "arabic"], 10: [None] * 5 + ["hebrew", None, "arabic"],
}
CYRILLIC = {
    "cyrillic 1": ("чабцдефгхијклмнопќрстувѓљњзћжђш", "џ"),
    "cyrillic 2": ("юабцдефгхийклмнопярстужвьъзшэщч", "ы"),
    "cyrillic 3": ("юабцдефгхийклмнопярстужвьізшєщч", "ї"),
}
# The forms of table 44, from 0x40 on.
ARABIC = [int(word, 16) for word in """
    FE94 0621 FE92 FE8F FE98 FE95 FE8E FE8D FE91 FE93 FE97 FE9B FE9F FEA3 FEA7 FEA9
    FEAB FEAD FEAF FEB3 FEB7 FEBB FEBF FEC1 FEC5 FECB FECF FE9C FEA0 FEA4 FEA8 0023
    0640 FED3 FED7 FEDB FEDF FEE3 FEE7 FEEB FEED FEEF FEF3 FE99 FE9D FEA1 FEA5 FEF4
    FEF0 FECC FED0 FED4 FED1 FED8 FED5 FED9 FEE0 FEDD FEE4 FEE1 FEE8 FEE5 FEFB 25A0""".split()]
G2 = " ¡¢£$¥#§¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿ `´ˆ˜¯˘˙¨.˚¸_˝˛ˇ―¹®©™♪₠‰∝   ⅛⅜⅝⅞ΩÆĐªĦ ĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ■"
SIGNS = " `´ˆ˜¯˘˙¨.˚¸_˝˛ˇ"
GREEK_G2 = " ab£ehi§:‘“k←↑→↓°±²³×mnp÷’”t¼½¾x" + SIGNS + "?¹®©™♪₠‰∝ΊΎΏ⅛⅜⅝⅞CDFGJLQRSUVWYZΆΉcdfgjlqrsuvwyzΈ■"
CYRILLIC_G2 = G2[:48].replace("$", " ", 1).replace("¤", " ") + "―¹®©™♪₠‰∝Łłß⅛⅜⅝⅞DEFGIJKLNQRSUVWZdefgijklnqrsuvwz"
ARABIC_G2 = "".join(unicodedata.normalize("NFKC", chr(int(word, 16))) for word in """
    0020 FEC9 FECA FE83 FE85 FE87 FE8B FE89 FB7C FB7D FB7A FB58 FB59 FB56 FB6D FB8E 0660 0661 0662 0663 0664 0665 0666
    0667 0668 0669 FECE FECD""".split()) + "\ufefb\u0647\u0647\u0647" + (
    "àABCDEFGHIJKLMNOPQRSTUVWXYZëêùî\u0639éabcdefghijklmnopqrstuvwxyzâôûç ")
SUPPLEMENTARY = {"greek": GREEK_G2, "arabic": ARABIC_G2, "hebrew": ARABIC_G2} | dict.fromkeys(CYRILLIC, CYRILLIC_G2)
MARKS = [None] + [unicodedata.lookup("COMBINING " + name) for name in (
    "GRAVE ACCENT,ACUTE ACCENT,CIRCUMFLEX ACCENT,TILDE,MACRON,BREVE,DOT ABOVE,DIAERESIS,DOT BELOW,RING ABOVE,"
    "CEDILLA,LOW LINE,DOUBLE ACUTE ACCENT,OGONEK,CARON").split(",")]
COLORS = """000000 ff0000 00ff00 ffff00 0000ff ff00ff 00ffff ffffff ------ 770000 007700 777700 000077 770077 007777 777777
    ff0055 ff7700 00ff77 ffffbb 00ccaa 550000 665522 cc7777 333333 ff7777 77ff77 ffff77 7777ff ff77ff 77ffff dddddd""".split()
TABLES = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2), (2, 3)]


# The sent data.

def parity(code):
    return code if bin(code).count("1") % 2 else code | 0x80


def triplet(value, wrong=0):
    """Three bytes of Hamming 24/18; `wrong`: how many bits of them are inverted."""
    places = [i for i in range(1, 24) if i not in (1, 2, 4, 8, 16)]
    bits = {place: value >> index & 1 for index, place in enumerate(places)}
    for check in (1, 2, 4, 8, 16):
        bits[check] = 1 ^ sum(bits[i] for i in places if i & check) & 1
    bits[24] = 1 ^ sum(bits.values()) & 1
    for index in range(wrong):
        bits[11 + 3 * index] ^= 1
    word = sum(bit << place - 1 for place, bit in bits.items())
    return word.to_bytes(3, "little")


def codes(*parts):
    """Codes of strings and numbers."""
    result = []
    for part in parts:
        result += [ord(c) for c in part] if isinstance(part, str) else [part]
    return result


def box(*parts):
    return [0x0B, 0x0B] + codes(*parts) + [0x0A, 0x0A]


def place(column, mode, data):
    """A triplet with an address of a column."""
    return column | mode << 6 | data << 11


def at(row, mode=4, data=0):
    """A triplet with an address of a row."""
    return place(40 if row == 24 else 40 + row, mode, data)


END = place(63, 0x1F, 0)
RESERVED = place(0, 5, 0)


class Presentation(dict):
    """What X/28 and M/29 say; what is missing is the default."""

    def bytes(self, code):
        first = self.get("first", 0)
        bits = [(0, 7), (first, 7), (self.get("second", 0x7F), 7), (0, 7)]
        base = 0 if code == 4 else 16
        for index in range(base, base + 16):
            color = self.get("colors", {}).get(index, COLORS[index].replace("-", "0"))
            bits += [(int(color[place], 16), 4) for place in (0, 2, 4)]
        bits += [(0, 5), (self.get("row", 0), 5), (int(self.get("substitution", False)), 1), (self.get("tables", 0), 3)]
        value = length = 0
        for field, count in bits:
            value |= field << length
            length += count
        assert length == 234
        return bytes([HAMMING[code]]) + b"".join(triplet(value >> 18 * n & 0x3FFFF) for n in range(13))


class Stream:
    """Lines, and the screens of page 888 that they make."""

    def __init__(self):
        self.lines, self.screens, self.viewer = [], [], Viewer()

    def add(self, magazine, number, data, wrong=()):
        """A line; `wrong` has pairs of a byte and inverted bits."""
        address = magazine % 8 | number << 3
        line = bytearray([HAMMING[address & 15], HAMMING[address >> 4]]) + data
        for index, bits in wrong:
            line[index] ^= bits
        self.lines.append(bytes(line))

    def take(self, result):
        """Keeps a screen and the number of its last line, if it differs from the one before."""
        if result and (not self.screens or self.screens[-1][1] != result[1]):
            self.screens.append(result)

    def header(self, page=0x888, subcode=0, erase=True, subtitle=True, suppress=True, newsflash=False, inhibit=False,
               serial=False, option=0, text="", wrong=()):
        nibbles = [page & 15, page >> 4 & 15, subcode & 15, subcode >> 4 & 7 | erase << 3, subcode >> 8 & 15,
                   subcode >> 12 & 3 | newsflash << 2 | subtitle << 3, suppress | inhibit << 3,
                   serial | (option >> 2 & 1) << 1 | (option >> 1 & 1) << 2 | (option & 1) << 3]
        words = codes(text) if isinstance(text, str) else text
        words = words + [0x20] * (32 - len(words))
        self.add(page >> 8, 0, bytes([HAMMING[n] for n in nibbles]) + bytes(map(parity, words)), wrong)
        # With two wrong bits in a digit the page is unknown.
        broken = {index for index, bits in wrong if bin(bits).count("1") == 2}
        name = None if broken & {2, 3} else page
        flags = None if broken else dict(
            subcode=subcode, erase=erase, boxes=subtitle or newsflash, suppress=suppress, inhibit=inhibit, option=option)
        self.take(self.viewer.header(page >> 8, name, serial, flags, words, len(self.lines)))

    def row(self, number, *parts, magazine=8, bad=(), lost=False):
        words = codes(*parts)
        words = words + [0x20] * (40 - len(words))
        assert len(words) == 40
        data = bytearray(map(parity, words))
        for column in bad:
            data[column] ^= 0x80
        self.add(magazine, number, data, [(0, 0x03)] if lost else ())
        if not lost:
            self.viewer.row(magazine, number, [None if n in bad else c for n, c in enumerate(words)], len(self.lines))

    def enhance(self, code, *triplets, magazine=8, wrong={}, filling=END):
        """Packet X/26; `wrong` has numbers of wrong bits by the number of the triplet."""
        values = list(triplets) + [filling] * (13 - len(triplets))
        data = bytes([HAMMING[code]]) + b"".join(triplet(v, wrong.get(n, 0)) for n, v in enumerate(values))
        self.add(magazine, 26, data)
        known = [None if wrong.get(n) == 2 else v for n, v in enumerate(values)]
        self.viewer.part(magazine, ("enhancement", code), known, len(self.lines))

    def present(self, packet, code=0, magazine=8, **values):
        self.add(magazine, packet, Presentation(values).bytes(code))
        if packet == 29:
            self.viewer.magazines.setdefault(magazine, {})[code] = Presentation(values)
        else:
            self.viewer.part(magazine, ("presentation", code), Presentation(values), len(self.lines))

    def page(self, *rows, **flags):
        """A page with boxed rows."""
        self.header(**flags)
        for number, parts in rows:
            self.row(number, *box(*parts))

    def finish(self):
        self.take(self.viewer.end())
        return self


# The expected screen.

class Viewer:
    """Somebody who watches page 888."""

    def __init__(self):
        self.received = {}  # the page of each magazine that is being received
        self.parts, self.earlier, self.flags, self.magazines = {}, {}, None, {}
        self.last = 0

    def end(self):
        if self.received.get(8) != 0x888:
            return None
        del self.received[8]
        return self.last, Picture(self).text()

    def header(self, magazine, page, serial, flags, words, line):
        result = self.end() if magazine == 8 or serial else None
        if serial:
            self.received.clear()
        self.received.pop(magazine, None)
        if page is None or page & 0xFF == 0xFF:
            return result
        self.received[magazine] = page
        if page == 0x888:
            self.last = line
            flags = flags or self.flags
            self.earlier.update({key: value for key, value in self.parts.items() if isinstance(key, int)})
            if flags["erase"] or self.flags and flags["subcode"] != self.flags["subcode"]:
                self.parts = {}
            self.flags = flags
            self.parts[0] = [0x20] * 8 + words
        return result

    def part(self, magazine, key, value, line):
        if self.received.get(magazine) == 0x888:
            self.parts[key] = value
            self.last = line

    def row(self, magazine, number, words, line):
        before = self.parts.get(number, self.earlier.get(number))
        if None in words and before and all(w in (None, b) for w, b in zip(words, before)):
            words = before
        self.part(magazine, number, words, line)


class Picture:
    """What is seen of a complete page: each position is worked out from the beginning of its row."""

    def __init__(self, viewer):
        self.flags, self.parts = viewer.flags, viewer.parts
        self.first = self.second = None
        self.colors, self.row_color, self.substitution, self.tables = list(COLORS), 0, False, (0, 0)
        own = {key[1]: value for key, value in self.parts.items() if isinstance(key, tuple) and key[0] == "presentation"}
        for source in (viewer.magazines.get(8, {}), own):
            for code in sorted(source, reverse=True):
                self.use(source[code], code)
        self.changes, self.full_rows = {}, {}
        self.enhance()

    def use(self, values, code):
        self.first, second = values.get("first", 0), values.get("second", 0x7F)
        self.second = None if second == 0x7F else second
        for index in range(16):
            index += 0 if code == 4 else 16
            if index != 8:
                self.colors[index] = values.get("colors", {}).get(index, COLORS[index])
        self.row_color, self.substitution = values.get("row", 0), values.get("substitution", False)
        self.tables = TABLES[values.get("tables", 0)]

    def set_name(self, second=False):
        if second:
            return REGIONS[self.second >> 3][self.second & 7]
        region = (self.first or 0) >> 3
        name = REGIONS[region][self.flags["option"]]
        return name or self.first is not None and REGIONS[region][self.first & 7] or None

    def enhance(self):
        row, is_known = 0, True
        for code in range(16):
            values = self.parts.get(("enhancement", code))
            if values is None:
                is_known = False
                continue
            for value in values:
                if value is None:
                    is_known = False
                    continue
                address, mode, data = value & 63, value >> 6 & 31, value >> 11
                if address >= 40:
                    if mode == 0x1F:
                        return
                    if mode in (1, 4, 7):
                        row, is_known = (24 if address == 40 else address - 40) if mode != 7 else 0, True
                        if mode in (1, 7):
                            for number in range(row, 25 if data >> 5 == 3 else row + 1):
                                self.full_rows[number] = data & 31
                elif is_known:
                    self.changes.setdefault((row, address), []).append((mode, data))

    def letter(self, code, name, plain=False):
        """The character of a primary set."""
        if name in NATIONAL or name is None:
            if not plain and name and code in PLACES:
                return NATIONAL[name][PLACES.index(code)]
            return {0x24: "¤", 0x7F: "■"}.get(code, chr(code))
        if code == 0x7F:
            return "■"
        if name == "greek":
            return {0x3C: "«", 0x3E: "»", 0x52: "ʹ"}.get(code, chr(code + (0x350 if code >= 0x40 else 0)))
        if name == "hebrew":
            if code >= 0x60:
                return chr(0x5D0 + code - 0x60) if code <= 0x7A else "₪‖¾÷"[code - 0x7B]
            return dict(zip(range(0x5B, 0x60), "←½→↑#")).get(code, chr(code))
        if name == "arabic":
            other = {0x23: "£", 0x26: "ى", 0x27: "ي", 0x28: ")", 0x29: "(", 0x2C: "،", 0x3B: "؛", 0x3C: ">", 0x3E: "<",
                     0x3F: "؟"}
            if code < 0x40:
                return other.get(code, chr(code))
            form = chr(ARABIC[code - 0x40])
            return form if form == "\ufefb" else unicodedata.normalize("NFKC", form)
        letters, last = CYRILLIC[name]
        if code == 0x26 and name != "cyrillic 1":
            return last
        if code < 0x40:
            return chr(code)
        return letters[code - 0x60] if code >= 0x60 else (letters + last)[code - 0x40].upper()

    def supplement(self):
        """The supplementary set; the eighth region is Latin with Arabic."""
        return ARABIC_G2 if (self.first or 0) >> 3 == 8 else SUPPLEMENTARY.get(self.set_name(), G2)

    def mosaic(self, code):
        blocks = [str(n + 1) for n, bit in enumerate((1, 2, 4, 8, 16, 64)) if code & bit]
        if len(blocks) == 6:
            return "█"
        special = {"": " ", "135": "▌", "246": "▐"}
        return special.get("".join(blocks)) or unicodedata.lookup("BLOCK SEXTANT-" + "".join(blocks))

    def position(self, row, column):
        """Character, color, background, flags and whether it is boxed; size apart."""
        words = self.parts.get(row, [0x20] * 40)
        color, back, entry, back_entry = 7, None, None, None
        graphics = hold = second = hidden = flash = boxed = inverted = underlined = False
        held, high, wide = " ", False, False
        for index in range(column + 1):
            code, last = words[index], index == column
            after = code
            if code == 0x09:
                flash = False
            elif code == 0x0C:
                held = held if (high, wide) == (False, False) else " "
                high = wide = False
            elif code == 0x18:
                hidden = True
            elif code == 0x1C:
                back = back_entry = None
            elif code == 0x1D:
                back, back_entry = color, entry
            elif code == 0x1E:
                hold = True
            shown = "\ufffd" if code is None else " "
            if code is not None and code < 0x20:
                shown = held if graphics and hold else " "
            elif code is not None and graphics and code & 0x20:
                shown = held = self.mosaic(code)
            elif code is not None:
                shown = self.letter(code, self.set_name(second and self.second is not None))
            name = self.set_name()
            for mode, data in self.changes.get((row, index), ()):
                if mode == 0 and data < 32:
                    entry = data
                elif mode == 3 and data < 32:
                    back_entry = data
                elif mode == 7:
                    flash = data & 3 > 0
                elif mode == 0x0C:
                    hidden, inverted, underlined = bool(data & 4), bool(data & 16), bool(data & 32)
                    boxed = bool(data & 2)
                    high, wide = bool(data & 1) and 0 < row < 23, bool(data & 64)
                elif mode == 1 and data >= 32:
                    shown = self.mosaic(data) if data & 32 else self.letter(data, name, True)
                elif mode == 9 and data >= 32:
                    shown = self.letter(data, name)
                elif mode == 0x0F and data >= 32:
                    shown = self.supplement()[data - 32]
                elif mode >= 16 and data >= 32:
                    base = self.letter(data, name, True)
                    shown = ("@" if data == 0x2A else base) if mode == 16 else unicodedata.normalize(
                        "NFC", base + MARKS[mode - 16])
            if last:
                break
            if after is None or after >= 0x20:
                continue
            nearby = words[index + 1] if index < 39 else 0
            doubled = nearby in (after, None) or index > 0 and words[index - 1] is None
            if after < 8 or 0x10 <= after < 0x18:
                held = held if graphics == (after >= 16) else " "
                color, entry, hidden, graphics = after & 7, None, False, after >= 16
            elif after == 8:
                flash = True
            elif after in (0x0A, 0x0B) and doubled:
                boxed = after == 0x0B
            elif after in (0x0D, 0x0E, 0x0F):
                size = (after != 0x0E and 0 < row < 23, after != 0x0D)
                held = held if size == (high, wide) else " "
                high, wide = size
            elif after == 0x1B:
                second = not second
            elif after == 0x1F:
                hold = False
        front = self.colors[entry if entry is not None else self.tables[0] * 8 + color]
        if back_entry is not None:
            behind = self.colors[back_entry]
        elif back is not None:
            behind = self.colors[self.tables[1] * 8 + back]
        elif self.substitution:
            behind = self.colors[self.full_rows.get(row, self.row_color)]
        else:
            behind = self.colors[self.tables[1] * 8]
        if inverted:
            front, behind = behind, front
        seen = " " if hidden else shown
        flags = ("f" if flash else "") + ("u" if underlined else "")
        return seen, f"{front}/{behind}", flags, boxed or not self.flags["boxes"], high, wide

    def text(self):
        lines, row = [], 0
        while row < 25:
            visible = self.flags["boxes"] and not self.flags["suppress"] if row == 0 else not self.flags["inhibit"]
            cells, column = [], 0
            while column < 40:
                seen, look, flags, boxed, high, wide = self.position(row, column)
                wide = wide and column < 39
                size = ("h" if high else "") + ("w" if wide else "")
                cells.append((column, seen, f"{look} {flags}{size}".strip(), boxed and visible))
                if wide:
                    cells.append((column + 1, None, "", boxed and visible))
                column += 2 if wide else 1
            lines += self.line(row, cells)
            words = [c for c in self.parts.get(row, []) if c is not None]
            by_change = any(m == 0x0C and d & 1 for (r, _), v in self.changes.items() if r == row for m, d in v)
            row += 2 if 0 < row < 23 and (0x0D in words or 0x0F in words or by_change) else 1
        return "\n".join(lines)

    def line(self, row, cells):
        ink = [c for c in cells if c[3] and c[1] not in (None, " ")]
        if not ink:
            return []
        cells = [c for c in cells if ink[0][0] <= c[0] <= ink[-1][0]]
        text, runs = "", []
        for _, seen, look, shown in cells:
            if seen is None:
                continue
            text += seen if shown else "·"
            look = look if shown else "-"
            if runs and runs[-1][1] == look:
                runs[-1][0] += 1
            else:
                runs.append([1, look])
        return [f"{row} {ink[0][0]} |{text}|" + ",".join(f"{n}:{look}" for n, look in runs)]


# The set.

def boxes():
    s = Stream()
    s.page((22, ["Both lines are"]), (23, ["in boxes"]))
    s.header()
    s.row(20, "outside ", *box("inside"), " outside ", *box(7, "again"))
    s.row(21, "one box code ", 0x0B, "is none", 0x0A, "here")
    s.row(22, 0x0B, 0x0B, "up to the end of the row")
    s.row(24, *box("the last row"))
    s.header()
    s.header(subtitle=False, newsflash=True)
    s.row(5, *box("news"), "hidden")
    s.header(subtitle=False, text="The header is not part of it")
    s.row(1, "A page without boxes")
    s.row(2, 1, "in red")
    s.header(inhibit=True)
    s.row(1, *box("not displayed"))
    s.header(suppress=False, text=[0x20] * 3 + box("in the header"))
    return s.finish()


def attributes():
    s = Stream()
    s.header()
    for color in range(8):
        s.row(1 + color, 0x0B, 0x0B, color, "alpha", 0x0A, 0x0A, " ", *box(0x10 | color, "sqr4 BLAST", 0x6F))
    s.row(10, *box("a", 8, "flash", 9, "steady", 0x18, "hidden", 3, "seen"))
    s.row(11, *box(4, 0x1D, 7, "white on blue", 0x1C, "on black", 1, 0x1D, 0x1D, "red"))
    s.row(12, *box(0x11, "5j5", 0x1E, 1, "a", 0x12, 0x13, 0x6A, 0x19, 0x14, 0x1A, 0x15, 0x1F, 0x16, "5"))
    s.row(13, *box(0x17, 0x1E, 0x10, 0x7F, 0x11, "A", 0x12, 0x0D, 0x13, 0x0C, "5", 0x0C, 0x14))
    s.row(15, *box(0x1E, 0x17, "5", 0x0E, 0x11, "5", 0x1B, "j"))
    return s.finish()


def sizes():
    s = Stream()
    s.page((20, [0x0D, "Double height"]), (22, [0x0D, 6, "in two rows"]))
    s.header()
    s.row(1, *box(0x0E, "WwIiDdEe", 0x0C, "normal"))
    s.row(2, *box(0x0F, "DdOoUuBbLlEe"))
    s.row(3, *box("hidden by the row above"))
    s.row(4, *box("a", 0x0D, "b", 0x0C, "c", 0x0F, "d e f", 0x0C, "g"))
    s.row(5, *box("hidden"))
    s.row(8, " " * 30, 0x0B, 0x0B, 0x0E, "ABCDEFG")
    s.row(22, *box(0x0D, "high"))
    s.row(23, *box("hidden, too"))
    s.page((23, [0x0D, "no room"]), (24, ["not hidden"]))
    return s.finish()


def national():
    s = Stream()
    everything = bytes(PLACES).decode()
    for region, options in REGIONS.items():
        for option in range(8):
            s.header(option=option)
            if region:
                # Reserved codes: the last three bits are those of the packet.
                s.present(28, first=region << 3 | next(n for n, name in enumerate(options) if name))
            s.row(21, *box(everything))
            if options[option] in ("greek", "hebrew", "arabic", *CYRILLIC):
                for row in range(3):
                    s.row(1 + row, *box(bytes(range(0x20 + 32 * row, 0x40 + 32 * row)).decode()))
    return s.finish()


def second_set():
    s = Stream()
    s.page((20, ["one ", 0x1B, "still {", 0x1B, "one"]))
    s.header()
    s.present(28, first=0, second=0x24)
    s.row(20, *box("Latin ", 0x1B, "kIRILLICA", 0x1B, " Latin"))
    s.row(21, *box("Each row begins anew"))
    s.header(option=1)
    s.present(28, first=1, second=0x37)
    s.row(20, *box("[", 0x1B, "Akaja", 0x11, "5", 0x1B, 2, "]"))
    return s.finish()


def enhancements():
    s = Stream()
    s.header()
    s.row(20, *box("Cafe et theatre  "))
    s.row(22, *box("  plain        "))
    s.enhance(0, at(20), place(5, 0x12, 0x65), place(12, 0x11, 0x65), place(17, 0x0F, 0x55), place(18, 0x10, 0x2A),
              at(22), place(2, 0x1F, 0x53), place(3, 0x18, 0x75), place(10, 0x0F, 0x6A), place(11, 0x1B, 0x43),
              place(12, 0x1C, 0x61), place(13, 0x10, 0x5B), at(21))
    s.header()
    s.row(10, *box(3, "abcdefgh", 1, "ijklmnop"))
    s.row(11, *box("in mosaics: ", 0x12, "55555"))
    s.row(12, *box("inverted and wide"))
    s.enhance(0, at(10), place(4, 0, 17), place(6, 3, 20), place(8, 0x10, 0x2A), place(14, 3, 0), place(16, 7, 1),
              place(17, 7, 0), at(11), place(17, 0x1A, 0x41), place(18, 1, 0x35), place(19, 1, 0x41), at(12),
              filling=RESERVED)
    s.enhance(1, place(4, 0x0C, 0x12), place(9, 0x0C, 0x22), place(12, 0x0C, 0x42), place(16, 0x0C, 0x06),
              place(17, 0x0C, 0x00), END)
    s.header()
    s.row(10, "boxed by X/26: yes no")
    s.enhance(0, at(10), place(15, 0x0C, 0x02), at(23, 1, 4), at(22, 1, 0x60 | 5), filling=RESERVED)
    # Packet 1 is missing: the row of what follows is not known.
    s.enhance(2, place(15, 0x10, 0x58), at(10), place(17, 0x10, 0x53), END, place(16, 0x10, 0x58))
    return s.finish()


def supplementary():
    s = Stream()
    for first in (0x00, 0x24, 0x37, 0x57, 0x40):
        s.header(option=first & 7)
        s.present(28, first=first)
        triplets = []
        for row in range(3):
            s.row(1 + row, *box(" " * 32))
            triplets += [at(1 + row)] + [place(2 + n, 0x0F, 32 + 32 * row + n) for n in range(32)]
        for code in range(8):
            part = triplets[13 * code:13 * code + 13]
            if part:
                s.enhance(code, *part, filling=RESERVED)
    s.header()
    for mark in range(16):
        s.row(1 + mark, *box(" " * 12))
        s.enhance(mark, at(1 + mark), *(place(2 + n, 0x10 | mark, ord(c)) for n, c in enumerate("AEINORSZaeiu")),
                  filling=RESERVED)
    return s.finish()


def colors():
    s = Stream()
    palette = {16: "00ff00", 17: "112233", 31: "aabbcc"}
    for tables in range(8):
        s.header()
        s.present(28, tables=tables)
        s.row(20, *box(1, "red", 4, 0x1D, 6, "cyan on blue"))
    s.header()
    s.present(28, tables=7, colors=palette)
    s.present(28, code=4, colors={1: "990000", 8: "ffffff", 9: "445566"}, row=3, tables=2)
    s.row(20, *box(1, "red", 7, 0x1D, 0, "black on white"))
    s.page((20, [1, "as before"]))
    s.header()
    s.present(28, row=12, substitution=True)
    s.row(20, *box("on the color of a row", 1, 0x1D, "on red", 0x1C, "again"))
    s.header()
    s.present(28, row=8, substitution=True)
    s.row(20, *box("on the video"))
    s.row(21, *box("on a full row"))
    s.enhance(0, at(21, 1, 5), at(22))
    s.present(29, row=5, substitution=True, first=1)
    s.present(29, code=4, row=6, colors={7: "eeeeee"})
    s.page((20, ["by the magazine"]), option=1)
    s.present(29, magazine=1, row=2, substitution=True)
    s.page((20, ["by our magazine ["]), option=1)
    return s.finish()


def transmission():
    s = Stream()
    # Parallel: magazines continue independently.
    s.header()
    s.header(page=0x100, subtitle=False)
    s.row(20, *box("page 888"))
    s.row(20, *box("page 100"), magazine=1)
    s.row(21, *box("goes on"))
    s.header(page=0x889)
    s.row(22, *box("page 889"))
    # Serial: any header ends the page.
    s.header(serial=True)
    s.row(20, *box("serial"))
    s.header(page=0x100, subtitle=False, serial=True)
    s.row(21, *box("of nobody"))
    s.header(page=0x8FF, serial=True)
    # Rows stay unless C4 erases them, or the subcode changes.
    s.page((20, ["first"]), (22, ["second"]))
    s.page((20, ["changed"]), erase=False)
    s.page((23, ["another subpage"]), erase=False, subcode=0x3F7F)
    s.page((21, ["the same subpage"]), erase=False, subcode=0x3F7F)
    s.page((20, ["repeated"]))
    s.page((20, ["repeated"]))
    s.header(page=0x8FF)
    s.row(20, *box("after a terminator"))
    s.header()
    return s.finish()


def errors():
    s = Stream()
    s.header()
    s.row(20, *box("Some characters are damaged"), bad=[4, 9, 10])
    s.row(21, 0x0B, 0x0B, "A damaged box code", 0x0A, 0x0A, "x", bad=[1])
    s.row(22, *box("This line is lost"), lost=True)
    s.header()
    s.row(20, *box("Sent twice"))
    s.header()
    s.row(20, *box("Sent twice"), bad=[3, 7])
    s.header()
    s.row(20, *box("Sent again"), bad=[3, 10])
    # One wrong bit in a byte of Hamming 8/4 is corrected.
    s.header(option=1, wrong=[(0, 1), (1, 0x80), (2, 4), (3, 0x10), (5, 2), (9, 0x40)])
    s.row(20, *box("corrected ["))
    s.header(wrong=[(3, 0x11)])
    s.row(20, *box("of an unknown page"))
    s.header(wrong=[(5, 0x11)])
    s.row(20, *box("control bits as before ["))
    s.header()
    s.row(20, *box("aaaaa bbbbb"))
    s.row(22, *box("ccccc"))
    s.enhance(0, at(20), place(2, 0x12, 0x61), place(3, 0x12, 0x61), place(4, 0x12, 0x61), at(22), place(2, 0x12, 0x63),
              at(20), place(8, 0x1F, 0x63), wrong={1: 1, 2: 2, 4: 1, 6: 1}, filling=RESERVED)
    s.enhance(1, at(22), place(3, 0x12, 0x63), at(20), place(9, 0x1F, 0x63), END, wrong={0: 2})
    s.header()
    return s.finish()


def stream():
    """A transport stream with pages 888 (Swedish) and 777 in one PID: original subtitles."""
    descriptor = b"".join(
        language + bytes([kind << 3 | page >> 8 & 7, page & 0xFF])
        for language, kind, page in ((b"swe", 1, 0x100), (b"swe", 2, 0x888), (b"eng", 5, 0x777)))
    ts = TransportStream(bytes([0x56, len(descriptor)]) + descriptor)
    texts = {
        0x888: ["Fyren {r t{nd", "Ingen vet vem", "som t{nde den"],
        0x777: ["The lighthouse is lit", "Nobody knows who", "did it"],
    }

    def packet(seconds, build):
        s = Stream()
        build(s)
        units = b"".join(
            bytes([0x03, 0x2C, 0xE7 + n % 16, 0xE4]) + bytes(int(f"{b:08b}"[::-1], 2) for b in line)
            for n, line in enumerate(s.lines))
        while (len(units) // 46 + 1) % 4:
            units += bytes([0xFF, 0x2C]) + b"\xFF" * 44
        ts.pes(seconds, b"\x10" + units)

    def show(lines):
        def build(s):
            for page, words in texts.items():
                s.header(page=page, option=2 if page == 0x888 else 0, serial=True)
                for number, index in zip((20, 22) if len(lines) > 1 else (22,), lines):
                    s.row(number, *box(0x0D, 3 if page == 0x777 else 7, words[index]), magazine=page >> 8)
            s.header(page=0x8FF, serial=True)
        return build

    packet(1, lambda s: s.header(page=0x8FF, serial=True))
    for seconds, lines in ((2, [0]), (2.5, [0]), (4, []), (5, [1, 2]), (8, [])):
        packet(seconds, show(lines))
    return ts.bytes()


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for make in (boxes, attributes, sizes, national, second_set, enhancements, supplementary, colors,
                 transmission, errors):
        result = make()
        name = "teletext-" + make.__name__
        (folder / f"{name}.t42").write_bytes(b"".join(result.lines))
        blocks = [f"@{line}" + ("\n" + screen if screen else "") for line, screen in result.screens]
        (folder / f"{name}.screens").write_text("\n\n".join(blocks) + "\n")
    (folder / "teletext.ts").write_bytes(stream())
