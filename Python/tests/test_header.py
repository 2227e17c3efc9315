"""The declarations of the package are those of undertext.h."""
import re
import runpy
import subprocess
import sys

import pytest
from conftest import ROOT

from undertext import __version__
from undertext._library import ffi, lib

LAYOUT = (ROOT / "Tests/CPrograms/layout.c").read_text()


def test_the_declarations_are_those_of_the_header():
    result = subprocess.run(
        [sys.executable, ROOT / "Python/cdef.py", "--check"], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("struct", "member", "size"), re.findall(r"ENDS_WITH\((\w+), (\w+), (\d+)\)", LAYOUT)
)
def test_structs_have_the_layout_of_c(struct, member, size):
    assert ffi.sizeof(struct) == int(size)
    last = ffi.typeof(struct).fields[-1]
    assert last[0] == member
    assert last[1].offset + ffi.sizeof(last[1].type) == int(size)


def test_every_function_is_exported():
    declarations = runpy.run_path(str(ROOT / "Python/cdef.py"))["declarations"]
    header = (ROOT / "Sources/Libraries/CUndertext/undertext.h").read_text()
    names = set(re.findall(r"\b(undertext_\w+)\(", declarations(header)))
    assert len(names) > 60
    for name in names:
        assert getattr(lib, name)


def test_the_version_is_that_of_the_library():
    source = (ROOT / "Sources/Undertext/Version.swift").read_text()
    assert f'undertextVersion = "{__version__}"' in source
