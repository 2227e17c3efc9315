"""Makes pairs of a reference and a changed subtitle file, with the right times of the changed one.

A pair is NAME.ref.srt, NAME.sub.srt and NAME.json: the class, and for each cue of NAME.sub.srt that the reference's film has
the right start in milliseconds, or null. Cue texts are numbers, by which cues are found again in an output.

The films are the long subtitle files of the independent test data, if it is there, and films that `made` invents.
"""

import json
import os
import random
import re
import sys

RATES = {"23.976": 24000 / 1001, "24": 24.0, "25": 25.0, "29.97": 30000 / 1001}
CLASSES = ["offset", "ratio", "breaks", "missing", "language", "noise", "all"]
SOURCES = ["subtitleedit/tests/libse/Files/auto_detect_windows-1250.srt",
           "subtitleedit/tests/libse/Files/auto_detect_Danish.srt"]
TIMES = re.compile(rb"(\d+):(\d+):(\d+)[,.](\d+)\s*-->\s*(\d+):(\d+):(\d+)[,.](\d+)")


def read(path):
    """The starts and ends of a SubRip file in milliseconds."""
    with open(path, "rb") as file:
        cues = []
        for match in TIMES.finditer(file.read()):
            h, m, s, ms, h2, m2, s2, ms2 = (int(group) for group in match.groups())
            cues.append((((h * 60 + m) * 60 + s) * 1000 + ms, ((h2 * 60 + m2) * 60 + s2) * 1000 + ms2))
    return sorted(cue for cue in cues if cue[1] > cue[0])


def made(rng, minutes):
    """An invented film: scenes of dialogue with pauses between them."""
    time, cues = rng.uniform(5, 120), []
    while time < minutes * 60:
        for _ in range(rng.randint(3, 40)):
            length = min(7.0, max(0.7, rng.lognormvariate(0.75, 0.45)))
            cues.append((int(time * 1000), int((time + length) * 1000)))
            time += length + max(0.04, rng.lognormvariate(-0.9, 1.2))
        time += rng.expovariate(1 / 14.0)
    return cues


def films(corpus, rng):
    found = [read(os.path.join(corpus, path)) for path in SOURCES if os.path.exists(os.path.join(corpus, path))]
    return [film for film in found if film] + [made(rng, minutes) for minutes in (22, 45, 95, 140)]


class Change:
    """The way from times of the reference to those of the changed file: parts with an offset each, and one ratio."""

    def __init__(self, rng, length, breaks, ratio):
        self.ratio = ratio
        # (the first time of the part in the reference, what is added); a negative jump drops what it jumps over.
        self.parts = [(float("-inf"), rng.uniform(-120e3, 120e3))]
        points = []
        while len(points) < breaks:
            point = rng.uniform(0.06, 0.94) * length
            if all(abs(point - other) > length / 16 for other in points):
                points.append(point)
        for point in sorted(points):
            jump = rng.choice([rng.uniform(5e3, 90e3), -rng.uniform(3e3, 40e3)])
            if abs(self.parts[-1][1] + jump) > 120e3:
                jump = -jump
            if jump < 0:
                self.parts.append((point - jump, self.parts[-1][1] + jump))
            else:
                self.parts.append((point, self.parts[-1][1] + jump))
        self.gaps = [(point, begin) for point, (begin, _) in zip(sorted(points), self.parts[1:])]

    def part(self, time):
        return max(index for index, (begin, _) in enumerate(self.parts) if begin <= time)

    def is_dropped(self, time):
        return any(point <= time < begin for point, begin in self.gaps)

    def forward(self, time, part):
        return (time + self.parts[part][1]) * self.ratio

    def backward(self, time, part):
        return time / self.ratio - self.parts[part][1]


def thinned(rng, cues, share):
    """Some cues are missing, some are split, some are joined with the next one."""
    out, index = [], 0
    while index < len(cues):
        start, end = cues[index]
        if rng.random() < share:
            kind = rng.randrange(3)
            if kind == 0:
                index += 1
                continue
            if kind == 1 and end - start > 1200:
                middle = start + int((end - start) * rng.uniform(0.35, 0.65))
                out += [(start, middle - 40), (middle, end)]
                index += 1
                continue
            if kind == 2 and index + 1 < len(cues) and cues[index + 1][0] - end < 800:
                out.append((start, cues[index + 1][1]))
                index += 2
                continue
        out.append((start, end))
        index += 1
    return out


def translated(rng, cues):
    """The boundaries of another language: other divisions, starts that differ a little, ends that differ more."""
    out = []
    for start, end in thinned(rng, cues, 0.35):
        start += rng.gauss(0, 90) if rng.random() < 0.7 else rng.gauss(0, 350)
        end += rng.gauss(150, 450)
        out.append((start, max(end, start + 500)))
    return out


def noisy(rng, cues):
    return [(start + rng.uniform(-300, 300), end + rng.uniform(-300, 300)) for start, end in cues]


def clock(milliseconds):
    seconds, rest = divmod(int(round(milliseconds)), 1000)
    return "%02d:%02d:%02d,%03d" % (seconds // 3600, seconds // 60 % 60, seconds % 60, rest)


def write(path, cues):
    with open(path, "w") as file:
        for number, (start, end, text) in enumerate(cues, 1):
            file.write("%d\n%s --> %s\n%s\n\n" % (number, clock(start), clock(end), text))


def pair(rng, film, kind, folder, name):
    has = lambda *kinds: kind in kinds or kind == "all"
    rates = list(RATES.values())
    ratio = 1.0
    while has("ratio") and abs(ratio - 1) < 1e-9:
        ratio = rng.choice(rates) / rng.choice(rates)
    length = film[-1][1]
    change = Change(rng, length, rng.randint(1, 5) if kind == "breaks" else rng.randint(0, 5) if kind == "all" else 0, ratio)
    cues = film
    if has("missing"):
        cues = thinned(rng, cues, 0.3)
    if has("language"):
        cues = translated(rng, cues)
    if has("noise"):
        cues = noisy(rng, cues)
    sub, truth = [], []
    for start, end in cues:
        if change.is_dropped(start):
            continue
        part = change.part(start)
        moved = change.forward(start, part)
        stop = change.forward(max(end, start + 200), part)
        if moved < 0:
            continue
        sub.append((moved, stop, part))
    sub.sort()
    rows = []
    for index, (start, stop, part) in enumerate(sub):
        rows.append((start, stop, "cue %d" % index))
        truth.append(round(change.backward(round(start), part)))
    path = os.path.join(folder, name)
    write(path + ".ref.srt", [(start, end, "line %d" % index) for index, (start, end) in enumerate(film)])
    write(path + ".sub.srt", rows)
    with open(path + ".json", "w") as file:
        json.dump({"class": kind, "ratio": ratio, "parts": change.parts[:1] and [part[1] for part in change.parts],
                   "truth": truth}, file)


def main(folder, corpus, count, seed):
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(seed)
    choice = films(corpus, rng)
    for index in range(count):
        kind = CLASSES[index % len(CLASSES)]
        pair(rng, choice[index // len(CLASSES) % len(choice)], kind, folder, "%03d-%s" % (index, kind))
    # What does not belong together: the answer is a refusal.
    for index in range(count // 5):
        one, other = rng.sample(range(len(choice)), 2)
        reference, film = choice[one], choice[other]
        if index % 3 == 2:
            film, reference = made(rng, rng.uniform(5, 120)), made(rng, rng.uniform(5, 120))
        pair(rng, film, rng.choice(CLASSES), folder, "x%03d-unrelated" % index)
        path = os.path.join(folder, "x%03d-unrelated" % index)
        write(path + ".ref.srt", [(start, end, "line %d" % n) for n, (start, end) in enumerate(reference)])
        with open(path + ".json") as file:
            facts = json.load(file)
        facts.update({"class": "unrelated", "truth": None})
        with open(path + ".json", "w") as file:
            json.dump(facts, file)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
