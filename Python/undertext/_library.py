"""Loads libundertext and declares what it exports."""
from __future__ import annotations

import math
import os
import pathlib
from datetime import timedelta
from typing import Any, Optional, Union

from ._cdef import VERSION, ffi as ffi

#: The value of ``UNDERTEXT_NO_TIME``.
NO_TIME = -(2**63)

#: Seconds, or a ``datetime.timedelta``.
Time = Union[float, int, timedelta]

#: The path of a file.
Path = Union[str, "os.PathLike[str]"]


#: The library of a wheel.
_BESIDE = pathlib.Path(__file__).parent / "lib" / "libundertext.so.0"


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

# A later version with the same soname has all that this package calls.
if [int(number) for number in version.split(".")] < [int(number) for number in VERSION.split(".")]:
    raise ImportError(f"libundertext {version} is older than the Python package, which needs {VERSION}")


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


def utf8(value: Optional[Path]) -> Any:
    """Returns a text or path as a C string, or NULL for ``None``; the caller keeps it during the call.

    :raises InvalidArgumentError: The library could not be given all of it.
    """
    if value is None:
        return ffi.NULL
    words = os.fsdecode(value)
    try:
        encoded = words.encode("utf-8")
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        from ._errors import InvalidArgumentError

        raise InvalidArgumentError(
            f"{words!r} contains a null character or is not Unicode", code="invalid-argument"
        )
    return ffi.new("char[]", encoded)


def nanoseconds(time: Time) -> int:
    """Returns a time in nanoseconds."""
    if isinstance(time, timedelta):
        return representable((time // timedelta(microseconds=1)) * 1000)
    if isinstance(time, int):
        return representable(time * 1_000_000_000)
    if isinstance(time, str):
        raise TypeError("a time is a number of seconds or a timedelta, not str")
    value = float(time)
    if math.isnan(value):
        raise ValueError("NaN is not a time")
    # Infinity is beyond all times.
    return representable(round(max(-1e19, min(1e19, value * 1e9))))


def optional_nanoseconds(time: Optional[Time]) -> int:
    """Returns a time in nanoseconds, or ``UNDERTEXT_NO_TIME`` for ``None``."""
    return NO_TIME if time is None else nanoseconds(time)


def representable(time: int) -> int:
    """Returns the nearest time of the library, in nanoseconds; ``UNDERTEXT_NO_TIME`` is none."""
    return max(-(2**63) + 1, min(2**63 - 1, time))


class Handle:
    """An object of the library, which has one owner."""

    def __copy__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be copied")

    def __deepcopy__(self, _: Any) -> Any:
        return self.__copy__()

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled")


def seconds(value: int) -> float:
    """Returns a time of the library in seconds."""
    return value / 1e9
