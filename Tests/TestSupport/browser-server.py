"""Serves a folder to a browser, with ranges and for pages of any origin, and takes its findings.

browser-server.py FOLDER: prints the port. A POST to /result is written to FOLDER/result.json.
"""

import http.server
import os
import sys

folder = sys.argv[1]
types = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json",
    ".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t", ".m4s": "video/mp4",
    ".mp4": "video/mp4", ".vtt": "text/vtt",
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        name = self.path.split("?")[0].lstrip("/")
        path = os.path.normpath(os.path.join(folder, name))
        if not path.startswith(folder) or not os.path.isfile(path):
            return self.reply(404, b"none", "text/plain")
        with open(path, "rb") as file:
            body = file.read()
        kind = types.get(os.path.splitext(path)[1], "application/octet-stream")
        asked = self.headers.get("Range", "")
        if not asked.startswith("bytes="):
            return self.reply(200, body, kind)
        first, _, last = asked[6:].partition("-")
        first = int(first)
        last = min(int(last) if last else len(body) - 1, len(body) - 1)
        self.reply(
            206, body[first:last + 1], kind, ("Content-Range", f"bytes {first}-{last}/{len(body)}"))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(os.path.join(folder, "result.part"), "wb") as file:
            file.write(body)
        os.rename(os.path.join(folder, "result.part"), os.path.join(folder, "result.json"))
        self.reply(200, b"", "text/plain")

    def reply(self, status, body, kind, *headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Accept-Ranges", "bytes")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
