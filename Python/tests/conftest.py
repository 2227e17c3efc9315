"""Where the tests find the library and the fixtures."""
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / ".build/debug/c/lib/libundertext.so.0"

# An installed wheel brings its own library.
if os.environ.get("UNDERTEXT_TEST_INSTALLED") is None:
    os.environ.setdefault("UNDERTEXT_LIBRARY", str(LIBRARY))


def fixture_path(name):
    """Returns the path of a fixture."""
    return str(ROOT / "Fixtures" / name)
