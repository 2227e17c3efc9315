"""Subtitles drawn as pixels."""
from __future__ import annotations

import operator
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, Optional

from ._cues import Diagnostic, Pixels, take_diagnostics
from ._errors import InvalidArgumentError, check, new_error
from ._library import Handle, Time, ffi, lib, nanoseconds, sized, utf8

if TYPE_CHECKING:
    from ._document import SubtitleFile


class Overlay(Pixels):
    """The pixels to composite over the video, with premultiplied alpha."""

    #: The smallest rectangle with all visible pixels as x, y, width, height; ``None`` if nothing is visible.
    bounds: "Optional[tuple[int, int, int, int]]"
    #: ``True`` if the subtitles are animated, so that every frame needs a new overlay.
    is_animated: bool

    def __init__(self, struct: Any) -> None:
        # The renderer draws the next overlay in the same memory.
        copy = bytes(ffi.buffer(struct.pixels, struct.stride * struct.height))
        super().__init__(struct.width, struct.height, struct.stride, copy)
        box = struct.bounds
        self.bounds = (box.x, box.y, box.width, box.height) if box.width and box.height else None
        self.is_animated = struct.is_animated


class Renderer(Handle):
    """Draws subtitles at any time; a context manager. One thread at a time draws, others wait.

    libass draws text, and is loaded at the first text.
    """

    def __init__(
        self,
        subtitles: "SubtitleFile",
        size: "Optional[tuple[int, int]]" = None,
        *,
        style: "Optional[dict[str, Any]]" = None,
    ) -> None:
        """Creates a renderer for the cues as they are now.

        :param subtitles: The subtitles.
        :param size: The width and height of the video and of the overlays; ``None`` for the canvas of images, or 1920 by
            1080.
        :param style: The viewer's style, such as ``{"foreground": "#ffff00", "scale": "1.5"}``; "Viewer styles" in
            Documentation/Rendering.md lists the keys.
        """
        self._lock = threading.RLock()
        if size is None:
            canvases = (cue.canvas for cue in subtitles if cue.is_bitmap)
            size = next((canvas for canvas in canvases if canvas), (1920, 1080))
        geometry = sized("undertext_geometry")
        geometry.video_width, geometry.video_height = _pixels(size)
        error, renderer = new_error(), ffi.new("undertext_renderer **")
        with subtitles._lock:
            status = lib.undertext_renderer_create_document(
                subtitles._current(), geometry, renderer, error
            )
        check(status, error)
        self._handle: Any = ffi.gc(renderer[0], lib.undertext_renderer_free)
        for key, value in (style or {}).items():
            self.set_style(key, value)

    def set_style(self, key: str, value: Any) -> None:
        """Sets a property of the viewer's style; ``None`` for that of the content."""
        with self._lock:
            error = new_error()
            status = lib.undertext_renderer_set_style(
                self._open_handle(),
                lib.UNDERTEXT_PLACE_FIRST,
                utf8(key),
                utf8(None if value is None else str(value)),
                error,
            )
            check(status, error)

    def draw(self, at: Time) -> Overlay:
        """Draws what is shown at a time, in seconds."""
        with self._lock:
            error, overlay = new_error(), sized("undertext_overlay")
            status = lib.undertext_renderer_draw(
                self._open_handle(), nanoseconds(at), overlay, error
            )
            check(status, error)
            return Overlay(overlay)

    def diagnostics(self) -> "list[Diagnostic]":
        """Returns what drawing found since the last call, such as missing fonts."""
        with self._lock:
            return take_diagnostics(lib.undertext_renderer_diagnostic, self._open_handle())

    def _open_handle(self) -> Any:
        if self._handle is None:
            raise ValueError("the renderer is closed")
        return self._handle

    def close(self) -> None:
        """Frees the renderer; its overlays stay usable."""
        with self._lock:
            handle, self._handle = self._handle, None
            if handle is not None:
                ffi.release(handle)

    def __enter__(self) -> "Renderer":
        return self

    def __exit__(
        self,
        kind: "Optional[type[BaseException]]",
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


def _pixels(size: "tuple[int, int]") -> "tuple[int, int]":
    """Returns a size that the library takes."""
    try:
        width, height = (operator.index(length) for length in size)
    except (TypeError, ValueError):
        width = height = 0
    if not (0 < width < 2**31 and 0 < height < 2**31):
        raise InvalidArgumentError(
            f"a size is the width and the height in pixels, not {size!r}", code="invalid-argument"
        )
    return width, height
