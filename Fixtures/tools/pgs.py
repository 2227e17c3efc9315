#!/usr/bin/env python3
"""Writes Presentation Graphics subtitles (.sup).

Use as a module: `Stream`, `Palette`, `Placed`. As a command it makes the committed sample, or a long
track with images of the size that discs carry:

    pgs.py sample bitmaps.sup
    pgs.py long out.sup --sets 600 --seed 1 --seconds 600
"""

import argparse
import random
import struct

import picture

PDS, ODS, PCS, WDS, END = 0x14, 0x15, 0x16, 0x17, 0x80
NORMAL, ACQUISITION, EPOCH_START, EPOCH_CONTINUE = 0x00, 0x40, 0x80, 0xC0


def run_length(rows):
    """The run-length form of rows of palette indices."""
    out = bytearray()
    for row in rows:
        at = 0
        while at < len(row):
            colour, end = row[at], at + 1
            while end < len(row) and row[end] == colour and end - at < 0x3FFF:
                end += 1
            count = end - at
            if colour and count <= 2:
                out += bytes([colour]) * count
            elif count < 64:
                out += bytes([0, count | (0x80 if colour else 0)])
            else:
                out += bytes([0, 0x40 | (0x80 if colour else 0) | count >> 8, count & 0xFF])
            if colour and count > 2:
                out.append(colour)
            at = end
        out += b"\0\0"
    return bytes(out)


class Palette:
    """Colors by index: (red, green, blue, alpha), 0 to 255; BT.709, limited range."""

    def __init__(self, colours, number=0, version=0):
        self.colours, self.number, self.version = colours, number, version

    def payload(self):
        out = bytearray([self.number, self.version])
        for index, (red, green, blue, alpha) in sorted(self.colours.items()):
            luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
            y = 16 + luma * 219 / 255
            cr = 128 + (red - luma) / 1.5748 * 224 / 255
            cb = 128 + (blue - luma) / 1.8556 * 224 / 255
            out += bytes([index, round(y), round(cr), round(cb), alpha])
        return bytes(out)


class Placed:
    """An image at a position; `crop` is (x, y, width, height) inside it."""

    def __init__(self, shown, x, y, number=0, version=0, forced=False, crop=None):
        self.shown, self.x, self.y = shown, x, y
        self.number, self.version, self.forced, self.crop = number, version, forced, crop


class Stream:
    """Collects display sets; times are seconds."""

    def __init__(self, width=1920, height=1080):
        self.width, self.height = width, height
        self.data = bytearray()
        self._composition = 0

    def segment(self, seconds, kind, payload):
        """One segment with its framing."""
        clock = round(seconds * 90000) & 0xFFFFFFFF
        self.data += b"PG" + struct.pack(">IIBH", clock, 0, kind, len(payload)) + payload

    def _present(self, seconds, state, objects, palette, update=False):
        payload = struct.pack(
            ">HHBHBBBB", self.width, self.height, 0x10, self._composition & 0xFFFF, state,
            0x80 if update else 0, palette, len(objects))
        for window, item in enumerate(objects):
            flags = (0x80 if item.crop else 0) | (0x40 if item.forced else 0)
            payload += struct.pack(">HBBHH", item.number, window, flags, item.x, item.y)
            if item.crop:
                payload += struct.pack(">HHHH", *item.crop)
        self._composition += 1
        self.segment(seconds, PCS, payload)

    def _windows(self, seconds, boxes):
        payload = bytes([len(boxes)])
        for number, box in enumerate(boxes):
            payload += struct.pack(">BHHHH", number, *box)
        self.segment(seconds, WDS, payload)

    def show(self, seconds, objects, palette, state=EPOCH_START, define=True):
        """A display set that shows `objects`; `define` sends their images too."""
        self._present(seconds, state, objects, palette.number)
        boxes = []
        for item in objects:
            size = item.crop[2:] if item.crop else (item.shown.width, item.shown.height)
            boxes.append((item.x, item.y, *size))
        self._windows(seconds, boxes)
        self._last_boxes = boxes
        if define:
            self.segment(seconds, PDS, palette.payload())
            for item in objects:
                self._object(seconds, item)
        self.segment(seconds, END, b"")

    def _object(self, seconds, item):
        data = run_length(item.shown.rows)
        head = struct.pack(">HB", item.number, item.version)
        size = struct.pack(">I", len(data) + 4)[1:]
        size += struct.pack(">HH", item.shown.width, item.shown.height)
        if len(data) <= 0xFFE4:
            self.segment(seconds, ODS, head + b"\xC0" + size + data)
            return
        self.segment(seconds, ODS, head + b"\x80" + size + data[:0xFFE4])
        rest = data[0xFFE4:]
        while rest:
            last = len(rest) <= 0xFFEB
            self.segment(seconds, ODS, head + (b"\x40" if last else b"\0") + rest[:0xFFEB])
            rest = rest[0xFFEB:]

    def recolour(self, seconds, objects, palette):
        """A palette-only display set: the same objects in other colors."""
        self._present(seconds, NORMAL, objects, palette.number, update=True)
        self.segment(seconds, PDS, palette.payload())
        self.segment(seconds, END, b"")

    def clear(self, seconds):
        """A display set without objects, which empties the screen."""
        self._present(seconds, NORMAL, [], 0)
        self._windows(seconds, self._last_boxes)
        self.segment(seconds, END, b"")

    def centred(self, lines, bottom=1020, scale=4, **more):
        """Text in the middle, its lower edge at `bottom`."""
        shown = picture.text(lines, scale)
        return Placed(shown, (self.width - shown.width) // 2, bottom - shown.height, **more)

    def write(self, path):
        """Writes the stream to a file."""
        with open(path, "wb") as file:
            file.write(self.data)


WHITE = Palette({0: (0, 0, 0, 0), 1: (255, 255, 255, 255), 2: (0, 0, 0, 255), 3: (160, 160, 160, 255)})
YELLOW = Palette({1: (255, 220, 0, 255), 2: (0, 0, 0, 255), 3: (190, 150, 0, 255)}, version=1)
FADED = Palette({1: (255, 255, 255, 96), 2: (0, 0, 0, 96), 3: (160, 160, 160, 96)}, version=1)


def sample():
    """The committed sample: six images, one forced, one recolored, one cropped, in ten sets."""
    stream = Stream()
    stream.show(1.0, [stream.centred(["The lighthouse has been dark", "since the storm."])], WHITE)
    stream.clear(3.2)
    lower = stream.centred(["Someone has to climb the stairs."])
    upper = stream.centred(["NO ENTRY"], bottom=160, scale=6, number=1, forced=True)
    stream.show(3.5, [lower, upper], WHITE)
    stream.clear(5.8)
    lamp = stream.centred(["Is the lamp broken?", "No. Only asleep."])
    stream.show(6.0, [lamp], WHITE)
    stream.recolour(7.0, [lamp], YELLOW)
    stream.clear(8.04)
    forced = stream.centred(["Keep out!"], bottom=700, scale=6, forced=True)
    stream.show(8.5, [forced], WHITE)  # ends because the next one starts
    wide = stream.centred(["Thirty metres up,", "half a mile out."])
    wide.crop = (0, 0, wide.shown.width, wide.shown.height // 2)
    stream.show(11.5, [wide], WHITE)
    stream.clear(13.999)
    night = stream.centred(["Good night."])
    stream.show(17.0, [night], WHITE)
    stream.show(17.5, [night], WHITE, state=ACQUISITION)  # a refresh, not another image
    stream.clear(19.5)
    return stream


WORDS = ("the lamp keeper climbs stairs above dark water and waits for a boat that never comes home "
         "while fog rolls over every rock along our cold northern shore until morning").split()


def sentence(chance, longest):
    """Some original words, at most `longest` letters."""
    words = []
    while True:
        word = chance.choice(WORDS)
        if len(" ".join(words + [word])) > longest:
            return " ".join(words).capitalize() + "."
        words.append(word)


def long_track(sets, seed, seconds):
    """A track of `sets` display sets (an image, then a clear) over `seconds`."""
    chance = random.Random(seed)
    stream = Stream()
    step = seconds / sets
    for number in range(sets // 2):
        start = number * 2 * step + chance.uniform(0.05, 0.3) * step
        lines = [sentence(chance, chance.randint(18, 34)) for _ in range(chance.choice((1, 2, 2)))]
        placed = stream.centred(lines, scale=5)
        stream.show(start, [Placed(shaded(placed.shown, chance), placed.x, placed.y)], SHADES)
        stream.clear(start + step * chance.uniform(0.9, 1.5))
    return stream


SHADES = Palette(
    {index: (min(255, 40 + index * 12), min(255, 40 + index * 12), min(255, 40 + index * 11), 255)
     for index in range(4, 20)} | {1: (255, 255, 255, 255), 2: (0, 0, 0, 255), 3: (160, 160, 160, 255)})


def shaded(shown, chance):
    """Some edge pixels in other shades, so that runs are as short as those of antialiased text."""
    rows = []
    for row in shown.rows:
        row = bytearray(row)
        for x in range(1, len(row)):
            if row[x] != row[x - 1] and row[x] and row[x - 1]:
                row[x] = chance.randint(4, 19)
                row[x - 1] = chance.randint(4, 19)
        rows.append(bytes(row))
    return picture.Picture(rows)


def main():
    parser = argparse.ArgumentParser(description="Writes PGS subtitles.")
    parser.add_argument("kind", choices=("sample", "long"))
    parser.add_argument("output")
    parser.add_argument("--sets", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600)
    given = parser.parse_args()
    made = sample() if given.kind == "sample" else long_track(given.sets, given.seed, given.seconds)
    made.write(given.output)


if __name__ == "__main__":
    main()
