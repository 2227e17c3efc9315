"""The model of what is on screen, for expected results: pixels are drawn here, never decoded."""

import json
import os
import struct
import zlib


def ycc(y, cb, cr, alpha, kr=0.299, kb=0.114):
    """R, G, B, A of a color of limited range by the definition of the matrix (BT.601)."""
    luma, blue, red = (y - 16) / 219, (cb - 128) / 224, (cr - 128) / 224
    r, b = luma + 2 * (1 - kr) * red, luma + 2 * (1 - kb) * blue
    g = (luma - kr * r - kb * b) / (1 - kr - kb)
    return tuple(max(0, min(255, int(value * 255 + 0.5))) for value in (r, g, b)) + (alpha,)


def grid(width, height, value=0):
    return [[value] * width for _ in range(height)]


def stamp(target, drawn, x, y, hole=None):
    """Draws one grid on another; values of `hole` and what lies outside stay as they were."""
    for row, line in enumerate(drawn):
        for column, value in enumerate(line):
            if value != hole and 0 <= y + row < len(target) and 0 <= x + column < len(target[0]):
                target[y + row][x + column] = value
    return target


class Shown:
    """A cue: grids of RGBA at their positions on a canvas."""

    def __init__(self, start, end, source, canvas, forced=False):
        self.start, self.end, self.source, self.canvas, self.forced = start, end, source, canvas, forced
        self.parts = []

    def add(self, x, y, indices, colours):
        """A rectangle of palette indices; only its visible part on the canvas counts."""
        width, height = self.canvas
        pixels = {}
        for row, line in enumerate(indices):
            for column, index in enumerate(line):
                colour = colours[index]
                if colour[3] and 0 <= x + column < width and 0 <= y + row < height:
                    pixels[x + column, y + row] = colour
        if pixels:
            self.parts.append(pixels)
        return self

    def boxes(self):
        result = []
        for pixels in self.parts:
            left, top = min(x for x, _ in pixels), min(y for _, y in pixels)
            right, bottom = max(x for x, _ in pixels), max(y for _, y in pixels)
            result.append({"x": left, "y": top, "width": right - left + 1, "height": bottom - top + 1})
        return result

    def png(self):
        width, height = self.canvas
        rows = [bytearray(width * 4) for _ in range(height)]
        for pixels in self.parts:
            for (x, y), colour in pixels.items():
                rows[y][x * 4:x * 4 + 4] = bytes(colour)
        data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)

        def chunk(kind, body):
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

        header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


class Conformance:
    """Writes cases into a folder: the file, a PNG of the canvas for each cue, and expected.json."""

    def __init__(self, folder):
        self.folder, self.cases = folder, []
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))

    def _write(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(data)

    def add(self, name, extension, data, cues, diagnostics=(), **facts):
        """A case; `diagnostics` are the codes that a reader should report, regardless of their number."""
        self._write(f"{name}.{extension}", data)
        listed = []
        for number, cue in enumerate(cues, 1):
            image = f"{name}-{number}.png"
            self._write(image, cue.png())
            listed.append({
                "start": cue.start, "end": cue.end, "endSource": cue.source, "forced": cue.forced,
                "canvas": list(cue.canvas), "image": image, "pictures": cue.boxes()})
        self.cases.append({
            "name": name, "file": f"{name}.{extension}", **facts, "cues": listed,
            "diagnostics": sorted(diagnostics)})

    def finish(self):
        lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in self.cases)
        self._write("expected.json", f'{{"cases":[\n{lines}\n]}}\n'.encode())
