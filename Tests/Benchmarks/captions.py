#!/usr/bin/env python3
"""Writes twenty seconds of 1080p television with captions: captions.py OUTPUT.ts CAPTIONS.txt.

H.264 of 8 Mb/s as x264 makes it, and five pop-on captions of CEA-608, whose texts go to the second file.
"""

import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, "Fixtures/tools")
import captioned  # noqa: E402
import cea608  # noqa: E402
from words import LETTERS  # noqa: E402

SECONDS, CAPTIONS = 20, 5
SOURCE = "testsrc2=s=1920x1080:r=30000/1001:d=%d,noise=alls=20:allf=t" % SECONDS


def pairs():
    """A pair for each frame, and the texts."""
    chance, data, texts = random.Random(5), [], []
    words = [word for word in LETTERS if word.isascii()]
    for number in range(CAPTIONS):
        lines = [" ".join(chance.choices(words, k=4))[:32].strip() for _ in range(2)]
        texts.append("\n".join(lines))
        data += cea608.command("RCL") + cea608.command("ENM")
        for row, line in zip((14, 15), lines):
            data += cea608.pac(row) + cea608.text(line)
        data += cea608.command("EOC")
        data += cea608.nulls((number + 1) * 110 - 2 - len(data)) + cea608.command("EDM")
    return data, texts


def main():
    data, texts = pairs()
    with tempfile.TemporaryDirectory() as folder:
        parts = captioned.encoded("h264", SOURCE, folder, "-preset", "ultrafast", "-b:v", "8M", "-maxrate", "8M",
                                  "-bufsize", "8M", "-g", "60", "-bf", "2")
    data += cea608.nulls(len(parts) - len(data))
    captions = [(captioned.with_captions("h264", part, (data[rank], (0x80, 0x80))), rank) for part, rank in parts]
    Path(sys.argv[1]).write_bytes(captioned.transport("h264", captions))
    Path(sys.argv[2]).write_text("\n\n".join(texts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
