"""A case: tools, what happens around their runs, and what is to be reached."""

import os
import subprocess
import sys

import cache
import content

ROOT = "bench-out"
OUT = ROOT + "/out"
UNDERTEXT = os.environ.get("UNDERTEXT", ".build/release/undertext")
BASELINE = os.environ.get("BASELINE")
AS_BASELINE = ", baseline"
FLOOR = ROOT + "/floor/floor"
FFMPEG = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y"]


class Tool:
    """A command, and where its outputs go."""

    def __init__(self, name, command, folder, path, report=None, output=os.devnull):
        self.name, self.command, self.folder, self.path = name, command, folder, path
        self.report, self.output = report, output
        self.folders = []  # folders within its folder that exist before it runs


def is_floor(name):
    """Returns whether a tool of that name is a floor."""
    return name == "floor" or name.startswith("floor, ")


def build_floor(suffix="", options=("-static",)):
    """Compiles Floor/floor.c; the program."""
    source = os.path.join(os.path.dirname(__file__), "Floor", "floor.c")
    os.makedirs(os.path.dirname(FLOOR), exist_ok=True)
    command = ["cc", "-O2", "-Wall", "-Wextra", "-Werror", *options, "-pthread", "-o", FLOOR + suffix, source, "-ldeflate"]
    if subprocess.run(command, check=False).returncode != 0:
        sys.exit("cannot compile %s" % source)
    return FLOOR + suffix


class Case:
    """Tools that do the same work on one input, by default from the page cache."""

    def __init__(self, name, title, path, runs=None):
        self.name, self.title, self.path, self.runs = name, title, path, runs
        self.tools, self.checks, self.goals = [], [], []
        self.plans = []
        self.note = ""

    # Steps around each run.

    def prepare(self):
        share = cache.fill(self.path)
        self.note = "warm" if share > 0.99 else "warm, but only %.0f %% fit into memory" % (share * 100)
        self.make_plans()

    def make_plans(self):
        for make in self.plans:
            make()

    def before(self, tool):
        pass

    def after(self, tool):
        return {}

    def check(self):
        for check in self.checks:
            check()

    # The tools.

    def folder(self, label):
        return "%s/%s/%s" % (OUT, self.name, label)

    def undertext(self, *options, name="undertext", source=None, label=None):
        """`undertext extract` with a report; its folder of outputs."""
        folder = self.folder(label or "undertext")
        report = "%s/%s-%s.json" % (OUT, self.name, label or "undertext")
        self.tools.append(Tool(
            name, [UNDERTEXT, "extract", *options, "-o", folder, "--report", report, "--force",
                   source or self.path], folder, source or self.path, report))
        return folder

    def ffmpeg(self, *outputs, name="ffmpeg -c copy", source=None, options=()):
        """ffmpeg with options for the input; each output is a list of options with a file name at the end."""
        folder = self.folder("ffmpeg")
        command = [*FFMPEG, *options, "-i", source or self.path]
        for *options, file in outputs:
            command += [*options, folder + "/" + file]
        self.tools.append(Tool(name, command, folder, self.path))
        return folder

    def mkvextract(self, outputs):
        """mkvextract; the outputs by their tracks."""
        folder = self.folder("mkvextract")
        self.tools.append(Tool("mkvextract", ["mkvextract", self.path, "tracks"] + [
            "%d:%s/%s" % (track, folder, file) for track, file in outputs.items()], folder, self.path))
        return folder

    def floor(self, plan, action, *options, like, name="floor", source=None):
        """A floor that does `action` of Floor/floor.c with a plan, and has to write the files of the tool `like`.

        `plan` is a function of the path and a folder with such files, which that tool makes before the first round.
        """
        folder = self.folder(name.replace(", ", "-").replace(" ", "-"))
        target = "%s/floor/%s.plan" % (ROOT, self.name)
        tool = Tool(name, [FLOOR, action, *options, target, source or self.path, folder], folder, self.path)
        model = next(tool for tool in self.tools if tool.name == like)

        def make():
            work = "%s/floor/%s" % (ROOT, self.name)
            made = work + "/made"
            content.empty(made)
            os.makedirs(OUT, exist_ok=True)
            command = [made if word == model.folder else self.path if word == model.path else word
                       for word in model.command]
            standard = made + "/printed" if model.output != os.devnull else os.devnull
            with open(standard, "wb") as output:
                subprocess.run(command, check=True, stdout=output, stderr=subprocess.DEVNULL)
            tool.folders = [os.path.relpath(path, made) for path, _, _ in os.walk(made) if path != made]
            plan(self.path, made).write(target)

        self.plans.append(make)
        self.tools.append(tool)
        if model.output != os.devnull:
            tool.output = folder + "/" + os.path.basename(model.output)
        self.checks.append(lambda: content.same([model.folder, folder]))
        return folder

    def add_baseline(self):
        """Runs each of our commands again with the build BASELINE, directly after it."""
        tools = []
        for tool in self.tools:
            tools.append(tool)
            if BASELINE and UNDERTEXT in tool.command:
                moved = {UNDERTEXT: BASELINE, tool.folder: tool.folder + "-baseline"}
                if tool.report:
                    moved[tool.report] = tool.report[:-5] + "-baseline.json"
                tools.append(Tool(
                    tool.name + AS_BASELINE, [moved.get(word, word) for word in tool.command],
                    moved[tool.folder], tool.path, moved.get(tool.report),
                    tool.output.replace(tool.folder, moved[tool.folder])))
        self.tools = tools

    # The goals: (description, figure, limit, whether the limit is a maximum).

    def faster(self, other, factor, of="undertext"):
        self.goals.append(lambda found: (
            "%s: times faster than %s" % (self.title, other),
            found[other]["seconds"] / found[of]["seconds"], factor, False))

    def at_most(self, words, limit, figure):
        self.goals.append(lambda found: ("%s: %s" % (self.title, words), figure(found), limit, True))

    def small(self):
        self.at_most("peak memory in MB", 64, lambda found: max(
            result["peakMemory"] for name, result in found.items()
            if name.startswith("undertext") and not name.endswith(AS_BASELINE)) / 1e6)


class Touched(Case):
    """With several inputs that need not fit into memory: the first round brings in what is used."""

    def prepare(self):
        self.note = "warm"
        self.make_plans()


class Cold(Case):
    """The same with nothing of the input in the page cache."""

    def prepare(self):
        self.note = "cold (%s)" % {
            "drop": "all caches dropped before each run, then the programs read",
            "file": "the file's pages evicted before each run by posix_fadvise",
        }[cache.method()]
        self.make_plans()

    def before(self, tool):
        cache.evict(tool.path, {tool.command[0] for tool in self.tools} | {"ffmpeg"})
        # What a floor knows in advance.
        for word in tool.command:
            if word.endswith(".plan"):
                cache.read(word)


class Served(Case):
    """The same through a server."""

    def __init__(self, name, title, path, server):
        super().__init__(name, title, path)
        self.server = server
        self.source = server.base + os.path.basename(path)

    def prepare(self):
        super().prepare()
        self.note += ", " + self.server.way
        for tool in self.tools:
            tool.command = [*self.server.prefix, *tool.command]

    def before(self, tool):
        self.server.mark()

    def after(self, tool):
        return self.server.sent()
