#!/usr/bin/env python3
"""Makes undertext/_cdef.py from undertext.h: Python/cdef.py [--check]

The declarations are stored as cffi's tables, so that an import does not parse C. With --check, nothing is written, and the
exit code is 1 if the file differs from the header.
"""
import contextlib
import re
import sys
import tempfile
from pathlib import Path

from cffi import FFI

HERE = Path(__file__).parent
HEADER = HERE.parent / "Sources/Libraries/CUndertext/undertext.h"
OUTPUT = HERE / "undertext/_cdef.py"


def declarations(header: str) -> str:
    """Returns the types and functions of the header in the C that cffi parses."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    # Definitions for C++ follow the declarations.
    text = text[: text.rindex("#ifdef __cplusplus")]
    text = re.sub(r"(?m)^#.*(\\\n.*)*$", "", text)
    text = re.sub(r'extern "C" \{', "", text)
    text = re.sub(r"UNDERTEXT_CHECK\(.*?\);", "", text, flags=re.DOTALL)
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


def tables(source: str) -> str:
    """Returns the Python code that defines ``ffi`` with the declarations; the versions of cffi give the same."""
    builder = FFI()
    builder.cdef(source)
    builder.set_source("undertext._cdef", None)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(None):
        path = Path(folder) / "tables.py"
        builder.emit_python_code(str(path))
        return path.read_text(encoding="utf-8").partition("\n")[2]


def module(header: str) -> str:
    """Returns the text of the Python module."""
    version = ".".join(re.findall(r"define UNDERTEXT_VERSION_\w+ (\d+)", header))
    return (
        '"""The declarations of undertext.h, as tables of cffi; made by cdef.py, do not edit."""\n'
        f'{tables(declarations(header))}\nVERSION = "{version}"\n'
    )


def main() -> int:
    """Writes or checks the module."""
    text = module(HEADER.read_text(encoding="utf-8"))
    if "--check" in sys.argv[1:]:
        if OUTPUT.read_text(encoding="utf-8") != text:
            print(f"{OUTPUT} differs from undertext.h: run Python/cdef.py", file=sys.stderr)
            return 1
        return 0
    OUTPUT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
