#!/usr/bin/env python3
"""Writes a manual page for each command: Scripts/manual.py COMMAND FOLDER

The pages are made from the command's description of itself (`--experimental-dump-help`, an interface of
swift-argument-parser). Its own plugin joins the lines of examples and of exit codes; here they keep their form, and
the sections of Documentation/Manual are added. The date is SOURCE_DATE_EPOCH, otherwise that of the last commit.
"""
import datetime
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXTRAS = os.path.join(ROOT, "Documentation", "Manual")
# The order of mdoc(7); sections with other names come before OPTIONS.
LAST = ["OPTIONS", "COMMANDS", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]


def escape(text):
    """Text as roff reads it: no escapes, no accented ASCII, no bytes above 127."""
    special = {"\\": "\\e", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "-": "\\-"}
    return "".join(
        special.get(c) or (c if ord(c) < 128 else f"\\[u{ord(c):04X}]") for c in text)


def lines(text):
    """Sentences, each on a line of its own, none of which is taken for a macro."""
    for sentence in re.split(r"(?<=[A-Za-z0-9)\]'][.:;])(?<!e\.g\.)(?<!i\.e\.) (?=[A-Z'-])", " ".join(text.split())):
        yield "\\&" + escape(sentence) if sentence[:1] in ".'" else escape(sentence)


def word(text):
    """One argument of a macro, which must not be the name of another one."""
    return "\\&" + escape(text).replace(" ", "\\ ").replace('"', "\\(dq")


def literal(rows):
    yield ".Bd -literal -offset indent"
    for row in rows:
        yield "\\&" + escape(row) if row[:1] in (".", "'") else escape(row)
    yield ".Ed"


def exit_codes(rows):
    """Codes and what they mean, of which a row may have two, as a list."""
    table, notes = [], []
    for row in rows:
        items = re.findall(r"(\d+(?:, \d+)*) {2,}(.*?)(?= {2,}\d|$)", row)
        if items:
            table += items
        else:
            notes.append(row)
    yield ".Bl -tag -width Ds"
    for codes, meaning in sorted(table, key=lambda item: int(item[0].split(",")[0])):
        yield f".It {escape(codes)}"
        yield from lines(meaning.strip())
    yield ".El"
    if notes:
        yield ".Pp"
        yield from lines(" ".join(notes))


def sections(discussion):
    """Splits a discussion at lines in capitals: pairs of a title and rows of roff."""
    title, body = "DESCRIPTION", []
    for paragraph in re.split(r"\n\s*\n", discussion.strip("\n")):
        rows = paragraph.split("\n")
        heading = re.match(r"([A-Z]{2,}(?: [A-Z]{2,})*)(?: \(.*\))?(?:$|  +)", rows[0])
        if heading:
            if body:
                yield title, body
            name, body = heading.group(1), []
            rest = [rows[0][heading.end():]] if rows[0][heading.end():] else []
            rows = [row[2:] if row.startswith("  ") else row for row in rows[1:]]
            if name == "EXIT CODES":
                yield "EXIT STATUS", list(exit_codes(rows))
            elif rest:
                yield name, list(lines(" ".join(rest + rows)))
            else:
                yield name, list(literal(rows))
        else:
            body += ([".Pp"] if body else []) + list(lines(paragraph))
    if body:
        yield title, body


def names(argument):
    """The names of an option with its value, as a list of mdoc words."""
    short = [n["name"] for n in argument.get("names", []) if n["kind"] != "long"]
    long = [n["name"] for n in argument.get("names", []) if n["kind"] == "long"]
    value = argument.get("valueName") if argument["kind"] == "option" else None
    shown = [f"Fl {escape(n)}" for n in short] + [f"Fl \\-{escape(n)}" for n in long]
    return " , ".join(shown) + (f" Ar {word(value)}" if value else "")


def synopsis(arguments, commands):
    optional = [a for a in arguments if a["kind"] != "positional" and a["isOptional"]]
    if optional:
        yield ".Op Ar options"
    for argument in arguments:
        if argument["kind"] == "option" and not argument["isOptional"]:
            yield "." + names({**argument, "names": [argument["preferredName"]]})
        elif argument["kind"] == "positional":
            value = word(argument["valueName"])
            dots = " ..." if argument["isRepeating"] else ""
            yield f".Op Ar {value}{dots}" if argument["isOptional"] else f".Ar {value}{dots}"
    if commands:
        yield ".Ar command"
        yield ".Op Ar argument ..."


def options(arguments):
    yield ".Bl -tag -width Ds"
    for argument in arguments:
        if argument["kind"] == "positional":
            yield f".It Ar {word(argument['valueName'])}"
        else:
            yield f".It {names(argument)}"
        text = argument.get("abstract", "")
        default = argument.get("defaultValue")
        if default and default not in ("false", "true") and "(default" not in text:
            text += f" (default: {default})"
        elif default == "true":
            text += " (default: on)"
        yield from lines(text or "No description.")
    yield ".El"


def extras(name):
    """The sections that a file of Documentation/Manual adds: pairs of a title and rows of roff."""
    path = os.path.join(EXTRAS, name + ".mdoc")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        text = "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in file.read())
    parts = re.split(r"^\.Sh (.*)\n", text, flags=re.MULTILINE)[1:]
    return [(title, body.rstrip("\n").split("\n")) for title, body in zip(parts[::2], parts[1::2])]


def date():
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if not seconds:
        log = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=False,
                             capture_output=True, text=True)
        seconds = log.stdout.strip()
    day = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc) if seconds else datetime.datetime.now()
    return f"{day:%B} {day.day}, {day.year}"


class Manual:
    """All pages of a command and its subcommands."""

    def __init__(self, root, version, folder):
        self.root, self.version, self.folder, self.date = root, version, folder, date()

    def write(self, name, parts):
        rows = [f".Dd {self.date}", f".Dt {name.upper()} 1", f".Os Undertext {self.version}"]
        for title, body in parts:
            rows += [f".Sh {title}"] + body
        with open(os.path.join(self.folder, name + ".1"), "w", encoding="ascii") as file:
            file.write("\n".join(rows) + "\n")

    def page(self, command, parents=()):
        path = [*parents, command["commandName"]]
        name = "-".join(path)
        # The option --help and the command help are in all of them.
        arguments = [a for a in command.get("arguments", []) if a["shouldDisplay"]]
        commands = [c for c in command.get("subcommands", []) if c["shouldDisplay"] and c["commandName"] != "help"]
        abstract = command["abstract"].rstrip(".")
        call = [".Nm " + " ".join(word(w) for w in path)] + list(synopsis(arguments, commands))
        parts = {
            "NAME": [f".Nm {escape(name)}", f".Nd {escape(abstract[0].lower() + abstract[1:])}"],
            "SYNOPSIS": call,
            "DESCRIPTION": [],
        }
        for title, body in sections(command.get("discussion", "")):
            parts.setdefault(title, [])
            parts[title] += ([".Pp"] if parts[title] else []) + body
        if not parts["DESCRIPTION"]:
            parts["DESCRIPTION"] = list(lines(command["abstract"]))
        parts["OPTIONS"] = list(options(arguments))
        if commands:
            parts["COMMANDS"] = [".Bl -tag -width Ds"]
            for child in commands:
                page = "-".join([*path, child["commandName"]])
                parts["COMMANDS"] += [f".It Xr {page} 1", *lines(child["abstract"])]
            parts["COMMANDS"] += [".El"]
        if "EXIT STATUS" not in parts and not (commands and parents):
            root = dict(sections(self.root.get("discussion", "")))
            parts["EXIT STATUS"] = root.get("EXIT STATUS", [])
        for title, body in extras(name):
            parts[title] = body
        related = ["-".join(path[:n]) for n in range(1, len(path))]
        related += ["-".join([*path, c["commandName"]]) for c in commands]
        if not parents:
            related.append("undertext-ffmpeg")
        related = sorted(set(related))
        if related:
            parts["SEE ALSO"] = [f".Xr {r} 1 ," for r in related[:-1]] + [f".Xr {related[-1]} 1"]
        order = [t for t in parts if t not in LAST] + [t for t in LAST if parts.get(t)]
        self.write(name, [(title, parts[title]) for title in order])
        for child in commands:
            self.page(child, path)


def main():
    command, folder = sys.argv[1:]
    dump = subprocess.run([command, "--experimental-dump-help"], check=True, capture_output=True).stdout
    version = subprocess.run([command, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    root = json.loads(dump)["command"]
    manual = Manual(root, version, folder)
    manual.page(root)
    manual.write("undertext-ffmpeg", extras("undertext-ffmpeg"))


if __name__ == "__main__":
    main()
