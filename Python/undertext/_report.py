"""The report of an extraction."""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from ._cues import Diagnostic
from ._errors import UndertextError, check, new_error
from ._library import Path, ffi, lib, sized, text, utf8

#: A function that receives the part of the input that was read, from 0 to 1, or ``None`` if it is unknown.
Progress = Callable[[Optional[float]], None]


@dataclass(frozen=True)
class Loss:
    """Content that a format could not represent."""

    #: The kind, such as ``position``, ``font`` or ``ruby``.
    kind: str
    #: How often it occurred.
    count: int
    #: The start of the first affected cue in seconds.
    start: float

    def __str__(self) -> str:
        return f"{self.kind} ×{self.count}"


def losses(entries: "list[dict[str, Any]]") -> "list[Loss]":
    """Returns the losses of their JSON."""
    return [Loss(entry["kind"], entry["count"], entry["example"]["start"]) for entry in entries]


@dataclass(frozen=True)
class TrackReport:
    """What became of a track."""

    #: The index of the stream.
    stream: int
    #: The name of the codec.
    codec: str
    #: The BCP 47 language tag, or ``None``.
    language: Optional[str]
    #: ``written``, ``empty``, ``skipped`` or ``failed``.
    status: str
    #: Why it was skipped or failed.
    reason: Optional[str]
    #: The number of cues that were written.
    cues: int
    #: The paths of the files and folders that were written.
    outputs: "list[str]"
    #: What the format could not represent.
    losses: "list[Loss]"
    #: The first hundred diagnostics.
    diagnostics: "list[Diagnostic]"


@dataclass(frozen=True)
class Report:
    """The report of an extraction or a conversion."""

    #: ``complete``, ``no-track``, ``incomplete`` or ``failed``.
    outcome: str
    #: The selected tracks.
    tracks: "list[TrackReport]"
    #: Diagnostics that belong to no track.
    diagnostics: "list[Diagnostic]"
    #: The whole report, as ``undertext extract --report`` writes it.
    json: "dict[str, Any]" = field(repr=False)

    @property
    def complete(self) -> bool:
        """``True`` if all requested outputs were written completely."""
        return self.outcome == "complete"

    @property
    def outputs(self) -> "list[str]":
        """The paths of all files and folders that were written."""
        return [path for track in self.tracks for path in track.outputs]

    @property
    def losses(self) -> "list[Loss]":
        """The losses of all tracks."""
        return [loss for track in self.tracks for loss in track.losses]

    @classmethod
    def parse(cls, words: str) -> "Report":
        """Reads the JSON of the library."""
        report = json.loads(words)
        tracks = [
            TrackReport(
                track["track"],
                track["codec"],
                track["language"],
                track["status"],
                track["reason"],
                track["cues"],
                [output["file"] for output in track["outputs"]],
                losses(track["losses"]),
                _diagnostics(track["diagnostics"]),
            )
            for track in report["tracks"]
        ]
        return cls(report["outcome"], tracks, _diagnostics(report["diagnostics"]), report)


def _diagnostics(entries: "list[dict[str, Any]]") -> "list[Diagnostic]":
    return [Diagnostic(entry["severity"], entry["code"], entry["message"]) for entry in entries]


def extract_with(
    media: Any,
    strings: "dict[str, Optional[Path]]",
    flags: "dict[str, bool]",
    progress: Optional[Progress],
    cancel: "Callable[[], None]",
) -> Report:
    """Calls ``undertext_media_extract``; an exception of ``progress`` calls ``cancel``."""
    options = sized("undertext_extract_options")
    kept = {name: utf8(value) for name, value in strings.items()}
    for name, pointer in kept.items():
        setattr(options, name, pointer)
    for name, flag in flags.items():
        setattr(options, name, bool(flag))
    failures: "list[BaseException]" = []

    @ffi.callback("void(void *, double)")
    def report_progress(_: Any, fraction: float) -> None:
        try:
            if progress is not None and not failures:
                progress(None if fraction < 0 else fraction)
        except BaseException as failure:
            failures.append(failure)
            cancel()

    if progress is not None:
        options.progress = report_progress
    error, words = new_error(), ffi.new("char const **")
    status = lib.undertext_media_extract(media, options, words, error)
    report = None if words[0] == ffi.NULL else Report.parse(text(words[0]) or "{}")
    if failures:
        raise failures[0]
    try:
        check(status, error)
    except UndertextError as failure:
        failure.report = report
        raise
    assert report is not None
    return report
