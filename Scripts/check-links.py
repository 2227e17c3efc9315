#!/usr/bin/env python3
"""Checks the relative links of all Markdown files: the file must exist, and its heading if the link has an anchor.

Prints each broken link as FILE:LINE and exits with code 1 if there is one.
"""
import functools, pathlib, re, subprocess, sys
from urllib.parse import unquote

LINK = re.compile(r"\]\(\s*<?([^)>\s]+)>?[^)]*\)|^\[[^\]]+\]:\s*<?([^>\s]+)")


def prose(path):
    """The lines of a file with their numbers, without code."""
    fence = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and (fence is None or line.strip().startswith(fence)):
            fence = None if fence else mark[1]
        elif fence is None:
            yield number, line


@functools.cache
def anchors(path):
    """The anchors that GitHub gives the headings of a file."""
    found = set()
    for _, line in prose(path):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            copies = (slug if count == 0 else f"{slug}-{count}" for count in range(1000))
            found.add(next(name for name in copies if name not in found))
        found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
    return found


def problem(page, target):
    """The reason why a link of a page leads nowhere; `None` if it does not."""
    name, _, anchor = target.partition("#")
    file = page.parent / unquote(name) if name else page
    if not file.exists():
        return "no such file"
    if anchor and file.suffix == ".md" and unquote(anchor) not in anchors(file.resolve()):
        return "no such heading"
    return None


listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "*.md"]
failed = False
for name in subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0"):
    page = pathlib.Path(name)
    if not name or not page.exists():
        continue
    for number, line in prose(page):
        for match in LINK.finditer(re.sub(r"(`+).*?\1", "", line)):
            target = match[1] or match[2]
            if re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.IGNORECASE):
                continue
            reason = problem(page, target)
            if reason:
                failed = True
                print(f"{name}:{number}: {reason}: {target}", file=sys.stderr)
sys.exit(failed)
