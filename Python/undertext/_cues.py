"""Cues and their images."""
from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from ._errors import InvalidArgumentError
from ._library import Time, ffi, lib, nanoseconds, representable, seconds, sized, text, utf8

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


class Pixels:
    """Rows of R, G, B, A with 8 bits each. NumPy can use them without a copy: ``numpy.asarray(pixels)``."""

    #: The size in pixels.
    width: int
    height: int

    def __init__(self, width: int, height: int, stride: int, memory: Any) -> None:
        self.width = width
        self.height = height
        self._stride = stride
        # Owns the bytes, or keeps their owner alive.
        self._memory = memory

    def tobytes(self) -> bytes:
        """Returns a copy of the pixels, ``width * height * 4`` bytes."""
        row = self.width * 4
        data = memoryview(self._memory)
        if self._stride == row:
            return bytes(data[: row * self.height])
        return b"".join(data[y * self._stride : y * self._stride + row] for y in range(self.height))

    def view(self) -> memoryview:
        """Returns the pixels as a read-only memoryview of the shape ``(height, width, 4)``, without a copy.

        Rows that are not contiguous are copied.
        """
        row = self.width * 4
        contiguous = self._stride == row
        data = memoryview(self._memory if contiguous else self.tobytes()).toreadonly()
        if row * self.height == 0:
            return data[:0]
        return data[: row * self.height].cast("B", (self.height, self.width, 4))

    def numpy(self) -> "NDArray[numpy.uint8]":
        """Returns the pixels as a read-only array of the shape ``(height, width, 4)``, without a copy.

        It needs NumPy.
        """
        import numpy

        flat: "NDArray[numpy.uint8]" = numpy.frombuffer(
            memoryview(self._memory).toreadonly(), dtype=numpy.uint8
        )
        rows = flat[: self._stride * self.height].reshape(self.height, self._stride)
        return rows[:, : self.width * 4].reshape(self.height, self.width, 4)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> "NDArray[Any]":
        """Returns the pixels for ``numpy.asarray``."""
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.width}x{self.height}>"


class Image(Pixels):
    """An image of a cue, with straight alpha. Its memory lives as long as something refers to it."""

    #: The position of the top left corner on the canvas in pixels.
    x: int
    y: int

    def __init__(self, cue: Any, struct: Any) -> None:
        length = struct.stride * struct.height

        # The pixels belong to the cue, so the pointer keeps it.
        def keep(_: Any, owner: Any = cue) -> None:
            del owner

        pointer = ffi.gc(ffi.cast("uint8_t *", struct.pixels), keep)
        super().__init__(struct.width, struct.height, struct.stride, ffi.buffer(pointer, length))
        self.x = struct.x
        self.y = struct.y

    def __repr__(self) -> str:
        return f"<Image {self.width}x{self.height} at {self.x},{self.y}>"


class Cue:
    """A text, or images, with a start and an end. It never changes, and any thread may use it.

    Cues come from tracks and files; ``Cue(1.0, 2.5, "Hello")`` makes one of text.
    """

    __slots__ = ("_handle", "_known", "__weakref__")

    def __init__(
        self,
        start: Time,
        end: Time,
        text: Optional[str] = None,
        *,
        webvtt: Optional[str] = None,
        settings: Optional[str] = None,
    ) -> None:
        """Creates a cue of text.

        :param start: The time at which it appears, in seconds.
        :param end: The time at which it disappears; later than ``start``.
        :param text: Plain text, lines separated by line feeds.
        :param webvtt: WebVTT cue text with tags, in place of ``text``.
        :param settings: WebVTT cue settings, such as ``line:0``.
        :raises InvalidArgumentError: The times are no times of a cue.
        """
        if (text is None) == (webvtt is None):
            raise InvalidArgumentError("a cue needs either text or webvtt", code="invalid-argument")
        words = webvtt if webvtt is not None else html.escape(text or "", quote=False)
        handle = lib.undertext_cue_create(
            nanoseconds(start), nanoseconds(end), utf8(words), utf8(settings)
        )
        self._take(handle, start, end)

    @classmethod
    def _of(cls, handle: Any) -> "Cue":
        """Takes the ownership of a handle."""
        cue = cls.__new__(cls)
        cue._handle = ffi.gc(handle, lib.undertext_cue_free)
        cue._known = None
        return cue

    def _take(self, handle: Any, start: Time, end: Time) -> None:
        if handle == ffi.NULL:
            raise InvalidArgumentError(
                f"a cue cannot be shown from {start} to {end}", code="invalid-argument"
            )
        self._handle = ffi.gc(handle, lib.undertext_cue_free)
        self._known = None

    # It never changes.
    def __copy__(self) -> "Cue":
        return self

    def __deepcopy__(self, _: Any) -> "Cue":
        return self

    @property
    def _info(self) -> Any:
        info = self._known
        if info is None:
            info = sized("undertext_cue_info")
            lib.undertext_cue_get(self._handle, info)
            self._known = info
        return info

    @property
    def start(self) -> float:
        """The time at which the cue appears, in seconds on the clock of a player."""
        return seconds(self._info.start)

    @property
    def end(self) -> float:
        """The time at which the cue disappears, in seconds."""
        return seconds(self._info.end)

    @property
    def start_ns(self) -> int:
        """The time at which the cue appears, in nanoseconds."""
        return int(self._info.start)

    @property
    def end_ns(self) -> int:
        """The time at which the cue disappears, in nanoseconds."""
        return int(self._info.end)

    @property
    def is_bitmap(self) -> bool:
        """``True`` if the cue has images rather than text."""
        return bool(self._info.kind == lib.UNDERTEXT_KIND_BITMAP)

    @property
    def is_forced(self) -> bool:
        """``True`` if the cue is shown even when subtitles are off."""
        return bool(self._info.is_forced)

    @property
    def layer(self) -> int:
        """The layer; cues with higher values are drawn on top."""
        return int(self._info.layer)

    @property
    def text(self) -> Optional[str]:
        """The text without styles, lines separated by line feeds, or ``None`` for images."""
        return text(self._info.text)

    @property
    def webvtt(self) -> Optional[str]:
        """The text as WebVTT cue text with tags, or ``None`` for images."""
        return text(self._info.webvtt)

    @property
    def settings(self) -> Optional[str]:
        """The WebVTT cue settings, empty for the default position; ``None`` for images."""
        return text(self._info.settings)

    @property
    def canvas(self) -> "Optional[tuple[int, int]]":
        """The width and height of the plane of the images in pixels, or ``None`` if unknown, and for text."""
        info = self._info
        return (info.canvas_width, info.canvas_height) if info.canvas_width else None

    @property
    def images(self) -> "list[Image]":
        """The images; empty for text. They are decoded at the first access."""
        images = []
        for index in range(self._info.image_count):
            struct = sized("undertext_image")
            if lib.undertext_cue_image(self._handle, index, struct) == lib.UNDERTEXT_STATUS_OK:
                images.append(Image(self._handle, struct))
        return images

    def retimed(self, start: Time, end: Time) -> "Cue":
        """Returns a copy with other times, in seconds; text or images, styles and layout stay."""
        return self.retimed_ns(nanoseconds(start), nanoseconds(end))

    def retimed_ns(self, start: int, end: int) -> "Cue":
        """Returns a copy with other times, in nanoseconds."""
        copy = Cue.__new__(Cue)
        copy._take(
            lib.undertext_cue_retimed(self._handle, start, end), seconds(start), seconds(end)
        )
        return copy

    def shifted(self, delay: Time) -> "Cue":
        """Returns a copy that is shown later, or earlier if ``delay`` is negative."""
        delta = nanoseconds(delay)
        return self.retimed_ns(representable(self.start_ns + delta), representable(self.end_ns + delta))

    def __repr__(self) -> str:
        content = f"{self._info.image_count} images" if self.is_bitmap else repr(self.text)
        return f"<Cue {self.start:.3f}-{self.end:.3f} {content}>"


@dataclass(frozen=True)
class Diagnostic:
    """Something that was lost, repaired or is doubtful, while work continued."""

    #: ``info``, ``warning`` or ``error``; an error means that input was lost.
    severity: str
    #: A short stable name, such as ``invalid-utf8``.
    code: str
    #: The message, with the time if it is known.
    message: str

    @classmethod
    def parse(cls, line: str) -> "Diagnostic":
        """Reads a line of the library, ``SEVERITY: MESSAGE [CODE]``."""
        match = re.fullmatch(r"(\w+): (.*) \[([^\[\]]*)\]", line, re.DOTALL)
        return cls(match[1], match[3], match[2]) if match else cls("warning", "", line)

    def __str__(self) -> str:
        return f"{self.severity}: {self.message}"


def take_diagnostics(function: Any, handle: Any) -> "list[Diagnostic]":
    """Returns the diagnostics that a function of the library has not returned yet."""
    found = []
    message = ffi.new("char const **")
    while function(handle, message) == lib.UNDERTEXT_STATUS_OK:
        found.append(Diagnostic.parse(text(message[0]) or ""))
    return found
