#!/usr/bin/env python3
"""Makes mpv-menu.png: the menu of the mpv plugin over the scene of make.py. mpv.py PLUGIN

It needs mpv, Xvfb, chromium, ffmpeg and DejaVu fonts.
"""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parents[1] / "Tests" / "mpv")]
from make import SCENE, reduced, run, screenshot  # noqa: E402
from player import Player, Screen  # noqa: E402

TEXTS = {"en": "Someone has to light the lamp.",
         "fr": "Quelqu'un doit allumer la lampe."}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "scene.svg").write_text(SCENE, encoding="utf-8")
    screenshot((folder / "scene.svg").as_uri(), folder / "scene.png", 1280, 720)
    run("ffmpeg", "-y", "-loop", "1", "-i", folder / "scene.png", "-t", "4", "-r", "5", "-c:v", "libx264", "-pix_fmt",
        "yuv420p", folder / "lighthouse.mkv")
    for language, text in TEXTS.items():
        (folder / f"lighthouse.{language}.srt").write_text(f"1\n00:00:00,000 --> 00:00:04,000\n{text}\n", encoding="utf-8")
    screen = Screen(1280, 720)
    player = Player(
        screen, str(pathlib.Path(sys.argv[1]).resolve()), str(folder / "lighthouse.mkv"), "--sub-auto=no",
        "--script-opts=undertext-languages=en,undertext-second=fr,undertext-second-style-position=87%,"
        "undertext-style-position=96%,undertext-second-style-foreground=#ffee58")
    assert player.wait(lambda: player.get("sub-visibility") is False), player.log()
    player.seek(2)
    player.key("Alt+s", "DOWN")
    player.wait(lambda: False, 2)
    screen.shot(str(folder / "shot.png"))
    player.close()
    player.remove()
    screen.close()
    reduced(folder / "shot.png", HERE / "mpv-menu.png", "scale=960:-1:flags=lanczos")


if __name__ == "__main__":
    main()
