"""Loads libundertext and declares what it exports."""
from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any, Optional, Union

from ._cdef import VERSION, ffi as ffi

#: The value of ``UNDERTEXT_NO_TIME``.
NO_TIME = -(2**63)

#: Seconds, or a ``datetime.timedelta``.
Time = Union[float, int, timedelta]


#: The library of a wheel.
_BESIDE = Path(__file__).parent / "lib" / "libundertext.so.0"


def _candidates() -> "list[str]":
    named = os.environ.get("UNDERTEXT_LIBRARY")
    if named:
        return [named]
    return ([str(_BESIDE)] if _BESIDE.exists() else []) + ["libundertext.so.0"]


def _load() -> Any:
    failure: Optional[OSError] = None
    for path in _candidates():
        try:
            library: Any = ffi.dlopen(path)
        except OSError as error:
            failure = error
            continue
        if path == str(_BESIDE):
            # The FFmpeg of the wheel is in use by nothing else, and its messages become those of exceptions.
            library.undertext_silence_ffmpeg()
        return library
    raise ImportError(
        "libundertext.so.0 is not installed: install the package libundertext0, or set "
        f"UNDERTEXT_LIBRARY to its path ({failure})"
    )


#: The functions and enumerators of undertext.h.
lib: Any = _load()

#: The version of the library.
version: str = ffi.string(lib.undertext_version()).decode()  # type: ignore[union-attr]

if version.split(".")[:2] != VERSION.split(".")[:2]:
    raise ImportError(f"libundertext {version} does not match the Python package {VERSION}")


def sized(name: str) -> Any:
    """Returns a new struct with its ``size`` member set."""
    struct: Any = ffi.new(name + " *")
    struct.size = ffi.sizeof(name)
    return struct


def text(pointer: Any) -> Optional[str]:
    """Returns the string at a pointer, or ``None`` for NULL."""
    if pointer == ffi.NULL:
        return None
    return ffi.string(pointer).decode("utf-8", "replace")  # type: ignore[union-attr]


def utf8(value: Optional[str]) -> Any:
    """Returns a C string, or NULL for ``None``; the caller keeps it during the call."""
    return ffi.NULL if value is None else ffi.new("char[]", value.encode("utf-8", "surrogateescape"))


def nanoseconds(time: Optional[Time]) -> int:
    """Returns a time in nanoseconds, or ``UNDERTEXT_NO_TIME`` for ``None``."""
    if time is None:
        return NO_TIME
    if isinstance(time, timedelta):
        return (time // timedelta(microseconds=1)) * 1000
    value = time * 1_000_000_000 if isinstance(time, int) else round(time * 1e9)
    # UNDERTEXT_NO_TIME is not a time.
    return max(-(2**63) + 1, min(2**63 - 1, value))


def seconds(value: int) -> float:
    """Returns a time of the library in seconds."""
    return value / 1e9
