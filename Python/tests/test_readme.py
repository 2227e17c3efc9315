"""The programs of the README run."""
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT, fixture_path

README = (ROOT / "Python/README.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_there_are_programs():
    assert len(PROGRAMS) >= 7


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_runs(program, tmp_path):
    shutil.copy(fixture_path("containers/movie.mkv"), tmp_path)
    shutil.copy(fixture_path("subtitles/signs.ass"), tmp_path)
    result = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", program], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True,
    )
    assert result.returncode == 0, result.stderr
    # FFmpeg has a log for the whole process, which goes to standard error.
    assert result.stdout and "Traceback" not in result.stderr, result.stderr
