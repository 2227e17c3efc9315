"""Parsing of text formats: the library compared with pysubs2 and libass, each in a process that does nothing else."""

import os
import subprocess
import sys

import player
from case import Case, ROOT, Tool

# The formats that pysubs2 reads, too, with their names there.
FORMATS = {"srt": "srt", "vtt": "vtt", "ass": "ass", "ttml": "ttml", "sub": "microdvd", "mpl": "mpl2"}
COUNT = "import sys, pysubs2; print(len(pysubs2.load(sys.argv[1], format_=sys.argv[2], fps=25)))"
HERE = os.path.dirname(__file__)


def call(*command):
    """Runs a command, which has to succeed."""
    if subprocess.run(command, check=False, stdout=sys.stderr).returncode != 0:
        sys.exit("failed: %s" % " ".join(command))


def pysubs2():
    """The Python of an environment that has pysubs2, which also makes inputs that Undertext does not write."""
    python = ROOT + "/python/bin/python"
    if not os.path.exists(python):
        call("python3", "-m", "venv", ROOT + "/python")
        call(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pysubs2==1.8.1")
    return python


def libass():
    """A program that parses a script with libass."""
    program = ROOT + "/floor/script"
    os.makedirs(os.path.dirname(program), exist_ok=True)
    call("cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, HERE + "/Floor/script.c", "-lass")
    return program


def cases():
    """A case for each format; the inputs are made already."""
    program, python = player.program(), pysubs2()
    for name, other in FORMATS.items():
        case = Case("document-" + name, "document of 200 000 cues, .%s" % name, "%s/document.%s" % (ROOT, name))
        tools = {"undertext": [program, case.path], "pysubs2": [python, "-c", COUNT, case.path, other]}
        if name == "ass":
            tools["libass"] = [libass(), case.path]
            case.faster("libass", 3)
        for tool, command in tools.items():
            case.tools.append(Tool(tool, command, case.folder(tool), case.path))
        case.faster("pysubs2", 10)
        size = os.path.getsize(case.path)
        case.at_most("peak memory, in sizes of the file", 3,
                     lambda found, size=size: found["undertext"]["peakMemory"] / size)
        yield case
