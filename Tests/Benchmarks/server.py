"""A local nginx that serves bench-out, and a line to it that is as long as one likes.

Everything it writes lies in bench-out/nginx.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

CONFIGURATION = """
daemon off;
worker_processes 1;
%(user)s
pid %(folder)s/pid;
error_log %(folder)s/error.log;
events { worker_connections 256; }
http {
    sendfile on;
    log_format bytes '$bytes_sent $status $request_method $http_range';
    access_log %(folder)s/access.log bytes;
    client_body_temp_path %(folder)s/body;
    proxy_temp_path %(folder)s/proxy;
    fastcgi_temp_path %(folder)s/fastcgi;
    uwsgi_temp_path %(folder)s/uwsgi;
    scgi_temp_path %(folder)s/scgi;
    server {
        listen 127.0.0.1:%(port)d;
        root %(root)s;
        location = /status { stub_status; access_log off; }
    }
}
"""


def free_port():
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, prefix):
    """Waits until somebody listens on the port."""
    check = [*prefix, sys.executable, "-c", "import socket; socket.create_connection(('127.0.0.1', %d))" % port]
    for _ in range(100):
        if subprocess.run(check, check=False, stderr=subprocess.DEVNULL).returncode == 0:
            return
        time.sleep(0.05)
    sys.exit("nothing listens on port %d" % port)


class Server:
    """What a case needs to know: where files are, how tools start, what was sent."""

    def __init__(self, folder, port, way, prefix, through=None):
        self.log, self.own_port, self.way, self.prefix = folder + "/access.log", port, way, prefix
        self.base = "http://127.0.0.1:%d/" % (through or port)
        self._place = 0

    def mark(self):
        """What is sent from now on counts."""
        self._settle()
        self._place = os.path.getsize(self.log)

    def sent(self):
        """Bytes, headers included, and answers since the mark.

        Bytes are those that nginx gave to the kernel; a client that closes early leaves some unread.
        """
        self._settle()
        with open(self.log, encoding="ascii") as file:
            file.seek(self._place)
            lines = [line.split() for line in file]
        return {"sent": sum(int(line[0]) for line in lines), "answers": len(lines)}

    def _settle(self):
        # A request is logged when its connection is done with.
        for _ in range(200):
            page = subprocess.run(
                [*self.prefix, sys.executable, "-c", "import urllib.request as r; print(r.urlopen("
                 "'http://127.0.0.1:%d/status').read().decode())" % self.own_port],
                check=True, capture_output=True, text=True).stdout if self.prefix else (
                    urllib.request.urlopen("http://127.0.0.1:%d/status" % self.own_port).read().decode())
            if page.split()[2] == "1":
                return
            time.sleep(0.02)


@contextlib.contextmanager
def nginx(root, prefix=()):
    """Runs nginx; its folder and port."""
    folder = os.path.abspath(os.path.join(root, "nginx"))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    port = free_port()
    with open(folder + "/nginx.conf", "w", encoding="ascii") as file:
        file.write(CONFIGURATION % {
            "folder": folder, "root": os.path.abspath(root), "port": port,
            "user": "user root;" if os.getuid() == 0 else ""})
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    command = [*prefix, program, "-e", folder + "/error.log", "-p", folder, "-c", folder + "/nginx.conf"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
        try:
            wait_for(port, prefix)
            yield folder, port
        finally:
            process.terminate()


@contextlib.contextmanager
def near(root):
    """A server with nothing between it and the tools."""
    with nginx(root) as (folder, port):
        yield Server(folder, port, "nginx on the loopback interface", [])


@contextlib.contextmanager
def namespace(delay):
    """A network namespace whose loopback interface delays by netem; None where that cannot be had."""
    name = "undertext-bench-%d" % os.getpid()
    tool = shutil.which("ip") or "/usr/sbin/ip"

    def run(*command):
        return subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0

    made = run(tool, "netns", "add", name)
    try:
        inside = [tool, "netns", "exec", name]
        # A packet passes lo once, and its response once.
        ready = made and run(*inside, tool, "link", "set", "lo", "up") and run(
            *inside, "tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "%gms" % (delay / 2),
            "limit", "100000")
        yield inside if ready else None
    finally:
        if made:
            run(tool, "netns", "delete", name)


@contextlib.contextmanager
def far(root, delay):
    """A server whose answers take `delay` milliseconds there and back: netem, or a delaying proxy."""
    with namespace(delay) as inside:
        if inside:
            with nginx(root, inside) as (folder, port):
                yield Server(folder, port, "nginx behind netem, %g ms there and back" % delay, inside)
            return
    with nginx(root) as (folder, port):
        between = free_port()
        script = os.path.join(os.path.dirname(__file__), "delay.py")
        command = [sys.executable, script, str(between), str(port), str(delay)]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL) as proxy:
            try:
                wait_for(between, [])
                yield Server(folder, port, "nginx behind a proxy that delays by %g ms there and back "
                             "(this kernel has no netem)" % delay, [], between)
            finally:
                proxy.terminate()
