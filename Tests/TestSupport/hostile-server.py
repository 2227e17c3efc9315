#!/usr/bin/env python3
"""A web server for tests: /MODE/NAME serves a file of FOLDER as MODE says. Prints its port, then requests.

hostile-server.py FOLDER
"""
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder = sys.argv[1]
lock = threading.Lock()
seen = {}


def say(text):
    with lock:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        fields.setdefault("Content_Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def do_GET(self):
        wanted = self.headers.get("Range", "")
        say(f"{self.client_address[1]} {self.path} {wanted}")
        _, mode, name = self.path.split("/", 2)
        with lock:
            count = seen[self.path] = seen.get(self.path, 0) + 1
            tries = seen[self.path, wanted] = seen.get((self.path, wanted), 0) + 1
        if mode == "agent":
            # The one that is named before the file, and no other.
            agent, name = name.split("/", 1)
            if self.headers.get("User-Agent", "") != agent:
                return self.answer(403, b"who are you?")
        if mode in ("endless-1xx", "endless-headers"):
            lines = b"X-Hint: nothing yet\r\n" * 100
            try:
                if mode == "endless-headers":
                    self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                while True:
                    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 100
                    self.wfile.write(early if mode == "endless-1xx" else lines)
            except OSError:
                self.close_connection = True
                return None
        if mode == "slow":
            time.sleep(0.02)
        if mode == "to-file":
            return self.answer(302, Location="file:///etc/hostname")
        if mode == "to-private":
            port = self.server.server_address[1]
            return self.answer(302, Location=f"http://127.0.0.2:{port}/plain/{name}")
        if mode == "to-loop":
            return self.answer(302, Location=self.path)
        if mode == "to-plain":
            return self.answer(302, b"moved", Location=f"/plain/{name}")
        # Transient faults, which clients retry; rare, because each retry waits.
        fails = tries == 1 and count % 40 == 2
        if mode == "busy" or (mode == "busy-once" and fails):
            return self.answer(503, b"later")
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or mode == "missing":
            return self.answer(404, b"nothing here")
        with open(path, "rb") as file:
            data = file.read()
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", wanted)
        if mode in ("no-ranges", "no-ranges-cut") or not found:
            if mode == "no-ranges-cut":
                self.close_connection = True
                return self.answer(200, data[: len(data) // 2], Content_Length=str(len(data)))
            return self.answer(200, data)
        first = int(found[1])
        last = min(int(found[2] or len(data)), len(data) - 1)
        if mode == "refuses" and count > 1:
            return self.answer(416, Content_Range=f"bytes */{len(data)}")
        if mode == "forgets" and count > 1:
            return self.answer(200, data)
        if first > last:
            return self.answer(416, Content_Range=f"bytes */{len(data)}")
        body = data[first : last + 1]
        total = str(len(data))
        if mode == "grows":
            total = str(len(data) + count - 1)
        if mode == "unknown-size":
            total = "*"
        modified = {}
        if mode == "changes":
            modified["Last_Modified"] = f"Mon, 01 Jan 2024 00:00:{count:02} GMT"
        if mode == "shifted" and count > 1:
            first, last = first + 1, last + 1
        fields = {"Content_Range": f"bytes {first}-{last}/{total}", **modified}
        if mode == "packed":
            fields["Content_Encoding"] = "gzip"
        if (mode == "cut" and count > 1) or (mode == "cut-once" and fails):
            fields["Content_Length"] = str(len(body))
            self.close_connection = True
            # Two thirds of a body that is cut once are enough to continue.
            return self.answer(206, body[: len(body) * 2 // 3] if mode == "cut-once" else b"", **fields)
        if mode == "short" and count > 1:
            return self.answer(206, body[: (len(body) + 1) // 2], **fields)
        if mode == "long" and count > 1:
            return self.answer(206, body + b"more than was asked for" * 100, **fields)
        if mode == "stalls" and count > 1:
            fields["Content_Length"] = str(len(body))
            self.close_connection = True
            self.answer(206, body[: len(body) // 2], **fields)
            return time.sleep(600)
        self.answer(206, body, **fields)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass  # clients that go away are what some tests are about


server = Server(("", 0), Handler)
say(str(server.server_address[1]))
server.serve_forever()
