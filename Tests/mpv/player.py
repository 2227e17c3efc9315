"""A real mpv with the plugin in a virtual screen, driven through mpv's IPC socket."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time


class Screen:
    """A virtual X screen."""

    def __init__(self, width=640, height=360):
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            ['Xvfb', '-displayfd', str(writing), '-screen', '0', f'{width}x{height}x24', '-nolisten', 'tcp'],
            pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as stream:
            self.display = ':' + stream.readline().strip()
        self.width, self.height = width, height

    def shot(self, path=None):
        """What the screen shows, also written to a PNG file."""
        grab = ['ffmpeg', '-v', 'error', '-f', 'x11grab', '-draw_mouse', '0', '-video_size', f'{self.width}x{self.height}',
                '-i', self.display, '-frames:v', '1']
        output = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'] + (['-frames:v', '1', '-y', path] if path else [])
        pixels = subprocess.run(grab + output, check=True, capture_output=True).stdout
        return Image(self.width, self.height, pixels)

    def close(self):
        self.process.terminate()
        self.process.wait()


class Image:
    """The pixels of a screen or an image, 8-bit RGB."""

    def __init__(self, width, height, pixels):
        self.width, self.height, self.pixels = width, height, pixels
        assert len(pixels) == width * height * 3, (width, height, len(pixels))

    def bounds(self, other, threshold=24):
        """The rectangle (left, top, right, bottom) of the pixels that differ from another image, or None."""
        assert (self.width, self.height) == (other.width, other.height)
        left, top, right, bottom = self.width, self.height, -1, -1
        row = self.width * 3
        for y in range(self.height):
            mine, theirs = self.pixels[y * row:y * row + row], other.pixels[y * row:y * row + row]
            if mine == theirs:
                continue
            for x in range(self.width):
                if any(abs(mine[x * 3 + c] - theirs[x * 3 + c]) > threshold for c in range(3)):
                    left, right = min(left, x), max(right, x)
                    top, bottom = min(top, y), max(bottom, y)
        return None if right < 0 else (left, top, right, bottom)

    def difference(self, other):
        """The share of pixels that differ visibly."""
        count = sum(
            1 for index in range(0, len(self.pixels), 3)
            if max(abs(self.pixels[index + c] - other.pixels[index + c]) for c in range(3)) > 48)
        return count / (self.width * self.height)

    def count(self, test, area=None):
        """The number of pixels (red, green, blue) that pass a test, within a rectangle."""
        left, top, right, bottom = area or (0, 0, self.width, self.height)
        right, bottom = min(right, self.width - 1), min(bottom, self.height - 1)
        return sum(
            1 for y in range(top, bottom + 1) for x in range(left, right + 1)
            if test(*self.pixels[(y * self.width + x) * 3:(y * self.width + x) * 3 + 3]))


class Player:
    def __init__(self, screen, plugin, *arguments, config=None, environment=None):
        self.folder = tempfile.mkdtemp()
        self.number = 0
        self.log_path = os.path.join(self.folder, 'log')
        server = os.path.join(self.folder, 'ipc')
        variables = dict(os.environ, DISPLAY=screen.display, HOME=self.folder, XDG_CONFIG_HOME=self.folder)
        variables.pop('WAYLAND_DISPLAY', None)
        variables.update(environment or {})
        # The runtime of a sanitizer that the plugin was compiled with.
        if 'MPV_PRELOAD' in os.environ:
            variables['LD_PRELOAD'] = os.environ['MPV_PRELOAD']
        settings = [f'--config-dir={config}'] if config else ['--no-config']
        with open(self.log_path, 'wb') as log:
            self.process = subprocess.Popen(
                ['mpv', *settings, '--vo=x11', '--ao=null', '--no-osc', '--fs', '--pause', '--idle',
                 '--hr-seek=yes', '--keep-open=yes', '--osd-duration=400', f'--input-ipc-server={server}',
                 *([f'--script={plugin}'] if plugin else []), *arguments],
                env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        self.socket = socket.socket(socket.AF_UNIX)
        for _ in range(200):
            try:
                self.socket.connect(server)
                break
            except OSError:
                time.sleep(0.05)
        else:
            raise RuntimeError(f'mpv did not start: {self.log()}')
        self.socket.settimeout(60)
        self.stream = self.socket.makefile('rw')

    def log(self):
        with open(self.log_path, errors='replace') as log:
            return log.read()

    def command(self, *words):
        self.number += 1
        self.stream.write(json.dumps({'command': words, 'request_id': self.number}) + '\n')
        self.stream.flush()
        while True:
            line = self.stream.readline()
            if not line:
                raise RuntimeError(f'mpv ended: {self.log()}')
            answer = json.loads(line)
            if answer.get('request_id') == self.number and 'error' in answer:
                return answer

    def get(self, name):
        return self.command('get_property', name).get('data')

    def set(self, name, value):
        return self.command('set_property', name, value)

    def message(self, *words):
        self.command('script-message', 'undertext', *words)

    def key(self, *names):
        for name in names:
            self.command('keypress', name)
            time.sleep(0.05)

    def wait(self, test, seconds=15):
        """Repeats a test until it returns a true value, which is returned; None after the time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = test()
            if value:
                return value
            time.sleep(0.1)
        return None

    def seek(self, seconds):
        self.command('seek', seconds, 'absolute+exact')
        assert self.wait(lambda: not self.get('seeking') and abs((self.get('time-pos') or -9) - seconds) < 0.3), \
            (seconds, self.get('time-pos'))

    def close(self):
        """Ends mpv and returns its exit code."""
        try:
            self.command('quit')
        except (RuntimeError, OSError):
            pass
        for connection in (self.stream, self.socket):
            try:
                connection.close()
            except OSError:
                pass
        try:
            return self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return 'mpv did not end'

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
