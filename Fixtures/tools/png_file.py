"""PNG files of few colors."""

import struct
import zlib


def paletted(rows):
    """A PNG of rows of (R, G, B, A) or `None` for transparent: at most 256 colors."""
    colours = sorted({pixel or (0, 0, 0, 0) for row in rows for pixel in row}, key=lambda one: (one[3], one))
    places = {colour: place for place, colour in enumerate(colours)}
    data = b"".join(b"\0" + bytes(places[pixel or (0, 0, 0, 0)] for pixel in row) for row in rows)

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
            + chunk(b"PLTE", b"".join(bytes(colour[:3]) for colour in colours))
            + chunk(b"tRNS", bytes(colour[3] for colour in colours))
            + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))
