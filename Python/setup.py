"""Builds the wheel; the version is that of Sources/Undertext/Version.swift.

A wheel with shared libraries in undertext/lib has the platform of UNDERTEXT_WHEEL_PLATFORM, one without has any.
"""
import os
import re
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

HERE = Path(__file__).parent
SOURCE = HERE.parent / "Sources/Undertext/Version.swift"


def version() -> str:
    """Returns the version of the library, in a source distribution that of its metadata."""
    if SOURCE.exists():
        return re.search(r'undertextVersion = "([^"]+)"', SOURCE.read_text(encoding="utf-8"))[1]
    return re.search(r"^Version: (.+)$", (HERE / "PKG-INFO").read_text(encoding="utf-8"), re.M)[1]


class LibraryDistribution(Distribution):
    """A package that may contain shared libraries."""

    def has_ext_modules(self) -> bool:
        return any((HERE / "undertext/lib").glob("*.so*"))


class PlatformWheel(bdist_wheel):
    """A wheel for every Python 3, also with shared libraries."""

    def get_tag(self) -> "tuple[str, str, str]":
        if not self.distribution.has_ext_modules():
            return "py3", "none", "any"
        return "py3", "none", os.environ.get("UNDERTEXT_WHEEL_PLATFORM", "linux_x86_64")


setup(version=version(), distclass=LibraryDistribution, cmdclass={"bdist_wheel": PlatformWheel})
