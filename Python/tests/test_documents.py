"""Subtitles in memory, conversion and extraction."""
import os
import re
import threading
from pathlib import Path

import pytest
from conftest import fixture_path

import undertext
from undertext import Cue, SubtitleFile


def test_a_file_is_encoded_in_another_format():
    subtitles = SubtitleFile.open(fixture_path("subtitles/en.srt"))
    encoded = subtitles.encode("vtt")
    assert encoded.data.startswith(b"WEBVTT") and list(encoded.files) == ["vtt"]
    assert len(SubtitleFile.open(encoded.data)) == len(subtitles) > 0
    # Names of codecs and extensions are no names of formats.
    with pytest.raises(undertext.InvalidArgumentError, match="vtt"):
        subtitles.encode("webvtt")
    with pytest.raises(undertext.UnsupportedError) as failure:
        subtitles.encode("sup")
    assert failure.value.remedy.settings == ("format",) and "srt" in failure.value.remedy.values
    assert "format=" in str(failure.value)


def test_losses_are_counted():
    subtitles = SubtitleFile.open(fixture_path("subtitles/signs.ass"))
    losses = {loss.kind: loss.count for loss in subtitles.encode("srt").losses}
    assert losses["drawing"] >= 1 and losses["font"] >= 1
    assert subtitles.encode("ass").losses == []


def test_images_are_encoded():
    subtitles = SubtitleFile.open(fixture_path("subtitles/bitmaps.sup"))
    files = subtitles.encode("vobsub").files
    assert list(files) == ["idx", "sub"] and files["sub"]
    again = SubtitleFile.open(subtitles.encode("sup").data)
    assert [cue.start for cue in again] == pytest.approx([cue.start for cue in subtitles], abs=1e-4)


def test_cues_are_made_and_changed():
    subtitles = SubtitleFile([Cue(3, 4, "a <b> & c"), Cue(1, 2.5, webvtt="<i>first</i>", settings="line:0")])
    assert [cue.text for cue in subtitles] == ["first", "a <b> & c"]
    assert subtitles[0].webvtt == "<i>first</i>" and subtitles[0].settings == "line:0"
    subtitles.append(Cue(2, 3, "between"))
    assert [cue.text for cue in subtitles] == ["first", "between", "a <b> & c"]
    subtitles.shift(-2)
    assert [(cue.start, cue.end) for cue in subtitles] == [(0, 0.5), (0, 1), (1, 2)]
    subtitles.retime(lambda time: time * 2)
    assert subtitles[-1].end == 4 and len(subtitles[1:]) == 2
    subtitles.shift(-2)
    assert [cue.text for cue in subtitles] == ["a <b> & c"]
    text = subtitles.encode("srt").data.decode()
    assert "00:00:00,000 --> 00:00:02,000" in text
    for start, end in ((2, 1), (1, 1)):
        with pytest.raises(undertext.InvalidArgumentError):
            Cue(start, end, "x")
    with pytest.raises(undertext.InvalidArgumentError):
        Cue(1, 2)
    with pytest.raises(undertext.InvalidArgumentError):
        subtitles[0].retimed(3, 2)
    assert subtitles[0].shifted(1).start == 1


def test_styles_survive_a_shift():
    subtitles = SubtitleFile.open(fixture_path("subtitles/signs.ass"))
    before = list(subtitles)
    header = subtitles.encode("ass").data.split(b"[Events]")[0]
    subtitles.shift(5)
    # Times within karaoke move, too.
    assert any("<00:00:09.500>" in cue.webvtt for cue in before)
    assert any("<00:00:14.500>" in cue.webvtt for cue in subtitles)
    plain = [re.sub("<[0-9:.]+>", "", cue.webvtt) for cue in before]
    assert [re.sub("<[0-9:.]+>", "", cue.webvtt) for cue in subtitles] == plain
    assert subtitles.encode("ass").data.split(b"[Events]")[0] == header


def test_a_file_is_saved(tmp_path):
    subtitles = SubtitleFile.open(fixture_path("subtitles/signs.ass"))
    path = tmp_path / "signs.srt"
    assert subtitles.save(path)
    assert path.read_bytes() == subtitles.encode("srt").data
    with pytest.raises(FileExistsError) as failure:
        subtitles.save(path)
    assert failure.value.code == "output-exists"
    subtitles.save(path, "vtt", replace=True)
    assert path.read_bytes().startswith(b"WEBVTT")
    bitmaps = SubtitleFile.open(fixture_path("subtitles/bitmaps.sup"))
    bitmaps.save(tmp_path / "film.idx")
    assert sorted(os.listdir(tmp_path)) == ["film.idx", "film.sub", "signs.srt"]
    with pytest.raises(undertext.InvalidArgumentError):
        subtitles.save(tmp_path / "name")


def test_cues_before_zero_are_left_out():
    encoded = SubtitleFile([Cue(-5, -1, "gone"), Cue(-1, 2, "cut")]).encode("srt")
    assert encoded.data.decode().split() == ["1", "00:00:00,000", "-->", "00:00:02,000", "cut"]
    assert [found.code for found in encoded.diagnostics] == ["before-zero"]
    stored = SubtitleFile([Cue(-5, -1, "kept")]).encode("jsonl")
    assert b"-5.0" in stored.data and not stored.diagnostics
    assert SubtitleFile([Cue(1, 2, "text")]).encode("dfxp").data.startswith(b"<?xml")


def test_wrong_arguments_are_named(tmp_path):
    with pytest.raises(TypeError):
        undertext.convert(fixture_path("subtitles/en.srt"), None)
    subtitles = SubtitleFile.open(fixture_path("subtitles/en.srt"))
    for text in ["a\0b", "a\ud800b"]:
        with pytest.raises(undertext.InvalidArgumentError, match="null character"):
            Cue(1, 2, text)
    with pytest.raises(TypeError):
        subtitles.shift(None)
    with pytest.raises(ValueError, match="NaN"):
        subtitles.retime(lambda time: float("nan"))
    with pytest.raises(undertext.InvalidArgumentError, match="cannot be shown"):
        subtitles.shift(1e30)
    for size in [(0, 5), (-1, 5), 5, (1.5, 2), (1, 2, 3)]:
        with pytest.raises(undertext.InvalidArgumentError, match="width and the height"):
            subtitles.renderer(size)
    del subtitles[1:]
    assert len(SubtitleFile.open(subtitles.encode("vtt").data)) == 1
    with pytest.raises(undertext.NotFoundError, match="folder does not exist"):
        subtitles.save(tmp_path / "none" / "a.srt")
    with undertext.open(fixture_path("subtitles/en.srt"), frame_rate=25) as media:
        with pytest.raises(undertext.InvalidArgumentError, match="excludes"):
            media.extract(tmp_path, file=tmp_path / "a.vtt")


def test_threads_add_cues():
    subtitles = SubtitleFile()

    def add(first):
        for number in range(first, 2000, 4):
            subtitles.append(Cue(number, number + 1, str(number)))

    threads = [threading.Thread(target=add, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [cue.text for cue in subtitles] == [str(number) for number in range(2000)]
    again = SubtitleFile.open(subtitles.encode("srt").data)
    assert [cue.text for cue in again] == [str(number) for number in range(2000)]


def test_tracks_are_extracted(tmp_path):
    seen = []
    report = undertext.extract(
        fixture_path("containers/movie.mkv"), tmp_path, tracks="en+text", format="native",
        progress=seen.append,
    )
    assert report.complete and report.outputs and seen[-1] == 1
    assert all(Path(output).parent == tmp_path for output in report.outputs)
    assert report.tracks[0].status == "written" and report.tracks[0].cues > 0
    with pytest.raises(undertext.OutputExistsError) as failure:
        undertext.extract(fixture_path("containers/movie.mkv"), tmp_path, tracks="en+text", format="native")
    assert "replace=True" in str(failure.value)
    again = undertext.extract(
        fixture_path("containers/movie.mkv"), tmp_path, tracks="en+text", format="native", replace=True
    )
    assert again.outputs == report.outputs
    with pytest.raises(undertext.NotFoundError):
        undertext.extract(fixture_path("containers/movie.mkv"), tmp_path, tracks="tlh")
    with pytest.raises(undertext.InvalidArgumentError):
        undertext.extract(fixture_path("containers/movie.mkv"), tmp_path, tracks="en,,")

    def broken(fraction):
        raise RuntimeError("no progress")

    with pytest.raises(RuntimeError, match="no progress"):
        undertext.extract(fixture_path("containers/movie.mkv"), tmp_path / "other", progress=broken)


def test_paths_may_be_objects(tmp_path):
    with undertext.open(Path(fixture_path("containers/movie.mkv"))) as media:
        media.extract(tmp_path / "tracks", tracks="en+text", attachments=tmp_path / "fonts")
        with pytest.raises(undertext.InvalidArgumentError) as failure:
            media.extract(file=tmp_path / "one.srt", tracks="en+text", format="srt")
        media.extract(file=tmp_path / "one.srt", tracks=failure.value.remedy.values[0], format="srt")
    assert os.listdir(tmp_path / "fonts") and os.listdir(tmp_path / "tracks")
    assert (tmp_path / "one.srt").stat().st_size > 0


def test_a_file_is_converted(tmp_path):
    report = undertext.convert(fixture_path("subtitles/signs.ass"), tmp_path / "signs.vtt")
    assert (tmp_path / "signs.vtt").read_bytes().startswith(b"WEBVTT")
    assert report.complete and any(loss.kind == "drawing" for loss in report.losses)
    copy = undertext.convert(fixture_path("subtitles/signs.ass"), tmp_path / "copy.ass")
    assert copy.losses == []
    with pytest.raises(undertext.InvalidArgumentError) as failure:
        undertext.convert(fixture_path("subtitles/signs.ass"), tmp_path / "signs.docx")
    assert failure.value.remedy.settings == ("format",)
    undertext.convert(fixture_path("subtitles/bitmaps.sup"), tmp_path / "film.images")
    assert (tmp_path / "film.images" / "index.json").exists()


def test_subtitles_are_drawn():
    pytest.importorskip("numpy")
    bitmaps = SubtitleFile.open(fixture_path("subtitles/bitmaps.sup"))
    first = bitmaps[0]
    overlay = bitmaps.render(first.start + 0.01)
    assert (overlay.width, overlay.height) == first.canvas
    x, y, width, height = overlay.bounds
    assert overlay.numpy()[y : y + height, x : x + width, 3].any()
    with bitmaps.renderer((640, 360)) as renderer:
        assert renderer.draw(first.start + 0.01).bounds
        empty = renderer.draw(first.start - 0.5)
        assert empty.bounds is None and not empty.numpy().any()
    with pytest.raises(ValueError, match="closed"):
        renderer.draw(1)


def test_text_is_drawn_with_a_style():
    with undertext.open(fixture_path("containers/movie.mkv")) as media:
        track = media.track(language="en")
        cue = next(iter(track))
        at = (cue.start + cue.end) / 2
        try:
            plain = track.render(at)
        except undertext.MissingLibraryError as failure:
            pytest.skip(str(failure))
        assert plain.bounds and (plain.width, plain.height) == (320, 180)
        yellow = track.render(at, (320, 180), style={"foreground": "#ffff00"})
        assert yellow.tobytes() != plain.tobytes()
        with pytest.raises(undertext.InvalidArgumentError):
            track.render(at, style={"hue": "1"})
