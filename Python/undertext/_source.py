"""Inputs that Python reads: file objects and bytes, and functions that change text."""
from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import Any, BinaryIO, Callable, Optional, Union

from ._errors import InvalidArgumentError, UnsupportedError
from ._library import ffi, lib, sized, text, utf8
from ._waiting import inside

#: A path, a URL, the bytes of a file, or an open binary file that can seek.
Input = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]

#: The sources that the library still uses; ``close``, which any thread may call, removes them.
_alive: "dict[int, Any]" = {}


class Source:
    """A file object that the library reads."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self._name = ffi.new("char[]", name.encode("utf-8", "replace"))
        #: The exception of the file object that ended the reading.
        self.failure: Optional[BaseException] = None

    def struct(self) -> Any:
        """Returns the ``undertext_io`` of the source; the library uses it until it calls ``close``."""
        handle = ffi.new_handle(self)
        key = int(ffi.cast("uintptr_t", handle))
        _alive[key] = (handle, self)
        struct = sized("undertext_io")
        struct.context = handle
        struct.name = self._name
        struct.read, struct.seek, struct.get_size, struct.close = _read, _seek, _size, _close
        return struct

    def forget(self, struct: Any) -> None:
        """Removes a struct that the library did not take."""
        _alive.pop(int(ffi.cast("uintptr_t", struct.context)), None)

    def read(self, buffer: Any, count: int) -> int:
        """Reads at the current position."""
        into = getattr(self._file, "readinto", None)
        if into is not None:
            # The file object may keep the buffer, so it does not get the memory of the library.
            target = bytearray(count)
            length = into(memoryview(target))
            if length is None:
                raise BlockingIOError("the file object has no data yet; it must block")
            if not 0 <= length <= count:
                raise ValueError(f"readinto() of the file object returned {length} for {count} bytes")
            ffi.memmove(buffer, target, length)
            return int(length)
        data = self._file.read(count)
        if data is None:
            raise BlockingIOError("the file object has no data yet; it must block")
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"read() of the file object returned {type(data).__name__}, not bytes")
        if len(data) > count:
            raise ValueError(f"read({count}) of the file object returned {len(data)} bytes")
        ffi.buffer(buffer, count)[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Moves the position, and returns it."""
        position = self._file.seek(offset, whence)
        # Before Python 3.13, mmap.seek() returns nothing.
        return int(self._file.tell() if position is None else position)

    def size(self) -> int:
        """Returns the number of bytes; the position is 0 then."""
        end = self.seek(0, os.SEEK_END)
        self.seek(0)
        return end

    def guard(self, work: "Callable[[], int]") -> int:
        """Keeps an exception, which must not pass through C."""
        try:
            with inside(self):
                return work()
        except BaseException as failure:
            self.failure = failure
            return -1


def _source(context: Any) -> Source:
    found: Source = ffi.from_handle(context)
    return found


@ffi.callback("int64_t(void *, uint8_t *, size_t)", error=-1)
def _read(context: Any, buffer: Any, count: int) -> int:
    source = _source(context)
    return source.guard(lambda: source.read(buffer, count))


@ffi.callback("int64_t(void *, int64_t)", error=-1)
def _seek(context: Any, offset: int) -> int:
    source = _source(context)
    return source.guard(lambda: source.seek(offset))


@ffi.callback("int64_t(void *)", error=-1)
def _size(context: Any) -> int:
    source = _source(context)
    return source.guard(source.size)


@ffi.callback("void(void *)")
def _close(context: Any) -> None:
    _alive.pop(int(ffi.cast("uintptr_t", context)), None)


def resolve(given: Input) -> "Union[str, Source]":
    """Returns a path or URL, or the source of a file object.

    :raises InvalidArgumentError: It is neither.
    :raises UnsupportedError: The file object cannot seek.
    """
    if isinstance(given, (str, os.PathLike)):
        return os.fsdecode(given)
    if isinstance(given, (bytes, bytearray, memoryview)):
        return Source(io.BytesIO(given), "bytes")
    if isinstance(given, io.TextIOBase) or not hasattr(given, "read"):
        raise InvalidArgumentError(
            f"{type(given).__name__} is not a path, a URL, bytes or a binary file", code="invalid-argument"
        )
    name = getattr(given, "name", None)
    seekable = getattr(given, "seekable", None)
    if not hasattr(given, "seek") or seekable is not None and not seekable():
        raise UnsupportedError(
            f"{name or 'the file object'} cannot seek; read it into memory and open the bytes",
            status=lib.UNDERTEXT_STATUS_UNSUPPORTED,
            code="unsupported",
        )
    return Source(given, os.path.basename(name) if isinstance(name, str) else "file object")


@dataclass(frozen=True)
class TextOrigin:
    """The origin of a text that a hook may change."""

    #: The name of the codec, such as ``subrip``, by which the markup is known.
    codec: str
    #: The path, URL or name of the input.
    source: str
    #: The URL of the segment of an HLS or DASH presentation, or ``None``.
    segment: Optional[str]
    #: ``True`` if the text is a whole subtitle file, ``False`` if it is one packet of a track.
    is_file: bool


#: A function that may change text before it is parsed; it returns the new text.
TextHook = Callable[[str, TextOrigin], str]


class Hook:
    """A text hook with its first exception, after which it calls ``cancel``."""

    def __init__(self, function: TextHook, cancel: "Callable[[], None]") -> None:
        self._function = function
        self._cancel = cancel
        self.failure: Optional[BaseException] = None
        self.handle = ffi.new_handle(self)

    def call(self, given: Any) -> None:
        """Passes a text to the function; after an exception, texts stay as they are."""
        if self.failure is not None:
            return
        try:
            info = sized("undertext_text_info")
            lib.undertext_text_get(given, info)
            words = text(info.text) or ""
            origin = TextOrigin(
                text(info.codec) or "", text(info.source) or "", text(info.segment), info.is_file
            )
            with inside(self):
                changed = self._function(words, origin)
            if not isinstance(changed, str):
                raise TypeError(f"the text hook returned {type(changed).__name__}, not str")
            if changed != words:
                lib.undertext_text_replace(given, utf8(changed))
        except BaseException as failure:
            self.failure = failure
            self._cancel()


@ffi.callback("void(void *, undertext_text *)")
def _hook(context: Any, given: Any) -> None:
    hook: Hook = ffi.from_handle(context)
    hook.call(given)


#: The function of every hook.
HOOK = _hook
