#!/usr/bin/env python3
"""Makes the images of README.md from real runs: make.py UNDERTEXT MOVIE

UNDERTEXT is the command with all traits, MOVIE a large file with subtitle tracks, such as the film.mkv that
Tests/Benchmarks/run.sh leaves in bench-out. It needs chromium, ffmpeg, tesseract and DejaVu fonts.

terminal.svg   `extract` on MOVIE, its output and its time: the median of nine runs after one to warm up, on a quiet machine
overlay.png    `render --over-video` on a small video that is drawn here
page.png       the page of an image folder, made from a .sup with `--ocr`
"""

import os
import pathlib
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent

SCENE = """<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720" viewBox="0 0 1280 720">
<rect width="1280" height="720" fill="#12213f"/>
<circle cx="300" cy="190" r="330" fill="#162a50"/><circle cx="300" cy="190" r="230" fill="#1b3362"/>
<circle cx="300" cy="190" r="140" fill="#213d74"/><circle cx="300" cy="190" r="62" fill="#f4ecd6"/>
<g fill="#cfd9f2"><circle cx="90" cy="90" r="2"/><circle cx="520" cy="70" r="2.5"/><circle cx="640" cy="190" r="2"/>
<circle cx="760" cy="60" r="2"/><circle cx="1120" cy="90" r="2.5"/><circle cx="1210" cy="230" r="2"/>
<circle cx="170" cy="330" r="2"/><circle cx="560" cy="330" r="1.8"/><circle cx="880" cy="120" r="1.8"/></g>
<path d="M982 214 L0 330 L0 470 L982 246 Z" fill="#f7d774" fill-opacity=".22"/>
<path d="M0 500 H1280 V720 H0 Z" fill="#0d3a5c"/>
<path d="M0 560 q80 -24 160 0 t160 0 t160 0 t160 0 t160 0 t160 0 t160 0 t160 0 V720 H0 Z" fill="#0a2f4c"/>
<path d="M0 630 q80 -24 160 0 t160 0 t160 0 t160 0 t160 0 t160 0 t160 0 t160 0 V720 H0 Z" fill="#08263d"/>
<path d="M800 620 Q860 470 960 468 L1060 468 Q1190 480 1280 610 V720 H780 Z" fill="#1c2433"/>
<path d="M962 262 H1038 L1056 480 H944 Z" fill="#f2efe9"/>
<path d="M957 316 H1043 L1047 366 H953 Z M949 420 H1051 L1056 480 H944 Z" fill="#c8453b"/>
<rect x="950" y="252" width="100" height="12" fill="#2b3446"/><rect x="970" y="206" width="60" height="46" fill="#ffe9a0"/>
<path d="M962 208 L1000 166 L1038 208 Z" fill="#c8453b"/><path d="M998 206 h4 v46 h-4 Z" fill="#2b3446"/>
</svg>"""

SCRIPT = """[Script Info]
ScriptType: v4.00+
PlayResX: 1280
PlayResY: 720

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,DejaVu Sans,50,&H00FFFFFF,&H000000FF,&H00101010,&H80000000,-1,0,0,0,100,100,0,0,1,3,1,2,40,40,40,1
Style: Sign,DejaVu Serif,46,&H0074D7F7,&H000000FF,&H00281408,&H00000000,-1,-1,0,0,100,100,2,0,1,2,0,5,0,0,0,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.00,0:00:02.00,Sign,,0,0,0,,{\\pos(430,324)\\frz9.8}The lighthouse
Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,{\\i1}Someone{\\i0} has to climb the stairs\\Nand {\\c&H74D7F7&}light the lamp{\\r}.
"""

WORDS = (("00:00:04,200", "00:00:06,900", "The lighthouse has been dark\nsince the storm."),
         ("00:00:07,400", "00:00:09,650", "Someone has to climb the stairs."),
         ("00:00:10,100", "00:00:12,800", "Thirty meters up,\nhalf a mile out."))


def run(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **more).stdout


def screenshot(address, output, width, height):
    run("chromium", "--headless", "--no-sandbox", "--hide-scrollbars",
        "--screenshot=%s" % output, "--window-size=%d,%d" % (width, height), address)


def reduced(source, output, *filters):
    """The PNG with at most 256 colors."""
    graph = ",".join(filters + ("split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none",))
    run("ffmpeg", "-y", "-i", source, "-vf", graph, output)


def terminal(undertext, movie, folder):
    """Runs commands in a folder as people would, and draws what they print."""
    os.symlink(pathlib.Path(movie).resolve(), folder / "movie.mkv")
    os.symlink(pathlib.Path(undertext).resolve(), folder / "undertext")
    environment = dict(os.environ, PATH="%s:%s" % (folder, os.environ["PATH"]), TIMEFORMAT="%3R s")
    commands = ["ls -Lsh --si movie.mkv", "time undertext extract --format native movie.mkv -o subs"]

    def printed(command):
        return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.splitlines()

    listing = printed(commands[0])
    runs = []
    for _ in range(10):
        run("rm", "-rf", folder / "subs")
        runs.append(printed(commands[1]))
    middle = sorted(runs[1:], key=lambda lines: float(lines[-1].split()[0]))[4]
    draw([(commands[0], listing), (commands[1], middle)], HERE / "terminal.svg")


def draw(session, output):
    """A window with a session: commands, and after each what it printed."""
    rows = []
    for command, lines in session:
        rows.append(("$ ", command, "command"))
        rows += [("", line, "line") for line in lines]
    size, step, left, top = 14, 21, 22, 62
    width, height = 640, top + step * len(rows) + 8
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">' % (
        width, height, width, height),
        "<title>%s</title>" % escape("; ".join(command for command, _ in session)),
        "<style>",
        "text { font: %dpx ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; "
        "white-space: pre; fill: #c9d4e5 }" % size,
        ".prompt { fill: #6fd08c } .command { fill: #fff } .time { fill: #f7d774; font-weight: bold } "
        ".soft { fill: #8391a7 }",
        "@keyframes appear { from { opacity: 0 } to { opacity: 1 } }",
        "g { animation: appear .01s both } @media (prefers-reduced-motion) { g { animation: none } }",
        "</style>",
        '<rect x=".5" y=".5" width="%d" height="%d" rx="9" fill="#151b26" stroke="#3a4558"/>' % (width - 1, height - 1),
        '<circle cx="22" cy="20" r="6" fill="#e0645c"/><circle cx="42" cy="20" r="6" fill="#e5b84e"/>'
        '<circle cx="62" cy="20" r="6" fill="#5fbf73"/>']
    delay = 0.0
    for number, (prompt, line, kind) in enumerate(rows):
        if kind == "command":
            delay += 0.6 if number else 0
        elif rows[number - 1][2] == "command":
            delay += 0.6
        if kind == "command":
            words = '<tspan class="prompt">%s</tspan><tspan class="command">%s</tspan>' % (prompt, escape(line))
        elif number == len(rows) - 1:
            words = '<tspan class="time">%s</tspan>' % escape(line)
        elif ": " in line:
            name, rest = line.split(": ", 1)
            words = '%s:<tspan class="soft"> %s</tspan>' % (escape(name), escape(rest))
        else:
            words = escape(line)
        out.append('<g style="animation-delay: %.2fs"><text x="%d" y="%d">%s</text></g>' % (
            delay, left, top + step * number, words))
    output.write_text("\n".join(out + ["</svg>"]) + "\n", encoding="utf-8")


def overlay(undertext, folder):
    """Draws a video of one scene and a script over it."""
    (folder / "scene.svg").write_text(SCENE, encoding="utf-8")
    (folder / "film.ass").write_text(SCRIPT, encoding="utf-8")
    screenshot((folder / "scene.svg").as_uri(), folder / "scene.png", 1280, 720)
    run("ffmpeg", "-y", "-loop", "1", "-t", "2", "-r", "5", "-i", folder / "scene.png", "-c:v", "png",
        folder / "film.mkv")
    run(undertext, "render", "--at", "1", "--video", folder / "film.mkv", folder / "film.ass", "-o",
        folder / "overlay.png")
    reduced(folder / "overlay.png", HERE / "overlay.png", "scale=640:360:flags=lanczos")


def page(undertext, folder):
    """Makes a .sup of rendered text, and a screenshot of the page of its image folder."""
    images = folder / "text.images"
    images.mkdir()
    cues = "\n\n".join("%d\n%s --> %s\n%s" % (number, start, end, text)
                       for number, (start, end, text) in enumerate(WORDS, 1))
    (folder / "text.srt").write_text(cues + "\n", encoding="utf-8")
    events = []
    for number, (start, end, _) in enumerate(WORDS, 1):
        name = "%04d.png" % number
        run(undertext, "render", "--at", start.replace(",", ".")[:-1] + "5", "--size", "1920x1080",
            folder / "text.srt", "-o", images / name)
        codes = ["%s:%02d" % (time[:8], int(int(time[9:]) * 25 / 1000)) for time in (start, end)]
        events.append('<Event InTC="%s" OutTC="%s" Forced="False"><Graphic Width="1920" Height="1080" X="0" Y="0">'
                      '%s</Graphic></Event>' % (codes[0], codes[1], name))
    (images / "index.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?><BDN Version="0.93"><Description><Name Title="film" Content=""/>'
        '<Language Code="eng"/><Format VideoFormat="1080p" FrameRate="25" DropFrame="False"/></Description><Events>'
        "%s</Events></BDN>" % "".join(events), encoding="utf-8")
    run(undertext, "convert", images, folder / "movie.en.sup")
    run(undertext, "convert", "--ocr", "en", "--to", "png", folder / "movie.en.sup", folder / "movie.en.images")
    screenshot((folder / "movie.en.images/index.html").as_uri(), folder / "page.png", 760, 428)
    reduced(folder / "page.png", HERE / "page.png")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    undertext = pathlib.Path(sys.argv[1]).resolve()
    for make, words in ((terminal, (undertext, sys.argv[2])), (overlay, (undertext,)), (page, (undertext,))):
        with tempfile.TemporaryDirectory() as folder:
            make(*words, pathlib.Path(folder))
    for file in sorted(HERE.glob("*.[ps][nv]g")):
        print("%s: %d bytes" % (file.name, file.stat().st_size))
        if file.stat().st_size >= 60_000:
            sys.exit("%s is too large for a README" % file.name)


if __name__ == "__main__":
    main()
