#!/usr/bin/env python3
"""Makes undertext/_cdef.py from undertext.h: Python/cdef.py [--check]

With --check, nothing is written, and the exit code is 1 if the file differs from the header.
"""
import re
import sys
from pathlib import Path

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


def module(header: str) -> str:
    """Returns the text of the Python module."""
    version = ".".join(re.findall(r"define UNDERTEXT_VERSION_\w+ (\d+)", header))
    return (
        '"""The declarations of undertext.h; made by cdef.py, do not edit."""\n\n'
        f'VERSION = "{version}"\n\nCDEF = """\n{declarations(header)}"""\n'
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
