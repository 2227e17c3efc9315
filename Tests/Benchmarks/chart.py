#!/usr/bin/env python3
"""Draws time against file size as SVG: chart.py [RESULTS [OUTPUT]]."""

import json
import sys
from xml.sax.saxutils import escape

PANELS = (("indexed", "from the page cache"), ("cold", "from the disk"))
SIZES = (1, 4, 16)
TOOLS = (("undertext", "undertext", "#0b6e4f"), ("ffmpeg -c copy", "ffmpeg", "#b3541e"),
         ("mkvextract", "mkvextract", "#4a5a9c"), ("floor", "floor", "#777777"))
WIDTH, HEIGHT, LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT, GAP = 930, 400, 62, 84, 250, 250, 460


def text(x, y, words, size=13, anchor="start", colour="#333", weight="normal"):
    return '<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" fill="%s" font-weight="%s">%s</text>' % (
        x, y, size, anchor, colour, weight, escape(words))


def line(x1, y1, x2, y2, colour="#ddd"):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>' % (x1, y1, x2, y2, colour)


def seconds(value):
    return "%.2f s" % value if value < 1 else "%.1f s" % value


def step(largest):
    """A round distance of grid lines, four to eight of them."""
    size = 0.01
    while True:
        for factor in (1, 2, 5):
            if largest / (size * factor) <= 8:
                return size * factor
        size *= 10


def apart(places, distance):
    """Places of labels, in order, moved so that none lies on another."""
    order = sorted(range(len(places)), key=lambda index: -places[index])
    moved = list(places)
    for before, index in zip(order, order[1:]):
        moved[index] = min(moved[index], moved[before] - distance)
    return moved


def panel(points, title, left):
    """One plot; points: tool to [(size in GB, seconds)]."""
    largest_size = max(size for series in points.values() for size, _ in series)
    largest = max(value for series in points.values() for _, value in series)
    bottom, distance = TOP + PLOT_HEIGHT, step(largest)

    def x(size):
        return left + PLOT_WIDTH * size / largest_size

    def y(value):
        return bottom - PLOT_HEIGHT * value / largest

    out = [text(left, TOP - 20, title, 14, weight="bold")]
    for number in range(int(largest / distance) + 1):
        out.append(line(left, y(number * distance), left + PLOT_WIDTH, y(number * distance)))
        out.append(text(left - 8, y(number * distance) + 4, "%g s" % (number * distance), 12, "end", "#666"))
    for size in sorted({round(size) for series in points.values() for size, _ in series}):
        out.append(line(x(size), bottom, x(size), bottom + 5, "#666"))
        out.append(text(x(size), bottom + 20, "%d GB" % size, 12, "middle", "#666"))
    labels = []
    for name, shown, colour in TOOLS:
        series = points.get(name)
        if series:
            path = " ".join("%.1f,%.1f" % (x(size), y(value)) for size, value in series)
            out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2.5"/>' % (path, colour))
            out += ['<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>' % (x(size), y(value), colour)
                    for size, value in series]
            labels.append((y(series[-1][1]), "%s %s" % (shown, seconds(series[-1][1])), colour))
    for place, (_, words, colour) in zip(apart([label[0] for label in labels], 17), labels):
        out.append(text(left + PLOT_WIDTH + 10, place + 4, words, 13, colour=colour, weight="bold"))
    return out


def draw(everything, output):
    """Draws what the results allow; the output, or None where fewer than two sizes were measured."""
    panels = []
    for kind, title in PANELS:
        found = [(size, everything["cases"].get("%s-%d" % (kind, size))) for size in SIZES]
        found = [(entry["bytes"] / 1e9, entry["tools"]) for _, entry in found if entry]
        if len(found) > 1:
            panels.append((title, {name: [(size, tools[name]["seconds"]) for size, tools in found
                                          if name in tools] for name, _, _ in TOOLS}))
    if not panels:
        return None
    width = WIDTH if len(panels) > 1 else WIDTH - GAP
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
           'font-family="Helvetica, Arial, sans-serif" role="img">' % (width, HEIGHT, width, HEIGHT),
           "<title>Time to extract eight subtitle tracks, against the size of the file</title>",
           '<rect width="%d" height="%d" rx="6" fill="#fff"/>' % (width, HEIGHT),
           text(20, 32, "Time to extract eight subtitle tracks, against the size of the file"
                if len(panels) > 1 else "Time to extract eight tracks, by file size", 16, colour="#111",
                weight="bold")]
    for number, (title, points) in enumerate(panels):
        out += panel(points, title, LEFT + number * GAP)
    about = everything["environment"]
    out += [text(20, HEIGHT - 12, "Matroska with an index, the same subtitles in each size; %s; medians of %d runs"
                 % (", ".join(about["versions"][1:]), everything["runs"])
                 if len(panels) > 1 else "Matroska with an index; medians of %d runs" % everything["runs"],
                 12, colour="#666"), "</svg>"]
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")
    return output


def main():
    results, output = (sys.argv[1:] + ["bench-out/results.json", "bench-out/time-against-size.svg"][
        len(sys.argv) - 1:])[:2]
    with open(results, encoding="utf-8") as file:
        print(draw(json.load(file), output) or "at least two sizes are needed")


if __name__ == "__main__":
    main()
