"""Indexed images of text, as bitmap subtitles carry them."""

import pixelfont

#: What the indices of `text` mean: nothing, the face of a letter, its edge, the step between them.
CLEAR, FACE, EDGE, STEP = 0, 1, 2, 3


class Picture:
    """Rows of palette indices."""

    def __init__(self, rows):
        self.rows = [bytes(row) for row in rows]
        self.width, self.height = len(self.rows[0]), len(self.rows)

    def enlarged(self, factor):
        """Every pixel `factor` times as wide and high."""
        rows = []
        for row in self.rows:
            wide = bytes(index for index in row for _ in range(factor))
            rows.extend([wide] * factor)
        return Picture(rows)


def text(lines, scale=4, even=False):
    """Centered lines of text with an edge around the letters, `scale` pixels a dot.

    With `even`, width and height are even, as interlaced images want it.
    """
    edge = max(1, scale // 2)
    blocks = [pixelfont.line_dots(line) for line in lines]
    width = max(len(block[0]) for block in blocks) * scale + 2 * edge
    height = len(blocks) * (pixelfont.HEIGHT + 1) * scale + 2 * edge
    if even:
        width, height = width + width % 2, height + height % 2
    rows = [bytearray(width) for _ in range(height)]
    for number, block in enumerate(blocks):
        left = (width - len(block[0]) * scale) // 2
        top = edge + number * (pixelfont.HEIGHT + 1) * scale
        dots = [(x, y) for y, row in enumerate(block) for x, dot in enumerate(row) if dot]
        for x, y in dots:  # the edge first, the faces over it
            start, end = left + x * scale - edge, left + (x + 1) * scale + edge
            for line in range(top + y * scale - edge, top + (y + 1) * scale + edge):
                rows[line][start:end] = bytes([EDGE]) * (end - start)
        for x, y in dots:
            start, end = left + x * scale, left + (x + 1) * scale
            first, last = top + y * scale, top + (y + 1) * scale
            for line in range(first, last):
                rows[line][start:end] = bytes([FACE]) * (end - start)
            if scale >= 3 and (y + 1 >= len(block) or not block[y + 1][x]):
                rows[last - 1][start:end] = bytes([STEP]) * (end - start)
    return Picture(rows)
