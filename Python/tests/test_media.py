"""Media files, tracks and cues."""
import gc
import copy
import io
import math
import mmap
import os
import pickle
import re

import numpy
import pytest
from conftest import ROOT, fixture_path

import undertext
from undertext._errors import described_exception
from undertext._library import lib


def stored_starts(path):
    """Returns the starts of a SubRip file in milliseconds."""
    times = re.findall(r"(\d+):(\d+):(\d+),(\d+) -->", open(path, encoding="utf-8").read())
    return [((int(h) * 60 + int(m)) * 60 + int(s)) * 1000 + int(ms) for h, m, s, ms in times]


def test_tracks_are_described():
    with undertext.open(fixture_path("containers/movie.mkv")) as media:
        track = media.track(language="en")
        assert (track.codec, track.language, track.is_bitmap) == ("subrip", "en", False)
        assert any(track.is_bitmap and track.codec == "hdmv_pgs_subtitle" for track in media)
        assert [track.stream for track in media] == [track.stream for track in media.tracks]
        with pytest.raises(undertext.NotFoundError):
            media.track(language="tlh")


def test_cues_are_read():
    path = fixture_path("subtitles/en.srt")
    with undertext.open(path) as media:
        cues = list(media.track())
    assert [cue.start_ns // 1_000_000 for cue in cues] == stored_starts(path)
    assert all(cue.end > cue.start and cue.text for cue in cues)
    assert not cues[0].is_bitmap and cues[0].images == [] and cues[0].canvas is None


def test_a_part_of_the_timeline_is_read():
    with undertext.open(fixture_path("containers/movie.mkv")) as media:
        track = media.track(language="en")
        every = list(track.cues())
        part = list(track.cues(every[2].start, every[4].start))
        assert [cue.start for cue in part if cue.start >= every[2].start] == [
            cue.start for cue in every[2:4]
        ]
        with track.cues() as cues:
            assert next(cues).start == every[0].start
        with pytest.raises(StopIteration):
            next(cues)


def test_images_are_arrays_without_a_copy():
    with undertext.open(fixture_path("subtitles/bitmaps.sup")) as media:
        cue = next(iter(media.track()))
    assert cue.is_bitmap and cue.text is None and cue.canvas
    image = cue.images[0]
    array = numpy.asarray(image)
    assert array.shape == (image.height, image.width, 4) and array.dtype == numpy.uint8
    assert array[..., 3].any()
    assert not array.flags.writeable and not array.flags.owndata
    again = cue.images[0].numpy()
    assert array.__array_interface__["data"] == again.__array_interface__["data"]
    assert bytes(image.view()) == image.tobytes() == array.tobytes()
    assert image.view().shape == array.shape and image.view().readonly
    before = array.copy()
    del cue, image, again
    gc.collect()
    assert (array == before).all()


def test_probe_has_the_keys_of_ffprobe():
    description = undertext.probe(fixture_path("containers/movie.mkv"))
    assert description["format"]["nb_streams"] == len(description["streams"])
    assert any(stream["codec_type"] == "subtitle" for stream in description["streams"])


@pytest.mark.parametrize("kind", ["bytes", "memoryview", "BytesIO", "file", "mmap"])
def test_file_objects_and_bytes_are_read(kind):
    path = fixture_path("containers/movie.mkv")
    with open(path, "rb") as file:
        data = file.read()
        sources = {
            "bytes": data,
            "memoryview": memoryview(data),
            "BytesIO": io.BytesIO(data),
            "file": file,
            # Its seek() returns nothing before Python 3.13.
            "mmap": mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ),
        }
        with undertext.open(sources[kind]) as media:
            texts = [cue.text for cue in media.track(language="en")]
    with undertext.open(path) as media:
        assert texts == [cue.text for cue in media.track(language="en")]
    assert texts


class Failing(io.BytesIO):
    """Fails to read after some calls."""

    def __init__(self, data, calls):
        super().__init__(data)
        self.calls = calls

    def readinto(self, buffer):
        self.calls -= 1
        if self.calls < 0:
            raise ConnectionError("the cable is cut")
        return super().readinto(buffer)


def test_an_exception_of_a_file_object_is_raised():
    data = open(fixture_path("containers/movie.mkv"), "rb").read()
    with pytest.raises(ConnectionError, match="the cable is cut") as failure:
        with undertext.open(Failing(data, 2)) as media:
            list(media.track(language="en"))
    assert isinstance(failure.value.__cause__, undertext.ReadError)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (lambda buffer: None, BlockingIOError),
        (lambda buffer: len(buffer) + 1, ValueError),
        (lambda buffer: -1, ValueError),
        (lambda buffer: "one", TypeError),
    ],
)
def test_a_wrong_answer_of_a_file_object_is_an_error(answer, kind):
    source = io.BytesIO(open(fixture_path("containers/movie.mkv"), "rb").read())

    class Wrong:
        seek, readinto = source.seek, staticmethod(answer)

        def read(self, count):
            raise AssertionError("readinto() is there")

    with pytest.raises(kind):
        undertext.open(Wrong())


def test_the_memory_of_a_read_is_not_kept():
    kept = []

    class Keeping(io.BytesIO):
        def readinto(self, buffer):
            kept.append(buffer[:])
            return super().readinto(buffer)

    with undertext.open(Keeping(open(fixture_path("containers/movie.mkv"), "rb").read())) as media:
        assert list(media.track(language="en"))
        # It is the package's, not the library's.
        for buffer in kept:
            buffer[:] = bytes(len(buffer))
        assert list(media.track(language="en"))


def test_a_file_object_cannot_use_its_own_media():
    class Calling(io.BytesIO):
        media = None

        def readinto(self, buffer):
            if self.media is not None:
                self.media.probe()
            return super().readinto(buffer)

    source = Calling(open(fixture_path("containers/movie.mkv"), "rb").read())
    with undertext.open(source) as media:
        source.media = media
        with pytest.raises(RuntimeError, match="the media that calls it"):
            list(media.track(language="en"))
        source.media = None


def test_a_source_that_ends_early_is_an_error():
    class Ending(io.BytesIO):
        end = None

        def readinto(self, buffer):
            start = self.tell()
            length = super().readinto(buffer)
            if self.end is not None:
                length = max(0, min(length, self.end - start))
                self.seek(start + length)
            return length

    for name in ["containers/movie.mkv", "containers/movie.mp4", "containers/movie.ts", "subtitles/bitmaps.sup"]:
        data = open(fixture_path(name), "rb").read()
        for part in range(8):
            source = Ending(data)
            with undertext.open(source) as media:
                expected = [cue.start_ns for cue in media.track()]
                source.end = len(data) * part // 8
                try:
                    assert [cue.start_ns for cue in media.track()] == expected
                except undertext.ReadError as failure:
                    assert "ended before its size" in str(failure)
                else:
                    # The index leads to what lies before the end, and the scan reads everything.
                    assert part > 0 and name.endswith((".mkv", ".mp4"))


def test_a_failed_description_has_its_kind():
    with undertext.open(fixture_path("containers/movie.mkv")) as media:
        media.cancel()
        with pytest.raises(undertext.CancelledError):
            media.probe()
    source = Failing(open(fixture_path("containers/movie.mkv"), "rb").read(), 1000)
    with undertext.open(source) as media:
        source.calls = 0
        with pytest.raises(ConnectionError, match="the cable is cut"):
            media.probe()
        source.calls = 1000
        assert media.probe()["format"]


@pytest.mark.skipif("UNDERTEXT_TEST_INSTALLED" in os.environ, reason="the sources are not there")
def test_every_code_has_its_exception():
    names = dict(
        re.findall(r'let (\w+) = Code\(name: "([^"]+)"\)', (ROOT / "Sources/UndertextCore/Diagnostics/UndertextError.swift").read_text())
    )
    table = (ROOT / "Sources/UndertextC/Failure.swift").read_text()
    rows = re.findall(r"case ((?:\.\w+[, \n]*)+):\s*UNDERTEXT_STATUS_(\w+)", table)
    assert len(rows) > 8
    for codes, status in rows:
        for code in re.findall(r"\.(\w+)", codes):
            described = {"error": {"string": "message"}, "undertext": {"code": names[code]}}
            assert described_exception(described).status == getattr(lib, "UNDERTEXT_STATUS_" + status), code


def test_handles_are_not_copied():
    with undertext.open(fixture_path("containers/movie.mkv")) as media:
        track = media.track(language="en")
        for handle in [media, track.cues(), track.read(), track.read().renderer()]:
            for change in [copy.copy, copy.deepcopy, pickle.dumps]:
                with pytest.raises(TypeError, match="cannot be"):
                    change(handle)
        cue = next(track.cues())
        assert copy.deepcopy(cue) is cue
        with pytest.raises(undertext.NotFoundError, match="language tlh; there are: 2 "):
            media.track(language="tlh")


def test_times_may_be_infinite_and_must_be_numbers():
    with undertext.open(fixture_path("subtitles/en.srt")) as media:
        track = media.track()
        everything = [cue.start_ns for cue in track]
        assert [cue.start_ns for cue in track.cues(-math.inf, math.inf)] == everything
        assert not list(track.cues(math.inf))
        with pytest.raises(ValueError, match="NaN"):
            track.cues(math.nan)


def test_a_path_with_a_null_character_is_refused():
    with pytest.raises(ValueError, match="null character"):
        undertext.open(fixture_path("subtitles/en.srt") + "\0.mkv")


def test_what_cannot_be_opened_says_why():
    with pytest.raises(undertext.NotFoundError) as failure:
        undertext.open("/nowhere/film.mkv")
    assert isinstance(failure.value, FileNotFoundError)
    assert failure.value.code == "not-found" and "/nowhere/film.mkv" in str(failure.value)
    with pytest.raises(undertext.InvalidArgumentError, match="charset"):
        undertext.open(fixture_path("subtitles/en.srt"), charset="klingon")
    with pytest.raises(undertext.InvalidArgumentError):
        undertext.open(fixture_path("subtitles/en.srt"), format="docx")
    with pytest.raises(undertext.InvalidArgumentError):
        undertext.open(fixture_path("subtitles/en.srt"), frame_rate="0")
    with pytest.raises(undertext.MalformedError):
        undertext.open(b"")
    with pytest.raises(undertext.InvalidArgumentError):
        undertext.open(io.StringIO("1"))
    with pytest.raises(undertext.UnsupportedError, match="memory"):
        undertext.open(Pipe())


class Pipe:
    """A file object that cannot seek."""

    def read(self, count):
        return b""

    def seek(self, *_):
        raise OSError

    def seekable(self):
        return False


def test_a_stated_format_that_is_wrong_has_a_remedy():
    with pytest.raises(undertext.UndertextError) as failure:
        undertext.open(fixture_path("subtitles/en.srt"), format="ttml")
    assert failure.value.code


def test_a_closed_media_is_not_used():
    media = undertext.open(fixture_path("subtitles/en.srt"))
    cues = media.track().cues()
    media.close()
    media.close()
    assert next(cues).text
    with pytest.raises(ValueError, match="closed"):
        media.track().cues()


def test_damage_is_reported():
    with undertext.open(fixture_path("containers/invalid-utf8.mkv")) as media:
        with media.track().cues() as cues:
            list(cues)
            found = cues.diagnostics
    assert any(diagnostic.code == "invalid-utf8" for diagnostic in found), found
    assert all(diagnostic.severity in ("info", "warning", "error") for diagnostic in found)


def test_a_hook_changes_text(tmp_path):
    seen = []

    def hook(text, origin):
        seen.append(origin)
        return text.upper()

    with undertext.open(fixture_path("subtitles/en.srt"), text_hook=hook) as media:
        assert all(cue.text == cue.text.upper() for cue in media.track())
    assert seen[0].codec == "subrip" and seen[0].is_file

    def broken(text, origin):
        raise RuntimeError("no hook")

    with pytest.raises(RuntimeError, match="no hook"):
        with undertext.open(fixture_path("subtitles/en.srt"), text_hook=broken) as media:
            list(media.track())
    for answer in [None, b"bytes", "a\0b"]:
        with pytest.raises((TypeError, ValueError), match="text hook returned|null character"):
            undertext.open(fixture_path("subtitles/en.srt"), text_hook=lambda text, _, answer=answer: answer)
    # A hook that fails ends an extraction.
    with undertext.open(fixture_path("containers/movie.mkv"), text_hook=broken) as media:
        with pytest.raises(RuntimeError, match="no hook"):
            media.extract(tmp_path)
    assert not os.listdir(tmp_path)


def test_a_language_and_stored_times_are_options():
    with undertext.open(fixture_path("subtitles/bitmaps.sup"), language="de") as media:
        assert media.track().language == "de"
    with undertext.open(fixture_path("containers/movie.ts"), stored_times=True) as stored:
        with undertext.open(fixture_path("containers/movie.ts")) as shown:
            pairs = list(zip(stored.track(), shown.track()))
    assert pairs and all(one.start > other.start for one, other in pairs)
