"""The subtitles of media files: found, decoded, converted and drawn.

>>> import undertext
>>> with undertext.open("movie.mkv") as media:            # doctest: +SKIP
...     for cue in media.track(language="en").cues():
...         print(cue.start, cue.end, cue.text)

Times are seconds on the clock of a player: the media file begins at 0. Functions that read release the global interpreter
lock, and end early with ``KeyboardInterrupt`` when the user presses Ctrl-C; the media is cancelled then.

Every object may be used by several threads, of which one at a time makes a call. Exceptions are :class:`UndertextError` with
a code for programs and a remedy; its subclasses are also ``FileNotFoundError``, ``ValueError`` and so on.
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional

from ._cues import Cue, Diagnostic, Image, Pixels
from ._document import Encoded, SubtitleFile
from ._errors import (
    CancelledError,
    EncryptedError,
    InvalidArgumentError,
    LimitError,
    MalformedError,
    MissingLibraryError,
    NotFoundError,
    OutputExistsError,
    PermissionDeniedError,
    ReadError,
    RefusedError,
    Remedy,
    TimeoutExpiredError,
    UndertextError,
    UnsupportedError,
)
from ._library import Path, Time, lib as _lib, version as __version__
from ._media import Cancellation, CueIterator, Media, OpenOptions, Track
from ._render import Overlay, Renderer
from ._report import Loss, Progress, Report, TrackReport
from ._source import Input, TextHook, TextOrigin

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Cancellation",
    "CancelledError",
    "Cue",
    "CueIterator",
    "Diagnostic",
    "Encoded",
    "EncryptedError",
    "Image",
    "Input",
    "InvalidArgumentError",
    "LimitError",
    "Loss",
    "MalformedError",
    "Media",
    "MissingLibraryError",
    "NotFoundError",
    "OutputExistsError",
    "OpenOptions",
    "Overlay",
    "Path",
    "PermissionDeniedError",
    "Pixels",
    "Progress",
    "ReadError",
    "RefusedError",
    "Remedy",
    "Renderer",
    "Report",
    "SubtitleFile",
    "TextHook",
    "TextOrigin",
    "Time",
    "TimeoutExpiredError",
    "Track",
    "TrackReport",
    "UndertextError",
    "UnsupportedError",
    "__version__",
    "convert",
    "extract",
    "open",
    "probe",
    "silence_ffmpeg",
]


def open(
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
) -> Media:
    """Opens a media file or a subtitle file, and reads its headers.

    :param source: A path, a URL, the bytes of a file, or an open binary file that can seek. The file object must stay open
        as long as the media is used, and belongs to it meanwhile; it is not closed.
    :param charset: The charset of text by its name in iconv; ``None`` to detect it.
    :param format: The format that the input must have, such as ``srt``; ``None`` for any.
    :param language: The language of subtitles that do not state theirs.
    :param frame_rate: The frame rate of text files whose times are frames, such as ``23.976``.
    :param stored_times: Keep times as they are stored, rather than make the media begin at 0.
    :param user_agent: The user agent of HTTP requests.
    :param live: The seconds for which a live presentation is followed; 0 to read up to its live edge.
    :param text_hook: A function that may change text before it is parsed. It must not use the media. An exception that it
        raises cancels the media.
    :param cancellation: A flag that stops opening and all later reading from another thread.
    :raises UndertextError: The input cannot be opened.
    """
    return Media(
        source,
        charset=charset,
        format=format,
        language=language,
        frame_rate=frame_rate,
        stored_times=stored_times,
        user_agent=user_agent,
        live=live,
        text_hook=text_hook,
        cancellation=cancellation,
    )


def probe(source: Input, **options: "Unpack[OpenOptions]") -> "dict[str, Any]":
    """Returns the description of an input as ``undertext probe --json`` prints it; see :meth:`Media.probe`.

    :param options: The options of :func:`open`.
    """
    with open(source, **options) as media:
        return media.probe()


def extract(
    source: Input,
    folder: Optional[Path] = None,
    *,
    tracks: Optional[str] = None,
    format: Optional[str] = None,
    attachments: Optional[Path] = None,
    ocr: Optional[str] = None,
    forced_only: bool = False,
    strip_styling: bool = False,
    replace: bool = False,
    skip_existing: bool = False,
    progress: Optional[Progress] = None,
    charset: Optional[str] = None,
    language: Optional[str] = None,
) -> Report:
    """Extracts the subtitle tracks of a media file to files; see :meth:`Media.extract`."""
    with open(source, charset=charset, language=language) as media:
        return media.extract(
            folder,
            tracks=tracks,
            format=format,
            attachments=attachments,
            ocr=ocr,
            forced_only=forced_only,
            strip_styling=strip_styling,
            replace=replace,
            skip_existing=skip_existing,
            progress=progress,
        )


def convert(
    source: Input,
    output: Path,
    *,
    to: Optional[str] = None,
    tracks: Optional[str] = None,
    ocr: Optional[str] = None,
    strip_styling: bool = False,
    replace: bool = False,
    progress: Optional[Progress] = None,
    charset: Optional[str] = None,
    format: Optional[str] = None,
    frame_rate: "Optional[str | float]" = None,
    language: Optional[str] = None,
) -> Report:
    """Converts a subtitle file, or one track of a media file, to another format, as ``undertext convert`` does.

    :param output: The path of the output, whose extension states the format unless ``to`` does.
    :param to: The format of the output, such as ``vtt``.
    :param tracks: A selection of one track; not needed for subtitle files.
    :param ocr: Languages in which text in images is recognized.
    :param format: The format that the input must have.
    :returns: The report; ``report.losses`` is what the new format cannot represent.
    :raises UndertextError: Nothing was written.
    """
    with open(
        source, charset=charset, format=format, frame_rate=frame_rate, language=language
    ) as media:
        return media.extract(
            tracks=tracks,
            format=to,
            file=os.fspath(output),
            ocr=ocr,
            strip_styling=strip_styling,
            replace=replace,
            progress=progress,
        )


def silence_ffmpeg() -> None:
    """Keeps FFmpeg from printing messages. The FFmpeg of a wheel never prints any.

    Without a wheel, this changes the process, also for other packages that use the same FFmpeg.
    """
    _lib.undertext_silence_ffmpeg()
