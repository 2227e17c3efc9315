"""A web server with byte ranges; each request waits as one to a distant server does."""
import http.server
import os
import re
import threading
import time


class Server:
    def __init__(self, folder, delay=0.0):
        outer = self
        self.requests, self.stops = [], threading.Event()
        self.delay = delay

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def log_message(self, *arguments):
                pass

            def do_HEAD(self):
                self.answer(False)

            def do_GET(self):
                self.answer(True)

            def answer(self, has_body):
                path = os.path.join(folder, os.path.basename(self.path))
                outer.requests.append((self.path, self.headers.get('Range'), self.headers.get('User-Agent')))
                outer.stops.wait(outer.delay)
                try:
                    size = os.path.getsize(path)
                except OSError:
                    self.send_error(404)
                    return
                found = re.fullmatch(r'bytes=(\d+)-(\d*)', self.headers.get('Range', ''))
                first = int(found[1]) if found else 0
                last = min(int(found[2]) if found and found[2] else size - 1, size - 1)
                self.send_response(206 if found else 200)
                self.send_header('Accept-Ranges', 'bytes')
                self.send_header('Content-Length', str(last - first + 1))
                if found:
                    self.send_header('Content-Range', f'bytes {first}-{last}/{size}')
                self.end_headers()
                if not has_body:
                    return
                try:
                    with open(path, 'rb') as file:
                        file.seek(first)
                        left = last - first + 1
                        while left > 0 and (data := file.read(min(left, 65536))):
                            self.wfile.write(data)
                            left -= len(data)
                except OSError:
                    self.close_connection = True

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f'http://127.0.0.1:{self.server.server_address[1]}'

    def close(self):
        self.stops.set()
        self.server.shutdown()
        self.server.server_close()
