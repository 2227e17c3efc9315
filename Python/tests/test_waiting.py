"""Interruption, cancellation, threads and other packages."""
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
from conftest import fixture_path

import undertext


@pytest.fixture
def silent_server():
    """The URL of a server that accepts connections and says nothing."""
    try:
        undertext.open("http://127.0.0.1:9/film.mkv")
    except undertext.MissingLibraryError as failure:
        pytest.skip(str(failure))
    except undertext.UndertextError:
        pass
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/film.mkv"


def test_ctrl_c_ends_a_wait(silent_server):
    main = threading.get_ident()
    timer = threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        undertext.open(silent_server)
    # A server has thirty seconds to answer.
    assert time.monotonic() - began < 20
    timer.join()
    # The next call works.
    with undertext.open(fixture_path("subtitles/en.srt")) as media:
        assert list(media.track())


#: A file object one of whose reads takes long, and during which signals come.
SLOW = """
import io, os, signal, sys, threading, time
import undertext

class Slow(io.BytesIO):
    signals = ()
    def readinto(self, buffer):
        signals, self.signals = self.signals, ()
        for after, number in signals:
            threading.Timer(after, os.kill, (os.getpid(), number)).start()
        if signals:
            time.sleep(signals[-1][0] + 1)
        return super().readinto(buffer)
"""


def output(program, *arguments):
    """Returns what a program prints, which must not crash."""
    result = subprocess.run(
        [sys.executable, "-c", SLOW + program, *arguments], capture_output=True, text=True, timeout=60
    )
    assert result.returncode == 0, result
    return result.stdout


def test_a_second_ctrl_c_does_not_wait():
    # A call that another thread is still in keeps what it uses, also when everything is closed.
    program = """
source = Slow(open(sys.argv[1], "rb").read())
try:
    with undertext.open(source) as media:
        with media.track(language="en").cues() as cues:
            source.signals = ((0.3, signal.SIGINT), (0.9, signal.SIGINT))
            list(cues)
except KeyboardInterrupt:
    try:
        media.probe()
    except ValueError as failure:
        print(failure)
    time.sleep(2)
    with undertext.open(sys.argv[1]) as media:
        print(len(list(media.track(language="en"))) > 0)
"""
    assert output(program, fixture_path("containers/movie.mkv")) == "the media is closed\nTrue\n"


def test_a_signal_handler_cannot_use_the_media_that_it_interrupts():
    program = """
def handle(*_):
    try:
        media.probe()
    except RuntimeError as failure:
        print(failure)
    with undertext.open(sys.argv[2]) as other:
        print(len(other))
    cues.close()
    media.close()

signal.signal(signal.SIGUSR1, handle)
source = Slow(open(sys.argv[1], "rb").read())
media = undertext.open(source)
cues = media.track(language="en").cues()
source.signals = ((0.2, signal.SIGUSR1),)
list(cues)
print("ended")
"""
    printed = output(program, fixture_path("containers/movie.mkv"), fixture_path("subtitles/en.srt"))
    assert printed == "a signal handler cannot use the media whose call it interrupts\n1\nended\n"


def test_one_cancellation_is_for_several_media():
    cancellation = undertext.Cancellation()
    path = fixture_path("containers/movie.mkv")
    with undertext.open(path, cancellation=cancellation) as one:
        with undertext.open(path, cancellation=cancellation) as other:
            one.cancel()
            with pytest.raises(undertext.CancelledError):
                list(one.track(language="en"))
            assert list(other.track(language="en"))
            cancellation.cancel()
            with pytest.raises(undertext.CancelledError):
                list(other.track(language="en"))
    with pytest.raises(undertext.CancelledError):
        undertext.open(path, cancellation=cancellation)


def test_an_iterator_is_closed_by_another_thread():
    with undertext.open(fixture_path("containers/movie.mkv")) as media:
        for _ in range(200):
            cues = media.track(language="en").cues()
            thread = threading.Thread(target=cues.close)
            thread.start()
            list(cues)
            thread.join()
            assert list(cues) == []


def test_other_signals_are_handled_meanwhile(silent_server):
    main = threading.get_ident()
    handled = []
    before = signal.signal(signal.SIGUSR1, lambda *_: handled.append(time.monotonic()))
    cancellation = undertext.Cancellation()
    timers = [
        threading.Timer(0.2, lambda: signal.pthread_kill(main, signal.SIGUSR1)),
        threading.Timer(1.5, cancellation.cancel),
    ]
    for timer in timers:
        timer.start()
    try:
        with pytest.raises(undertext.CancelledError):
            undertext.open(silent_server, cancellation=cancellation)
        assert handled and time.monotonic() - handled[0] > 0.5
    finally:
        for timer in timers:
            timer.cancel()
            timer.join()
        signal.signal(signal.SIGUSR1, before)


def test_other_threads_run_while_one_waits(silent_server):
    cancellation = undertext.Cancellation()
    failure = []

    def wait():
        try:
            undertext.open(silent_server, cancellation=cancellation)
        except undertext.CancelledError as error:
            failure.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    # This needs the global interpreter lock.
    with undertext.open(fixture_path("subtitles/en.srt")) as media:
        assert list(media.track())
    assert thread.is_alive()
    cancellation.cancel()
    thread.join(20)
    assert not thread.is_alive() and failure[0].code == "cancelled"


def test_a_cancelled_media_reads_nothing_more():
    with undertext.open(fixture_path("containers/movie.mkv")) as media:
        media.cancel()
        with pytest.raises(undertext.CancelledError):
            list(media.track(language="en"))


def test_threads_share_a_media():
    with undertext.open(fixture_path("containers/movie.mkv")) as media:
        tracks = [track for track in media if track.is_decodable]
        expected = [len(list(track)) for track in tracks]
        found = [None] * len(tracks)

        def read(index):
            found[index] = len(list(tracks[index]))

        threads = [threading.Thread(target=read, args=(index,)) for index in range(len(tracks))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == expected and sum(expected) > 0


def test_a_forked_child_reads():
    with undertext.open(fixture_path("subtitles/en.srt")) as media:
        list(media.track())
    child = os.fork()
    if child == 0:
        try:
            with undertext.open(fixture_path("subtitles/en.srt")) as media:
                os._exit(0 if list(media.track()) else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_it_shares_a_process_with_pyav():
    av = pytest.importorskip("av")
    path = fixture_path("containers/movie.mp4")

    def packets():
        with av.open(path) as container:
            return sum(1 for packet in container.demux() if packet.size)

    before = packets()
    description = undertext.probe(path)
    with undertext.open(path) as media:
        cues = [cue.text for track in media for cue in track]
    assert packets() == before > 0 and cues
    assert description["format"]["format_name"].startswith("mov")
    # Both have an FFmpeg, each its own.
    loaded = {
        line.split()[-1] for line in open("/proc/self/maps") if "libavformat" in line
    }
    assert len(loaded) == 2, loaded


def test_an_import_without_the_library_says_what_is_missing(tmp_path):
    result = subprocess.run(
        [sys.executable, "-c", "import undertext"], capture_output=True, text=True,
        env={**os.environ, "UNDERTEXT_LIBRARY": str(tmp_path / "none.so"),
             "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert result.returncode == 1 and "UNDERTEXT_LIBRARY" in result.stderr
