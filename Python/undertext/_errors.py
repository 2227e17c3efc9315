"""The exceptions of the package."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from ._library import ffi, lib, sized

if TYPE_CHECKING:
    from ._report import Report


@dataclass(frozen=True)
class Remedy:
    """An action that may help after an error."""

    #: The action: ``set``, ``omit``, ``replace-outputs``; an open set.
    name: str
    #: The settings that it concerns, such as ``charset`` or ``tracks``.
    settings: "tuple[str, ...]" = ()
    #: The values to choose from; empty if there is no list of them.
    values: "tuple[str, ...]" = ()

    @classmethod
    def parse(cls, words: str) -> "Optional[Remedy]":
        """Reads the form of ``undertext_error.remedy``."""
        if not words:
            return None
        name, settings, values = (words.split(" ", 2) + ["", ""])[:3]
        return cls(
            name,
            tuple(filter(None, settings.split(","))),
            tuple(filter(None, values.split(","))),
        )

    def __str__(self) -> str:
        names = " and ".join(_PARAMETERS.get(name, name) for name in self.settings)
        values = " or ".join(repr(value) for value in self.values)
        if self.name == "replace-outputs" or self.settings == ("existing",):
            return "replace=True replaces it"
        if self.name == "set" and names:
            return f"set {names}" + (f" to {values}" if values else "")
        if self.name == "omit" and names:
            return f"leave out {names}" + (f" {values}" if values else "")
        return self.name.replace("-", " ")


#: The parameters of this package for settings of the library.
_PARAMETERS = {
    "charset": "charset=",
    "destination": "folder=",
    "existing": "replace=",
    "format": "format=",
    "frame-rate": "frame_rate=",
    "input-format": "format= of open()",
    "language": "language=",
    "live-duration": "live=",
    "recognition": "ocr=",
    "style-removal": "strip_styling=",
    "tracks": "tracks=",
}


class UndertextError(Exception):
    """A failure of the library. Most subclasses are subclasses of a built-in exception, too."""

    #: The ``undertext_status``, a negative number.
    status: int
    #: The name of the failure, such as ``not-found`` or ``output-exists``; an open set.
    code: str
    #: The message with the path or URL, without the remedy.
    message: str
    #: An action that may help, or ``None``.
    remedy: Optional[Remedy]
    #: The report of an extraction that has not one output, or ``None``.
    report: "Optional[Report]" = None

    def __init__(
        self,
        message: str,
        *,
        status: int = -100,
        code: str = "failed",
        remedy: Optional[Remedy] = None,
    ) -> None:
        super().__init__(message if remedy is None else f"{message}; {remedy}")
        self.message = message
        self.status = status
        self.code = code
        self.remedy = remedy


class InvalidArgumentError(UndertextError, ValueError):
    """An argument is invalid, or options contradict each other."""


class NotFoundError(UndertextError, FileNotFoundError):
    """The file, URL, track or format does not exist."""


class PermissionDeniedError(UndertextError, PermissionError):
    """The system or a server denied access."""


class MalformedError(UndertextError, ValueError):
    """The input is empty, not a media file, or damaged beyond what can be skipped."""


class ReadError(UndertextError, OSError):
    """Reading or writing failed, or a server could not be reached."""


class UnsupportedError(UndertextError):
    """The library does not support it, such as a codec without a decoder."""


class MissingLibraryError(UndertextError):
    """A shared library is not installed; the message names its package."""


class LimitError(UndertextError):
    """A size exceeds a limit."""


class CancelledError(UndertextError):
    """The work was cancelled: by :class:`Cancellation`, or :meth:`Media.cancel`."""


class TimeoutExpiredError(UndertextError, TimeoutError):
    """A server did not respond in time."""


class RefusedError(UndertextError):
    """The input refers to a file that was not opened, or a server refused the request."""


class EncryptedError(UndertextError):
    """The content is encrypted."""


class OutputExistsError(UndertextError, FileExistsError):
    """The output exists, and replacing it was not requested."""


_BY_STATUS: "dict[int, type[UndertextError]]" = {
    lib.UNDERTEXT_STATUS_INVALID_ARGUMENT: InvalidArgumentError,
    lib.UNDERTEXT_STATUS_NOT_FOUND: NotFoundError,
    lib.UNDERTEXT_STATUS_PERMISSION: PermissionDeniedError,
    lib.UNDERTEXT_STATUS_MALFORMED: MalformedError,
    lib.UNDERTEXT_STATUS_IO: ReadError,
    lib.UNDERTEXT_STATUS_UNSUPPORTED: UnsupportedError,
    lib.UNDERTEXT_STATUS_MISSING_LIBRARY: MissingLibraryError,
    lib.UNDERTEXT_STATUS_LIMIT: LimitError,
    lib.UNDERTEXT_STATUS_CANCELLED: CancelledError,
    lib.UNDERTEXT_STATUS_TIMEOUT: TimeoutExpiredError,
    lib.UNDERTEXT_STATUS_REFUSED: RefusedError,
    lib.UNDERTEXT_STATUS_ENCRYPTED: EncryptedError,
}


#: The exceptions of codes, for failures without a status; Failure.swift has the same table.
_BY_CODE: "dict[str, type[UndertextError]]" = {
    code: kind
    for kind, codes in {
        NotFoundError: "not-found not-a-directory name-too-long no-such-stream no-such-track no-track",
        InvalidArgumentError: "invalid-value invalid-request output-is-input",
        EncryptedError: "encrypted",
        PermissionDeniedError: "permission-denied missing-key unauthorized read-only",
        MalformedError: "not-media malformed malformed-answer empty-input is-directory charset",
        ReadError: "io unreachable server-error rate-limited no-space",
        UnsupportedError: "unsupported",
        MissingLibraryError: "missing-library missing-language",
        LimitError: "limit-exceeded quota-exceeded",
        CancelledError: "cancelled",
        TimeoutExpiredError: "timeout",
        RefusedError: "nested-open-refused request-refused",
    }.items()
    for code in codes.split()
}


def new_error() -> Any:
    """Returns an ``undertext_error`` for a call."""
    return sized("undertext_error")


def exception(error: Any) -> UndertextError:
    """Returns the exception of a failed call."""
    code = _member(error.code)
    kind = _BY_STATUS.get(error.status, UndertextError)
    if code == "output-exists":
        kind = OutputExistsError
    return kind(
        _member(error.message),
        status=error.status,
        code=code,
        remedy=Remedy.parse(_member(error.remedy)),
    )


def described_exception(described: "dict[str, Any]") -> UndertextError:
    """Returns the exception of a description that contains an error."""
    code = str(described.get("undertext", {}).get("code", "failed"))
    message = str(described["error"].get("string", "the input cannot be described"))
    kind = _BY_CODE.get(code, UndertextError)
    status = next((status for status, known in _BY_STATUS.items() if known is kind), -100)
    return kind(message, status=status, code=code)


def check(status: int, error: Any) -> int:
    """Raises the exception of a failed call, and returns the status otherwise."""
    if status < 0:
        raise exception(error)
    return status


def _member(characters: Any) -> str:
    raw = ffi.string(characters)
    assert isinstance(raw, bytes)
    return raw.decode("utf-8", "replace")
