"""Media files, their tracks, and the cues of a track while they are read."""
from __future__ import annotations

import json
import threading
import time
from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, TypedDict, TypeVar
from weakref import WeakSet

from ._cues import Cue, Diagnostic, take_diagnostics
from ._errors import (
    InvalidArgumentError, NotFoundError, UndertextError, check, described_exception, exception, new_error
)
from ._library import (
    Handle, Path, Time, ffi, lib, nanoseconds, optional_nanoseconds, representable, sized, text, utf8
)
from ._report import Progress, Report, extract_with
from ._source import HOOK, Hook, Input, Source, TextHook, resolve
from ._waiting import inside, interruptible, is_inside

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._document import SubtitleFile
    from ._render import Overlay

T = TypeVar("T")

#: Cues that are read at once at most, and the seconds after which fewer are returned.
_BATCH, _PATIENCE = 256, 0.02


class OpenOptions(TypedDict, total=False):
    """The options of :func:`undertext.open`."""

    charset: Optional[str]
    format: Optional[str]
    language: Optional[str]
    frame_rate: "Optional[str | float]"
    stored_times: bool
    user_agent: Optional[str]
    live: Time
    text_hook: Optional[TextHook]
    cancellation: "Optional[Cancellation]"


class Cancellation(Handle):
    """A flag that stops reading on other threads. It cannot be reset; any thread may set it."""

    def __init__(self) -> None:
        self._handle = ffi.gc(lib.undertext_cancellation_create(), lib.undertext_cancellation_free)
        self._lock = threading.RLock()
        self._is_cancelled = False
        #: The flags of the media that were opened with this one.
        self._children: "WeakSet[Cancellation]" = WeakSet()

    def cancel(self) -> None:
        """Stops everything that was opened with this flag, now and later."""
        with self._lock:
            self._is_cancelled = True
            children = list(self._children)
        lib.undertext_cancellation_cancel(self._handle)
        for child in children:
            child.cancel()

    def _child(self) -> "Cancellation":
        """Returns a flag that this one sets, and that can be set alone."""
        child = Cancellation()
        with self._lock:
            self._children.add(child)
            is_cancelled = self._is_cancelled
        if is_cancelled:
            child.cancel()
        return child


class Media(Handle):
    """An open media file or subtitle file; :func:`undertext.open` opens one.

    A media is a context manager, and iterates over its tracks. Several threads may use it: one waits until the other's call
    has ended. :meth:`cancel` does not wait.
    """

    def __init__(
        self,
        source: Input,
        *,
        charset: Optional[str] = None,
        format: Optional[str] = None,
        language: Optional[str] = None,
        frame_rate: "Optional[str | float]" = None,
        stored_times: bool = False,
        user_agent: Optional[str] = None,
        live: Time = 0,
        text_hook: Optional[TextHook] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> None:
        """Opens an input; see :func:`undertext.open`."""
        self._lock = threading.RLock()
        #: Its own, since a function of this media that fails must not stop other media.
        self._cancellation = Cancellation() if cancellation is None else cancellation._child()
        self._hook = None if text_hook is None else Hook(text_hook, self._cancellation.cancel)
        self._handle: Any = None
        #: A call is still running on another thread, and nothing waits for it.
        self._abandoned = False
        #: A call is being made, under the lock.
        self._calling = False
        given = resolve(source)
        self._source = given if isinstance(given, Source) else None
        options = sized("undertext_media_options")
        rate = None if frame_rate is None else str(frame_rate)
        strings = [utf8(charset), utf8(user_agent), utf8(format), utf8(language), utf8(rate)]
        options.charset, options.user_agent, options.input_format, options.language = strings[:4]
        options.frame_rate = strings[4]
        options.cancellation = self._cancellation._handle
        options.source_times = bool(stored_times)
        options.live_duration = nanoseconds(live)
        if self._hook is not None:
            options.text_hook, options.text_hook_context = HOOK, self._hook.handle

        hook = self._hook

        def free(media: Any, _: Any = hook) -> None:
            lib.undertext_media_free(media)

        # The call uses the strings and the hook, even if it is abandoned; the media uses the hook until it is freed.
        def work(_: Any = (strings, hook)) -> Any:
            error, media = new_error(), ffi.new("undertext_media **")
            if isinstance(given, Source):
                struct = given.struct()
                status = lib.undertext_media_open_io(struct, options, media, error)
                if status == lib.UNDERTEXT_STATUS_INVALID_ARGUMENT:
                    given.forget(struct)
            else:
                status = lib.undertext_media_open(utf8(given), options, media, error)
            check(status, error)
            return ffi.gc(media[0], free)

        self._handle = self._call(work)
        self._tracks = [
            Track(self, self._describe(index))
            for index in range(lib.undertext_media_track_count(self._handle))
        ]

    def _describe(self, index: int) -> Any:
        track = sized("undertext_track")
        lib.undertext_media_track(self._handle, index, track)
        return track

    # Calls

    def _call(self, work: "Callable[[], T]") -> T:
        """Makes a call that may block, one at a time; exceptions of the caller's functions come before the library's."""
        self._refuse_own_functions()
        with self._lock:
            if self._abandoned:
                raise ValueError("the media is closed")
            if self._calling:
                raise RuntimeError("a signal handler cannot use the media whose call it interrupts")
            for part in (self._hook, self._source):
                if part is not None:
                    part.failure = None
            self._calling = True
            try:
                result = interruptible(work, self._cancellation.cancel, self._abandon)
            except UndertextError as error:
                self._raise_failure(error)
                raise
            finally:
                self._calling = False
            self._raise_failure(None)
            return result

    def _refuse_own_functions(self) -> None:
        """Raises an exception where a function that the media calls would wait for itself."""
        if any(is_inside(part) for part in (self, self._hook, self._source) if part is not None):
            raise RuntimeError(
                "a file object, text hook or progress function cannot use the media that calls it"
            )

    def _raise_failure(self, error: Optional[UndertextError]) -> None:
        for part in (self._hook, self._source if error is not None else None):
            if part is not None and part.failure is not None:
                failure, part.failure = part.failure, None
                raise failure from error

    def _abandon(self) -> None:
        self._abandoned = True

    def _release(self, handle: Any) -> None:
        """Frees a handle, unless a call is still using it, also below a signal handler: then it is freed after the call."""
        if handle is not None and not self._abandoned and not self._calling:
            ffi.release(handle)

    def _open_handle(self) -> Any:
        if self._handle is None:
            raise ValueError("the media is closed")
        return self._handle

    def cancel(self) -> None:
        """Stops the call that reads on another thread, which raises :class:`CancelledError`, and all later ones."""
        self._cancellation.cancel()

    def close(self) -> None:
        """Closes the input. Cues and files that came from it stay usable, and so do iterators that are open."""
        self._refuse_own_functions()
        with self._lock:
            handle, self._handle = self._handle, None
            self._release(handle)

    def __enter__(self) -> "Media":
        return self

    def __exit__(
        self,
        kind: "Optional[type[BaseException]]",
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    # Description

    @property
    def tracks(self) -> "list[Track]":
        """The subtitle tracks, in the order of their streams."""
        return list(self._tracks)

    def __iter__(self) -> "Iterator[Track]":
        return iter(self._tracks)

    def __len__(self) -> int:
        return len(self._tracks)

    def track(self, stream: Optional[int] = None, *, language: Optional[str] = None) -> "Track":
        """Returns a track.

        :param stream: The index of its stream; ``None`` for the first track that matches.
        :param language: A BCP 47 tag, which also matches narrower ones: ``en`` also ``en-US``.
        :raises NotFoundError: There is none.
        """
        for track in self._tracks:
            if stream is not None and track.stream != stream:
                continue
            if language is not None and not _matches(track.language, language):
                continue
            return track
        wanted = [f"stream {stream}"] if stream is not None else []
        wanted += [f"language {language}"] if language is not None else []
        there = ", ".join(f"{track.stream} ({track.language or 'und'})" for track in self._tracks)
        raise NotFoundError(
            f"there is no subtitle track{' of ' if wanted else ''}{' and '.join(wanted)}; there are: {there or 'none'}",
            status=lib.UNDERTEXT_STATUS_NOT_FOUND,
            code="no-track",
        )

    def probe(self) -> "dict[str, Any]":
        """Returns the description of the input as ``undertext probe --json`` prints it: the keys of ffprobe, and more.

        :raises UndertextError: The input cannot be described, for example because FFmpeg is missing.
        """

        def work() -> str:
            return text(lib.undertext_media_json(self._open_handle())) or "{}"

        described: "dict[str, Any]" = json.loads(self._call(work))
        if "error" in described:
            error = described_exception(described)
            self._raise_failure(error)
            raise error
        return described

    # Extraction

    def extract(
        self,
        folder: Optional[Path] = None,
        *,
        tracks: Optional[str] = None,
        format: Optional[str] = None,
        file: Optional[Path] = None,
        attachments: Optional[Path] = None,
        ocr: Optional[str] = None,
        forced_only: bool = False,
        strip_styling: bool = False,
        replace: bool = False,
        skip_existing: bool = False,
        progress: Optional[Progress] = None,
    ) -> Report:
        """Extracts tracks to files, in one pass.

        :param folder: The folder of the outputs, created if it is missing; ``None`` for that of the input.
        :param tracks: A selection, such as ``en+text,fr+forced`` or ``2``; ``None`` for all.
        :param format: ``native``, or at most one format for text and one for images, such as ``srt,sup``; ``None`` for
            WebVTT and PNG.
        :param file: The path of the only output, in place of ``folder``.
        :param attachments: A folder for attached fonts and covers.
        :param ocr: Languages in which text in images is recognized, such as ``de+en``.
        :param forced_only: Write only cues that are forced.
        :param strip_styling: Drop the styles of text.
        :param replace: Replace outputs that exist, rather than raise :class:`OutputExistsError`.
        :param skip_existing: Leave out tracks whose outputs exist.
        :param progress: Called about ten times a second on another thread with the part of the input that was read, from
            0 to 1, or ``None`` if it is unknown. An exception that it raises cancels the media and is raised here.
        :returns: The report; ``report.complete`` is ``False`` if something was lost.
        :raises UndertextError: There is not one output. Its ``report`` attribute has the report, if there is one.
        """
        for first, second, both in (
            ("folder", "file", folder is not None and file is not None),
            ("replace", "skip_existing", replace and skip_existing),
        ):
            if both:
                raise InvalidArgumentError(f"{first} excludes {second}", code="invalid-argument")
        options = {
            "tracks": tracks,
            "format": format,
            "folder": folder,
            "file": file,
            "attachments": attachments,
            "recognition": ocr,
        }
        flags = {
            "forced_only": forced_only,
            "strip_styling": strip_styling,
            "replace": replace,
            "skip_existing": skip_existing,
        }

        def reported(fraction: Optional[float]) -> None:
            with inside(self):
                progress(fraction)  # type: ignore[misc]

        return self._call(
            lambda: extract_with(
                self._open_handle(), options, flags, reported if progress else None, self.cancel
            )
        )

    def __repr__(self) -> str:
        return f"<Media with {len(self._tracks)} subtitle tracks>"


class Track:
    """A subtitle track of a media."""

    def __init__(self, media: Media, struct: Any) -> None:
        #: The media that the track belongs to.
        self.media = media
        #: The index of the stream in the input.
        self.stream: int = struct.stream
        #: The name of the codec, such as ``subrip`` or ``hdmv_pgs_subtitle``.
        self.codec: str = text(struct.codec) or ""
        #: The BCP 47 language tag, or ``None`` if unknown.
        self.language: Optional[str] = text(struct.language)
        #: The title from the file, or ``None``.
        self.title: Optional[str] = text(struct.title)
        #: ``True`` if the cues are images.
        self.is_bitmap: bool = struct.kind == lib.UNDERTEXT_KIND_BITMAP
        #: ``True`` if the track is shown even when subtitles are off.
        self.is_forced: bool = struct.is_forced
        #: ``True`` if the track is for the deaf and hard of hearing.
        self.is_hearing_impaired: bool = struct.is_hearing_impaired
        #: ``True`` if the container marks the track as a default.
        self.is_default: bool = struct.is_default
        #: ``True`` if the track is a commentary.
        self.is_commentary: bool = struct.is_commentary
        #: ``True`` if there is a decoder for the codec.
        self.is_decodable: bool = struct.is_decodable
        #: The size of the canvas of images in pixels, or ``None`` if the container does not state it.
        self.canvas: "Optional[tuple[int, int]]" = (
            (struct.width, struct.height) if struct.width else None
        )

    def cues(self, start: Optional[Time] = None, end: Optional[Time] = None) -> "CueIterator":
        """Reads the cues, in the order of their starts.

        :param start: The time from which cues are returned, in seconds, with those that are shown then and began before.
        :param end: The time before which cues begin.
        :raises UnsupportedError: There is no decoder for the codec.
        """
        return CueIterator(self, optional_nanoseconds(start), optional_nanoseconds(end))

    def __iter__(self) -> "CueIterator":
        return self.cues()

    def read(self, start: Optional[Time] = None, end: Optional[Time] = None) -> "SubtitleFile":
        """Reads the header, the fonts and all cues into memory, to change and encode them."""
        from ._document import SubtitleFile

        return SubtitleFile._read(self, optional_nanoseconds(start), optional_nanoseconds(end))

    def render(
        self,
        at: Time,
        size: "Optional[tuple[int, int]]" = None,
        *,
        style: "Optional[dict[str, Any]]" = None,
    ) -> "Overlay":
        """Draws what the track shows at a time.

        :param at: The time in seconds.
        :param size: The width and height of the video in pixels; ``None`` for that of the file.
        :param style: The viewer's style, such as ``{"foreground": "#ffff00", "scale": "1.5"}``.
        """
        from ._document import SubtitleFile

        time_ns = nanoseconds(at)
        document = SubtitleFile._read(self, time_ns, representable(time_ns + 1))
        return document.render(at, size or self._video_size(document), style=style)

    def _video_size(self, document: "SubtitleFile") -> "Optional[tuple[int, int]]":
        try:
            content = self.media.probe().get("undertext", {}).get("content") or {}
        except UndertextError:
            # Without FFmpeg the size of the canvas has to do.
            content = {}
        width, height = content.get("width"), content.get("height")
        return (width, height) if width and height else self.canvas

    def __repr__(self) -> str:
        return f"<Track {self.stream} {self.codec} {self.language or 'und'}>"


class CueIterator(Handle):
    """The cues of a track while they are read; an iterator and a context manager."""

    def __init__(self, track: Track, start: int, end: int) -> None:
        self._media = track.media
        self._waiting: "deque[Cue]" = deque()
        self._failure: Optional[UndertextError] = None
        self._ended = False
        #: What was lost, repaired or is doubtful so far.
        self.diagnostics: "list[Diagnostic]" = []

        def work() -> Any:
            error, reader = new_error(), ffi.new("undertext_reader **")
            handle = self._media._open_handle()
            check(
                lib.undertext_reader_open(handle, track.stream, start, end, reader, error), error
            )
            return ffi.gc(reader[0], lib.undertext_reader_free)

        self._handle: Any = self._media._call(work)

    def __iter__(self) -> "CueIterator":
        return self

    def __next__(self) -> Cue:
        with self._media._lock:
            if not self._waiting and not self._ended and self._handle is not None:
                self._fill(self._handle)
            if self._waiting:
                return self._waiting.popleft()
            if self._failure is not None:
                failure, self._failure = self._failure, None
                raise failure
            raise StopIteration

    def _fill(self, handle: Any) -> None:
        def work() -> "tuple[list[Cue], Optional[UndertextError], bool, list[Diagnostic]]":
            cues: "list[Cue]" = []
            error, cue = new_error(), ffi.new("undertext_cue **")
            until = time.monotonic() + _PATIENCE
            failure, ended = None, False
            while len(cues) < _BATCH:
                status = lib.undertext_reader_next(handle, cue, error)
                if status != lib.UNDERTEXT_STATUS_OK:
                    ended = True
                    failure = exception(error) if status < 0 else None
                    break
                cues.append(Cue._of(cue[0]))
                if time.monotonic() > until:
                    break
            found = take_diagnostics(lib.undertext_reader_diagnostic, handle)
            return cues, failure, ended, found

        cues, failure, self._ended, found = self._media._call(work)
        self._waiting.extend(cues)
        self.diagnostics += found
        if failure is not None:
            self._failure = failure
            self._media._raise_failure(failure)

    def close(self) -> None:
        """Ends the reading."""
        self._media._refuse_own_functions()
        with self._media._lock:
            handle, self._handle = self._handle, None
            self._waiting.clear()
            self._media._release(handle)

    def __enter__(self) -> "CueIterator":
        return self

    def __exit__(
        self,
        kind: "Optional[type[BaseException]]",
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


def _matches(tag: Optional[str], wanted: str) -> bool:
    tag, wanted = (tag or "und").lower(), wanted.lower()
    return tag == wanted or tag.startswith(wanted + "-")

