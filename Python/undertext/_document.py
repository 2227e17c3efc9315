"""Subtitles in memory: read, changed, encoded."""
from __future__ import annotations

import json
import os
import threading
import uuid
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, overload

from ._cues import Cue, Diagnostic, take_diagnostics
from ._errors import (
    InvalidArgumentError, NotFoundError, OutputExistsError, PermissionDeniedError, ReadError, check, new_error
)
from ._library import Handle, Time, ffi, lib, nanoseconds, representable, sized, text, utf8
from ._report import Loss, losses
from ._source import Input

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._media import OpenOptions, Track
    from ._render import Overlay, Renderer


class Encoded:
    """The files that subtitles become in a format, and what that format cannot represent."""

    def __init__(self, handle: Any, diagnostics: "list[Diagnostic]") -> None:
        #: The bytes by the extension of the file name, the main one first: VobSub has ``idx`` and ``sub``.
        self.files: "dict[str, bytes]" = {}
        output = sized("undertext_output")
        while lib.undertext_encoding_get(handle, len(self.files), output) == lib.UNDERTEXT_STATUS_OK:
            data = bytes(ffi.buffer(output.bytes, output.length))
            self.files[text(output.extension) or ""] = data
        #: What the format cannot represent.
        self.losses: "list[Loss]" = losses(
            json.loads(text(lib.undertext_encoding_losses(handle)) or "[]")
        )
        #: The damage and the doubts that encoding found.
        self.diagnostics = diagnostics

    @property
    def data(self) -> bytes:
        """The bytes of the main file; empty if there is none."""
        return next(iter(self.files.values()), b"")

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {len(data)} bytes" for name, data in self.files.items())
        return f"<Encoded {sizes}>"


class SubtitleFile(Handle):
    """The header and all cues of a subtitle file or track, in memory.

    It behaves as a list of cues in the order of their starts. Several threads may use it: one waits for the other.
    """

    def __init__(self, cues: "Iterable[Cue]" = ()) -> None:
        """Creates subtitles without a header."""
        self._lock = threading.RLock()
        self._handle = ffi.gc(lib.undertext_document_create(), lib.undertext_document_free)
        #: The cues in order, or ``None`` if only the library has them.
        self._cues: "Optional[list[Cue]]" = []
        #: The library has other cues.
        self._changed = False
        #: What reading found damaged or doubtful.
        self.diagnostics: "list[Diagnostic]" = []
        if cues:
            self.cues = list(cues)

    @classmethod
    def open(cls, source: Input, **options: "Unpack[OpenOptions]") -> "SubtitleFile":
        """Reads a subtitle file, or the first subtitle track of a media file.

        :param source: A path, a URL, bytes, or an open binary file.
        :param options: The options of :func:`undertext.open`.
        """
        from ._media import Media

        with Media(source, **options) as media:
            return media.track().read()

    @classmethod
    def _read(cls, track: "Track", start: int, end: int) -> "SubtitleFile":
        media = track.media

        def work() -> Any:
            error, document = new_error(), ffi.new("undertext_document **")
            handle = media._open_handle()
            check(
                lib.undertext_document_read(handle, track.stream, start, end, document, error),
                error,
            )
            return ffi.gc(document[0], lib.undertext_document_free)

        made = cls.__new__(cls)
        made._lock = threading.RLock()
        made._handle = media._call(work)
        made._cues = None
        made._changed = False
        made.diagnostics = take_diagnostics(lib.undertext_document_diagnostic, made._handle)
        return made

    # Cues

    @property
    def cues(self) -> "list[Cue]":
        """The cues in the order of their starts, as a new list. Assign a list to replace them."""
        return list(self._known())

    @cues.setter
    def cues(self, cues: "list[Cue]") -> None:
        with self._lock:
            self._cues = sorted(cues, key=lambda cue: cue.start_ns)
            self._changed = True

    def _current(self) -> Any:
        """Returns the handle of the library, with the cues as they are now."""
        if self._changed:
            cues = [cue._handle for cue in self._known()]
            lib.undertext_document_set_cues(self._handle, ffi.new("undertext_cue *[]", cues), len(cues))
            self._changed = False
        return self._handle

    def _known(self) -> "list[Cue]":
        with self._lock:
            if self._cues is None:
                count = lib.undertext_document_count(self._handle)
                self._cues = [
                    Cue._of(lib.undertext_document_cue(self._handle, index))
                    for index in range(count)
                ]
            return self._cues

    def __len__(self) -> int:
        return len(self._known())

    def __iter__(self) -> "Iterator[Cue]":
        return iter(self.cues)

    @overload
    def __getitem__(self, index: int) -> Cue: ...

    @overload
    def __getitem__(self, index: slice) -> "list[Cue]": ...

    def __getitem__(self, index: "int | slice") -> "Cue | list[Cue]":
        return self._known()[index]

    def __delitem__(self, index: "int | slice") -> None:
        with self._lock:
            del self._known()[index]
            self._changed = True

    def append(self, cue: Cue) -> None:
        """Adds a cue, after those that start with it or before it."""
        self.extend((cue,))

    def extend(self, cues: "Iterable[Cue]") -> None:
        """Adds cues, each after those that start with it or before it."""
        with self._lock:
            known = self._known()
            for cue in cues:
                start, place = cue.start_ns, len(known)
                while place > 0 and known[place - 1].start_ns > start:
                    place -= 1
                known.insert(place, cue)
                self._changed = True

    def shift(self, delay: Time) -> None:
        """Shows all cues later, or earlier if ``delay`` is negative; cues that would end before 0 are removed."""
        delta = nanoseconds(delay)

        def moved(time: int) -> int:
            return representable(max(0, time + delta))

        with self._lock:
            self.cues = [
                cue if delta == 0 else cue.retimed_ns(moved(cue.start_ns), moved(cue.end_ns))
                for cue in self._known()
                if cue.end_ns + delta > 0
            ]

    def retime(self, function: "Callable[[float], float]") -> None:
        """Changes all times by a function of seconds to seconds, such as ``lambda time: time * 25 / 23.976``.

        Cues that would end before 0 are removed; others begin at 0 at the earliest.
        """
        with self._lock:
            changed = []
            for cue in self._known():
                start, end = (nanoseconds(function(time)) for time in (cue.start, cue.end))
                if end > max(0, start):
                    changed.append(cue.retimed_ns(max(0, start), end))
            self.cues = changed

    # Output

    def encode(self, format: str) -> Encoded:
        """Encodes the subtitles in a format.

        :param format: For text ``vtt``, ``srt``, ``ass``, ``ssa``, ``ttml``, ``scc``, ``stl``, ``json`` or ``jsonl``; for
            images ``sup`` or ``vobsub``.
        :returns: The bytes, and what the format cannot represent.
        :raises UnsupportedError: The format has images and these subtitles text, or the other way round.
        """
        with self._lock:
            error, encoding = new_error(), ffi.new("undertext_encoding **")
            status = lib.undertext_document_encode(
                self._current(), utf8(format), encoding, error
            )
            check(status, error)
            handle = ffi.gc(encoding[0], lib.undertext_encoding_free)
            found = take_diagnostics(lib.undertext_document_diagnostic, self._handle)
            return Encoded(handle, found)

    def save(
        self, path: "str | os.PathLike[str]", format: Optional[str] = None, *, replace: bool = False
    ) -> "list[Loss]":
        """Writes the subtitles to a file, which gets its name when it is complete.

        :param path: The path; VobSub writes the other file beside it.
        :param format: The format, or ``None`` for that of the extension.
        :param replace: Replace files that exist, rather than raise :class:`OutputExistsError`.
        :returns: What the format cannot represent.
        """
        name = os.fspath(path)
        stem, extension = os.path.splitext(name)
        if format is None and not extension:
            raise InvalidArgumentError(
                f"{name} has no extension: state the format", code="invalid-argument"
            )
        encoded = self.encode(format or extension[1:])
        if not encoded.files:
            raise InvalidArgumentError(f"{name} would be empty: no image is visible", code="no-cues")
        several = len(encoded.files) > 1
        outputs = {
            f"{stem}.{ending}" if several else name: data for ending, data in encoded.files.items()
        }
        _write(outputs, replace)
        return encoded.losses

    # Drawing

    def renderer(
        self,
        size: "Optional[tuple[int, int]]" = None,
        *,
        style: "Optional[dict[str, Any]]" = None,
    ) -> "Renderer":
        """Returns a renderer that draws these cues; see :class:`Renderer`."""
        from ._render import Renderer

        return Renderer(self, size, style=style)

    def render(
        self,
        at: Time,
        size: "Optional[tuple[int, int]]" = None,
        *,
        style: "Optional[dict[str, Any]]" = None,
    ) -> "Overlay":
        """Draws what is shown at a time; see :meth:`Track.render`."""
        with self.renderer(size, style=style) as renderer:
            return renderer.draw(at)

    def __repr__(self) -> str:
        return f"<SubtitleFile with {len(self)} cues>"


def _write(outputs: "dict[str, bytes]", replace: bool) -> None:
    """Writes files under temporary names, and when all are complete gives them their own."""
    parts: "dict[str, str]" = {}
    path = ""
    try:
        for path, data in outputs.items():
            if not replace and os.path.exists(path):
                raise _exists(path)
            part = os.path.join(os.path.dirname(path), f".{uuid.uuid4().hex}.undertext-part")
            with open(part, "xb") as file:
                parts[path] = part
                file.write(data)
        for path, part in parts.items():
            if replace:
                os.replace(part, path)
            else:
                _rename(part, path)
    except FileNotFoundError as error:
        raise NotFoundError(f"{path}: its folder does not exist", code="not-found") from error
    except PermissionError as error:
        raise PermissionDeniedError(f"{path}: writing is not permitted", code="permission-denied") from error
    except OutputExistsError:
        raise
    except OSError as error:
        raise ReadError(f"{path}: cannot be written: {error.strerror}", code="io") from error
    finally:
        for part in parts.values():
            if os.path.exists(part):
                os.unlink(part)


def _rename(part: str, path: str) -> None:
    """Renames a file to a path that does not exist."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise _exists(path) from None
    except OSError:
        # Not every file system has hard links.
        if os.path.exists(path):
            raise _exists(path) from None
        os.rename(part, path)


def _exists(path: str) -> OutputExistsError:
    return OutputExistsError(f"{path} exists; replace=True replaces it", code="output-exists")
