#!/usr/bin/env python3
"""Writes the conformance set of EBU STL: ebustl.py FOLDER.

Each file NAME.stl has the subtitles of one rule of EBU Tech 3264-E, and NAME.cues what a viewer sees: for each subtitle
its times in milliseconds, its side, its place and its text. A place is `bottom`, or the upper (`top`) or lower (`end`)
edge of the text in rows of the screen. Lines of text are joined by `|`, and `[yellow i]text[/]` is text of a look.
Nothing here comes from Undertext's own reader: bytes and results are stated side by side.
"""
import struct
import sys
from pathlib import Path

LAST, USER, UNUSED = 0xFF, 0xFE, b"\x8f"
NEWLINE = b"\x8a"


def gsi(**changes):
    """The General Subtitle Information block: 1024 bytes."""
    fields = dict(
        CPN="850", DFC="STL25.01", DSC="1", CCT="00", LC="09", OPT="", OET="", TPT="", TET="", TN="", TCD="", SLR="",
        CD="240229", RD="240301", RN="02", TNB="", TNS="", TNG="001", MNC="40", MNR="23", TCS="1", TCP="00000000",
        TCF="00000100", TND="1", DSN="1", CO="GBR", PUB="", EN="", ECD="")
    fields.update(changes)
    widths = [3, 8, 1, 2, 2, 32, 32, 32, 32, 32, 32, 16, 6, 6, 2, 5, 5, 3, 2, 2, 1, 8, 8, 1, 1, 3, 32, 32, 32]
    parts = []
    for value, width in zip(fields.values(), widths, strict=True):
        data = value if isinstance(value, bytes) else value.encode("cp850")
        assert len(data) <= width
        parts.append(data.ljust(width))
    block = b"".join(parts)
    return block.ljust(1024)


def time(milliseconds, rate=25):
    seconds, rest = divmod(milliseconds, 1000)
    frames = rest * rate // 1000
    assert frames * 1000 == rest * rate, "a time within a frame"
    return bytes([seconds // 3600, seconds // 60 % 60, seconds % 60, frames])


def tti(number, start, end, text, *, extension=LAST, group=0, status=0, row=22, side=2, comment=0, rate=25):
    """A Text and Timing Information block: 128 bytes."""
    start = start if isinstance(start, bytes) else time(start, rate)
    end = end if isinstance(end, bytes) else time(end, rate)
    assert len(text) <= 112
    head = struct.pack("<BHBB", group, number, extension, status) + start + end + bytes([row, side, comment])
    return head + text.ljust(112, UNUSED)


class Folder:
    def __init__(self, path):
        self.path = Path(path)
        self.path.mkdir(exist_ok=True)

    def add(self, name, blocks, cues, **header):
        numbers = {(block[0], block[1:3]) for block in blocks if block[3] != USER}
        header.setdefault("TNB", f"{len(blocks):05}")
        header.setdefault("TNS", f"{len(numbers):05}")
        header.setdefault("TNG", f"{len({block[0] for block in blocks}):03}")
        (self.path / f"{name}.stl").write_bytes(gsi(**header) + b"".join(blocks))
        (self.path / f"{name}.cues").write_text("".join(cue + "\n" for cue in cues), encoding="utf-8")


def boxed(text):
    """A line of teletext as broadcasters write it: double height, in a box."""
    return b"\x0d\x0b\x0b" + text + b"\x0a\x0a"


def main(folder):
    files = Folder(folder)
    files.add(
        "teletext",
        [
            tti(1, 1000, 2000, boxed(b"One line at the bottom")),
            tti(2, 2000, 3000, boxed(b"Two lines") + NEWLINE * 2 + boxed(b"at the bottom"), row=20),
            tti(3, 3000, 4000, boxed(b"A line at the top"), row=1),
            tti(4, 4000, 5000, boxed(b"A line") + NEWLINE * 2 + boxed(b"above the middle"), row=8),
            tti(5, 5000, 6000, boxed(b"A line below the middle"), row=14),
            tti(6, 6000, 7000, b"\x0b\x0bSingle height", row=23),
            tti(7, 7000, 8000, NEWLINE * 20 + b"Rows before it are empty", row=3),
        ],
        [
            "1000 2000 center bottom One line at the bottom",
            "2000 3000 center bottom Two lines|at the bottom",
            "3000 4000 center top:0 A line at the top",
            "4000 5000 center top:7 A line|above the middle",
            "5000 6000 center end:15 A line below the middle",
            "6000 7000 center bottom Single height",
            "7000 8000 center bottom Rows before it are empty",
        ],
        OPT="Die große Prüfung", PUB="Nobody", OET="Folge 1")
    files.add(
        "colors",
        [
            tti(1, 1000, 2000, boxed(b"\x03Yellow\x06cyan \x07 white")),
            tti(2, 2000, 3000, boxed(b"\x02Green\x8a\x8a\x0dwhite again")),
            tti(3, 3000, 4000, boxed(b"\x01\x1d\x07White on red\x1c on black")),
            tti(4, 4000, 5000, boxed(b"\x08Flashing\x09 steady")),
            tti(5, 5000, 6000, boxed(b"\x00Black\x01red\x04blue\x05magenta")),
        ],
        [
            "1000 2000 center bottom [yellow]Yellow [/][cyan]cyan [/]white",
            "2000 3000 center bottom [green]Green|[/]white again",
            "3000 4000 center bottom [on-red]White on red [/]on black",
            "4000 5000 center bottom [blink]Flashing [/]steady",
            "5000 6000 center bottom [black]Black [/][red]red [/][blue]blue [/][magenta]magenta[/]",
        ])
    files.add(
        "open",
        [
            tti(1, 1000, 2000, b"\x80Italic\x81 and \x82underlined\x83", row=11),
            tti(2, 2000, 3000, b"\x80Over two" + NEWLINE + b"lines\x81 of text", row=10),
            tti(3, 3000, 4000, b"In a \x84box\x85.", row=1),
            tti(4, 4000, 5000, b"In\x80ner\x81most", row=11),
            tti(5, 5000, 6000, b"Row six", row=6),
        ],
        [
            "1000 2000 center bottom [i]Italic[/] and [u]underlined[/]",
            "2000 3000 center bottom [i]Over two|lines[/] of text",
            "3000 4000 center top:0 In a [on-black]box[/].",
            "4000 5000 center bottom In[i]ner[/]most",
            "5000 6000 center end:6 Row six",
        ],
        DSC="0", MNR="11", MNC="38")
    files.add(
        "sides",
        [
            tti(1, 1000, 2000, b"Unchanged", side=0),
            tti(2, 2000, 3000, b"Left" + NEWLINE + b"of it", side=1),
            tti(3, 3000, 4000, b"Centered", side=2),
            tti(4, 4000, 5000, b"Right", side=3),
        ],
        [
            "1000 2000 center bottom Unchanged",
            "2000 3000 left bottom Left|of it",
            "3000 4000 center bottom Centered",
            "4000 5000 right bottom Right",
        ])
    long = b"word " * 60
    files.add(
        "extension",
        [
            tti(1, 1000, 2000, long[:112], extension=0),
            tti(1, 1000, 2000, b"for programs only", extension=USER),
            tti(1, 1000, 2000, long[112:224], extension=1),
            tti(1, 1000, 2000, long[224:], extension=LAST),
            tti(2, 2000, 3000, b"short"),
        ],
        [f"1000 2000 center bottom {long.decode().strip()}", "2000 3000 center bottom short"])
    files.add(
        "cumulative",
        [
            tti(1, 1000, 2000, b"First line", status=1, row=18),
            tti(2, 2000, 3000, b"second line", status=2, row=20),
            tti(3, 3000, 5000, b"third line", status=3, row=22),
            tti(4, 6000, 7000, b"On its own"),
            tti(5, 8000, 10000, b"Of a set", status=1, row=20),
            tti(6, 9000, 10000, b"of two", status=3, row=22),
        ],
        [
            "1000 5000 center end:18 First line",
            "2000 5000 center end:20 second line",
            "3000 5000 center bottom third line",
            "6000 7000 center bottom On its own",
            "8000 10000 center end:20 Of a set",
            "9000 10000 center bottom of two",
        ])
    files.add(
        "comments",
        [
            tti(1, 1000, 2000, b"Please check this name", comment=1),
            tti(2, 2000, 3000, b"Shown"),
            tti(3, 3000, 4000, b""),
        ],
        ["2000 3000 center bottom Shown"])
    files.add(
        "programme_start",
        [tti(1, 36_001_000, 36_002_000, b"After a second"), tti(2, 36_003_000, 36_004_000, b"After three")],
        ["1000 2000 center bottom After a second", "3000 4000 center bottom After three"],
        TCP="10000000", TCF="10000100")
    files.add(
        "early",
        [tti(1, 1000, 2000, b"Before the programme"), tti(2, 36_003_000, 36_004_000, b"in it")],
        ["1000 2000 center bottom Before the programme", "36003000 36004000 center bottom in it"],
        TCP="10000000", TCF="00000100")
    files.add(
        "thirty_frames",
        [tti(1, 1100, 2900, b"Thirty frames a second", rate=30)],
        ["1100 2900 center bottom Thirty frames a second"],
        DFC="STL30.01")
    files.add(
        "latin",
        [
            tti(1, 1000, 2000, b"\xc1A\xc2e\xc3o\xc4n\xc5u\xc6a\xc7z\xc8u\xcaa\xcbc\xcdo\xcea\xcfs"),
            tti(2, 2000, 3000, b"\xfb\xf1\xf9\xf8\xe9\xe8 \xd5 \xaaquoted\xba \xa9\xb9 \xabso\xbb"),
            tti(3, 3000, 4000, b"\xa3 \xa4 $ \xb0 \xbd \xd0 \xdc \xc8 \xbf\xa1"),
            tti(4, 4000, 5000, b"\xc2w\xc1y: letters without a table"),
        ],
        [
            "1000 2000 center bottom Àéôñūăżüåçőąš",
            "2000 3000 center bottom ßæøłØŁ ♪ “quoted” ‘’ «so»",
            "3000 4000 center bottom £ $ $ ° ½ — ⅛ ¨¿¡",
            "4000 5000 center bottom w\u0301y\u0300: letters without a table",
        ])
    for name, table, codec, language, code, words in [
        ("cyrillic", "01", "iso8859-5", "ru", "56", "Съешь ещё этих мягких булок №1"),
        ("arabic", "02", "iso8859-6", "ar", "7E", "نص حكيم، سرّ"),
        ("greek", "03", "iso8859-7", "el", "70", "Ξεσκεπάζω την ψυχοφθόρα «βδελυγμία»"),
        ("hebrew", "04", "iso8859-8", "he", "6C", "דג סקרן שט בים"),
    ]:
        files.add(
            name, [tti(1, 1000, 2000, words.encode(codec))], [f"1000 2000 center bottom {words}"],
            CCT=table, LC=code)
    whole = [
        tti(1, 1000, 2000, b"Whole"),
        tti(2, b"\x00\x3f\x00\x00", 3000, b"A minute of 63"),
        tti(3, 3000, b"\x00\x00\x3f\x00", b"An end that is none"),
        tti(4, 5000, 4000, b"Backwards"),
        tti(5, 6000, 7000, b"Half a sub", extension=0),
        tti(6, 7000, 8000, b"a \xe5 byte"),
        bytes(128),
        tti(7, 9000, 10000, b"Whole again", status=9),
    ]
    files.add(
        "damaged", whole,
        [
            "1000 2000 center bottom Whole",
            "3000 ? center bottom An end that is none",
            "5000 ? center bottom Backwards",
            "6000 7000 center bottom Half a sub",
            "7000 8000 center bottom a \ufffd byte",
            "9000 10000 center bottom Whole again",
        ],
        DFC="STL99.01", TNB="00003", CCT="77")


if __name__ == "__main__":
    main(sys.argv[1])
