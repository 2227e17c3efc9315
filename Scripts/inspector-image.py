#!/usr/bin/env python3
"""Takes the image of the inspector for its documentation page: inspector-image.py [BINARY [OUTPUT]].

Needs Chromium, and a binary with all traits (.build/debug/undertext).
"""

import os
import subprocess
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, f"{root}/Tests/TestSupport")
from headless import Browser  # noqa: E402

binary = sys.argv[1] if len(sys.argv) > 1 else f"{root}/.build/debug/undertext"
output = sys.argv[2] if len(sys.argv) > 2 else f"{root}/Documentation/Images/inspector.png"
server = subprocess.Popen([binary, "inspect", "--no-browser", f"{root}/Fixtures/containers/movie.mkv"], stdout=subprocess.PIPE, text=True)
browser = Browser()
try:
    browser.size(1280, 800)
    browser.open(server.stdout.readline().strip() + "#time=6.5")
    browser.wait("document.querySelectorAll('#list .row[aria-selected]').length > 0 && document.querySelector('.screen img:not([hidden])') !== null")
    browser.pause(1)
    browser.screenshot(output)
finally:
    browser.close()
    server.terminate()
    server.wait()
