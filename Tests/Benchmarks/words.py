#!/usr/bin/env python3
"""Writes a long .srt: words.py OUTPUT CUES SEED SECONDS."""

import random
import sys

LETTERS = ["lamp", "keeper", "stairs", "water", "boat", "fog", "rock", "shore", "morning", "light",
           "não", "coração", "Straße", "château", "маяк", "灯台", "storm", "silence", "rope", "gull"]


def stamp(milliseconds):
    seconds, thousandths = divmod(milliseconds, 1000)
    return "%02d:%02d:%02d,%03d" % (seconds // 3600, seconds // 60 % 60, seconds % 60, thousandths)


def main():
    output, cues, seed, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    chance = random.Random(seed)
    step = seconds * 1000 // cues
    with open(output, "w", encoding="utf-8", newline="\n") as file:
        for number in range(cues):
            start = number * step + chance.randrange(step // 10 + 1)
            end = start + step * 8 // 10
            lines = [" ".join(chance.choices(LETTERS, k=chance.randint(2, 7)))
                     for _ in range(chance.choice((1, 1, 2)))]
            if chance.random() < 0.1:
                lines[0] = "<i>" + lines[0] + "</i>"
            file.write("%d\n%s --> %s\n%s\n\n" % (
                number + 1, stamp(start), stamp(end), "\n".join(lines)))


if __name__ == "__main__":
    main()
