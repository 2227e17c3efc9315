#!/usr/bin/env python3
"""Tests the plugin in a real mpv on a virtual screen: what the screen shows at known times.

Tests/mpv/test.py PLUGIN COMMAND [TEST…]; Scripts/mpv-test.sh builds and runs it. KEEP=FOLDER keeps the screens.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
from player import Image, Player, Screen  # noqa: E402
from server import Server  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIXTURES = os.path.join(ROOT, 'Fixtures')
MOVIE = os.path.join(FIXTURES, 'containers', 'movie.mkv')
KEEP = os.environ.get('KEEP')


def is_white(red, green, blue):
    return min(red, green, blue) > 200


def is_yellow(red, green, blue):
    return red > 200 and green > 200 and blue < 140


def rendered(source, at, track, size, second=None):
    """The reference: the straight RGBA pixels of `undertext render`."""
    path = os.path.join(tempfile.mkdtemp(), 'reference.png')
    extra = ['--second', str(second)] if second is not None else []
    subprocess.run(
        [COMMAND, 'render', '--quiet', '--at', str(at), '--track', str(track), '--size', f'{size[0]}x{size[1]}', *extra,
         source, '-o', path], check=True)
    pixels = subprocess.run(
        ['ffmpeg', '-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-'],
        check=True, capture_output=True).stdout
    shutil.rmtree(os.path.dirname(path))
    return pixels


def over(pixels, background):
    """Composes straight RGBA pixels over an image."""
    result = bytearray(background.pixels)
    for index in range(background.width * background.height):
        alpha = pixels[index * 4 + 3]
        if alpha:
            for c in range(3):
                below = result[index * 3 + c]
                result[index * 3 + c] = (pixels[index * 4 + c] * alpha + below * (255 - alpha) + 127) // 255
    return Image(background.width, background.height, bytes(result))


class PluginTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.screen = Screen()
        cls.size = (cls.screen.width, cls.screen.height)

    @classmethod
    def tearDownClass(cls):
        cls.screen.close()

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.players = []
        self.shots = 0

    def tearDown(self):
        for player in self.players:
            if player.process.poll() is None:
                player.process.kill()
                player.process.wait()
            player.remove()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *arguments, **options):
        player = Player(self.screen, PLUGIN, *arguments, **options)
        self.players.append(player)
        self.assertTrue(player.wait(lambda: player.get('time-pos') is not None), player.log())
        return player

    def opened(self, *arguments, **options):
        """A player whose subtitles the plugin draws."""
        player = self.start(*arguments, **options)
        self.assertTrue(player.wait(lambda: player.get('sub-visibility') is False), player.log())
        return player

    def shot(self):
        self.shots += 1
        return self.screen.shot(os.path.join(KEEP, f'{self.id()}-{self.shots}.png') if KEEP else None)

    def expect(self, test, message='', seconds=8):
        """Waits until the screen passes a test, and returns what it shows."""
        end = time.monotonic() + seconds
        while True:
            image = self.shot()
            if test(image):
                return image
            if time.monotonic() > end:
                self.fail(f'{message}\n{self.players[-1].log()[-1500:]}')
            time.sleep(0.15)

    def plain(self, player, at):
        """The screen without subtitles at a time."""
        player.message('toggle')
        player.seek(at)
        time.sleep(0.9)  # mpv's own message disappears
        image = self.shot()
        player.message('toggle')
        time.sleep(0.9)
        return image

    def expect_reference(self, background, source, at, track, second=None):
        expected = over(rendered(source, at, track, self.size, second), background)
        return self.expect(lambda image: image.difference(expected) < 0.0015, f'track {track} at {at} s is not as rendered')

    def test_tracks_look_as_rendered(self):
        player = self.opened(MOVIE)
        background = self.plain(player, 2)
        text = self.expect_reference(background, MOVIE, 2, 2)
        self.assertGreater(text.count(is_white), 300)
        # Every track that mpv can select, also images, by mpv's own property.
        for sid, stream in [(2, 3), (5, 6), (6, 7), (7, 8)]:
            player.set('sid', sid)
            self.expect_reference(background, MOVIE, 2, stream)
        self.assertIs(player.get('sub-visibility'), False)
        # A second language on the other side, by mpv's own property.
        player.set('sid', 1)
        player.set('secondary-sid', 2)
        both = self.expect_reference(background, MOVIE, 2, 2, second=3)
        left, top, right, bottom = both.bounds(background)
        self.assertTrue(top < 60 and bottom > 290, (top, bottom))
        # Nothing remains after the end of a cue.
        background = self.plain(player, 16.7)
        player.seek(16.7)
        self.expect(lambda image: image.bounds(background) is None, 'a cue remains after its end')
        self.assertEqual(player.close(), 0)

    def test_keys_of_mpv(self):
        player = self.opened(MOVIE)
        background = self.plain(player, 2)
        shown = self.expect(lambda image: image.bounds(background) is not None)
        # A delay, by mpv's key: the cue of 1 s begins at 2.5 s.
        player.set('sub-delay', 1.5)
        self.expect(lambda image: image.bounds(background) is None, 'the delay is ignored')
        player.set('sub-delay', 0)
        self.expect(lambda image: image.difference(shown) < 0.001)
        # v hides and shows, mpv's own subtitles stay hidden.
        player.key('v')
        time.sleep(0.6)
        self.assertIs(player.get('sub-visibility'), False)
        self.expect(lambda image: image.bounds(background) is None, 'v does not hide')
        player.key('v')
        self.expect(lambda image: image.difference(shown) < 0.001, 'v does not show')
        # Size and position.
        low = shown.bounds(background)
        player.set('sub-scale', 1.6)
        self.expect(lambda image: image.bounds(background) and
                    image.bounds(background)[2] - image.bounds(background)[0] > 1.2 * (low[2] - low[0]), 'sub-scale')
        player.set('sub-scale', 1)
        player.set('sub-pos', 50)
        self.expect(lambda image: image.bounds(background) and image.bounds(background)[1] < low[1] - 60, 'sub-pos')
        player.set('sub-pos', 100)
        # j selects the next track, then none.
        player.key('j')
        self.assertEqual(player.get('sid'), 2)
        self.assertTrue(player.wait(lambda: player.get('sub-visibility') is False))
        player.set('sid', 'no')
        self.expect(lambda image: image.bounds(background) is None, 'no subtitles are selected')
        self.assertEqual(player.close(), 0)

    def test_menu(self):
        player = self.opened(MOVIE)
        background = self.plain(player, 2)
        player.key('Alt+s')
        menu = self.expect(lambda image: image.count(is_white, (12, 30, 320, 60)) > 2000, 'the menu does not open')
        # The keys of the menu are its own: LEFT does not seek.
        player.key('DOWN', 'DOWN', 'RIGHT', 'RIGHT', 'LEFT')
        self.assertTrue(player.wait(lambda: abs(player.get('sub-delay') - 0.1) < 0.001), player.get('sub-delay'))
        self.assertAlmostEqual(player.get('time-pos'), 2, delta=0.3)
        player.key('LEFT', 'UP', 'ENTER', 'DOWN', 'DOWN', 'ENTER')
        self.assertTrue(player.wait(lambda: player.get('secondary-sid') == 2))
        # The color: third choice is yellow.
        player.key('DOWN', 'DOWN', 'DOWN', 'DOWN', 'DOWN', 'RIGHT', 'RIGHT')
        self.expect(lambda image: image.count(is_yellow, (0, 280, 639, 359)) > 300, 'the color does not change')
        player.key('ESC')
        closed = self.expect(lambda image: image.count(is_white, (12, 30, 150, 60)) < 50, 'the menu does not close')
        self.assertGreater(closed.count(is_yellow, (0, 0, 639, 80)), 300)
        self.assertIsNotNone(menu.bounds(background))
        player.key('RIGHT')
        self.assertTrue(player.wait(lambda: player.get('time-pos') > 3), 'RIGHT does not seek after the menu')
        self.assertEqual(player.close(), 0)

    def test_subtitles_that_mpv_does_not_know(self):
        shutil.copy(MOVIE, os.path.join(self.folder, 'film.mkv'))
        os.mkdir(os.path.join(self.folder, 'Subs'))
        for folder, name, text in [('Subs', 'film.sv.srt', 'SUBS'), ('.', 'film.fr.srt', 'SIDE')]:
            with open(os.path.join(self.folder, folder, name), 'w') as file:
                file.write(f'1\n00:00:01,000 --> 00:00:03,000\n{text}\n')
        with open(os.path.join(self.folder, 'other.srt'), 'w') as file:
            file.write('1\n00:00:01,000 --> 00:00:03,000\nOTHER\n')
        film = os.path.join(self.folder, 'film.mkv')
        player = self.opened(film)
        background = self.plain(player, 2)
        player.message('subtitles', 'sv')
        name = os.path.join(self.folder, 'Subs', 'film.sv.srt')
        self.expect_reference_file(background, name, 2)
        self.assertIs(player.get('sid'), False)
        # Chosen by the plugin, known to mpv.
        player.message('subtitles', 'fr')
        self.assertTrue(player.wait(lambda: player.get('sid') not in (False, None)))
        self.expect_reference_file(background, os.path.join(self.folder, 'film.fr.srt'), 2)
        # A file that the user adds to mpv.
        player.command('sub-add', os.path.join(self.folder, 'other.srt'), 'select')
        self.expect_reference_file(background, os.path.join(self.folder, 'other.srt'), 2)
        self.assertTrue(player.wait(lambda: player.get('sub-visibility') is False))
        self.assertEqual(player.close(), 0)

    def expect_reference_file(self, background, path, at):
        self.expect_reference(background, path, at, 0)

    def test_settings(self):
        config = os.path.join(self.folder, 'mpv')
        os.makedirs(os.path.join(config, 'script-opts'))
        with open(os.path.join(config, 'script-opts', 'undertext.conf'), 'w') as file:
            file.write('# Settings\nsecond=pt-BR\nmenu-key=Ctrl+m\nnonsense=1\nstyle-foreground=#00ff00\nsidecars=maybe\n')
        player = self.opened(
            MOVIE, '--script-opts=undertext-style-foreground=#ffff00,other-option=1', config=config)
        background = self.plain(player, 2)
        both = self.expect(lambda image: image.count(is_yellow) > 400, 'script-opts do not override the file')
        left, top, right, bottom = both.bounds(background)
        self.assertTrue(top < 60 and bottom > 290, (top, bottom))
        self.assertIn('there is no option nonsense', player.log())
        self.assertIn('option sidecars must be yes or no', player.log())
        player.key('Ctrl+m')
        self.expect(lambda image: image.count(is_white, (12, 30, 320, 60)) > 2000, 'the key of the menu')
        self.assertEqual(player.close(), 0)

    def test_disabled(self):
        player = self.start(MOVIE, '--script-opts=undertext-enabled=no')
        time.sleep(1)
        self.assertIs(player.get('sub-visibility'), True)
        player.message('enable', 'yes')
        self.assertTrue(player.wait(lambda: player.get('sub-visibility') is False))
        player.message('enable', 'no')
        self.assertTrue(player.wait(lambda: player.get('sub-visibility') is True))
        self.assertEqual(player.close(), 0)

    def test_the_next_file(self):
        player = self.opened(MOVIE)
        background = self.plain(player, 2)
        player.command('loadfile', os.path.join(FIXTURES, 'containers', 'movie.mp4'))
        self.assertTrue(player.wait(lambda: (player.get('path') or '').endswith('movie.mp4')))
        self.assertTrue(player.wait(lambda: player.get('sub-visibility') is False), player.log())
        player.command('stop')
        self.assertTrue(player.wait(lambda: player.get('sub-visibility') is True), 'visibility is not restored')
        self.assertTrue(player.wait(lambda: player.get('idle-active')))
        self.assertIsNotNone(background)
        player.message('menu')
        player.message('subtitles', 'next')
        player.message('delay')
        player.message()
        self.assertEqual(player.close(), 0)

    def test_times_that_do_not_begin_at_zero(self):
        moved = os.path.join(self.folder, 'moved.mkv')
        subprocess.run(
            ['ffmpeg', '-v', 'error', '-i', MOVIE, '-map', '0:v:0', '-map', '0:s:0', '-c', 'copy', '-output_ts_offset', '10',
             moved], check=True)
        player = self.opened(moved, '--sid=1')
        background = self.plain(player, 2)
        self.expect(lambda image: image.bounds(background) is not None, 'no cue at 2 s')
        background = self.plain(player, 16.7)
        self.expect(lambda image: image.bounds(background) is None, 'a cue at 16.7 s')
        self.assertEqual(player.close(), 0)

    def test_transport_streams(self):
        path = os.path.join(FIXTURES, 'containers', 'movie.ts')
        player = self.opened(path, '--sid=1')
        # mpv cannot seek exactly in this file; the first cue begins at 1.128 s.
        while player.get('time-pos') < 1.3:
            before = player.get('time-pos')
            player.command('frame-step')
            self.assertTrue(player.wait(lambda: player.get('time-pos') != before))
        at = player.get('time-pos')
        player.message('toggle')
        time.sleep(1)
        background = self.shot()
        player.message('toggle')
        time.sleep(1)
        self.expect_reference(background, path, at, 2)
        self.assertEqual(player.close(), 0)

    def test_damaged_files(self):
        names = ['truncated.mkv', 'not-media.mkv', 'playlist.mkv', 'invalid-utf8.mkv', 'unknown-sizes.mkv', 'encodings.mkv',
                 'cues-wrong.mkv', 'empty-track.mkv', 'movie-nocues.mkv']
        player = self.opened(MOVIE)
        for name in names:
            player.command('loadfile', os.path.join(FIXTURES, 'containers', name))
            player.wait(lambda: player.get('time-pos') is not None, 2)
            player.command('seek', 2, 'absolute+exact')
            time.sleep(0.3)
        # A title that would be markup.
        text = os.path.join(self.folder, '{\\an5}x\\N${path}.srt')
        with open(text, 'w') as file:
            file.write('1\n00:00:01,000 --> 00:00:03,000\nA\n')
        player.command('stop')
        self.assertTrue(player.wait(lambda: player.get('idle-active')))
        self.assertTrue(player.wait(lambda: player.get('sub-visibility') is True))
        player.command('loadfile', MOVIE)
        self.assertTrue(player.wait(lambda: player.get('sub-visibility') is False), player.log())
        player.command('sub-add', text, 'select')
        player.key('Alt+s', 'ENTER')
        self.expect(lambda image: image.count(is_white, (12, 30, 320, 360)) > 2000)
        self.assertEqual(player.close(), 0)

    def test_pipes_are_left_to_mpv(self):
        pipe = os.path.join(self.folder, 'pipe.mkv')
        os.mkfifo(pipe)
        writer = subprocess.Popen(['sh', '-c', f'cat "{MOVIE}" >"{pipe}"'])
        try:
            player = self.start(pipe)
            self.assertTrue(player.wait(lambda: 'not a regular file' in player.log()))
            self.assertTrue(player.wait(lambda: player.get('sub-visibility') is True))
            self.assertEqual(player.close(), 0)
        finally:
            writer.kill()
            writer.wait()

    def test_http(self):
        # 20 minutes with a cue every 10 s, most of it video, as over a network.
        cues = ''.join(
            f'{n + 1}\n{time_text(n * 10 + 1)} --> {time_text(n * 10 + 6)}\nCUE {n}\n\n' for n in range(120))
        with open(os.path.join(self.folder, 'long.srt'), 'w') as file:
            file.write(cues)
        path = os.path.join(self.folder, 'long.mkv')
        subprocess.run(
            ['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i', 'nullsrc=s=64x36:r=5:d=1200,geq=random(1)*255:128:128', '-i',
             os.path.join(self.folder, 'long.srt'), '-c:v', 'mpeg4', '-q:v', '1', '-g', '25', '-c:s', 'srt', path],
            check=True)
        server = Server(self.folder, delay=0.05)
        try:
            player = self.opened(f'{server.address}/long.mkv', '--cache-secs=1')
            for at in [602, 63, 1195.5]:
                player.seek(at)
                begun = time.monotonic()
                self.expect(lambda image: image.count(is_white, (0, 280, 639, 359)) > 100
                            if int(at) % 10 < 6 else True, f'no cue after the seek to {at}', seconds=5)
                print(f'  cue {time.monotonic() - begun:.2f} s after a seek to {at} s', file=sys.stderr)
            self.assertEqual(player.close(), 0)
            # mpv ends at once, although a server does not respond.
            server.delay = 0
            player = self.start(f'{server.address}/long.mkv')
            server.delay = 60
            player.command('loadfile', f'{server.address}/long.mkv')
            player.message('subtitles', 'next')
            begun = time.monotonic()
            self.assertEqual(player.close(), 0)
            self.assertLess(time.monotonic() - begun, 10)
        finally:
            server.close()

    def test_search(self):
        film = os.path.join(self.folder, 'A.Film.2019.1080p.mkv')
        shutil.copy(MOVIE, film)
        services = subprocess.Popen(
            [sys.executable, os.path.join(ROOT, 'Tests', 'TestSupport', 'provider-server.py')], stdout=subprocess.PIPE,
            stdin=subprocess.PIPE, text=True)
        try:
            port = services.stdout.readline().split()[0]
            options = ','.join(f'undertext-{option}' for option in [
                f'command={COMMAND}', 'search-languages=en', 'opensubtitles-api-key=KEY-1234567890'])
            player = self.opened(film, f'--script-opts={options}', environment={
                'OPENSUBTITLES_SERVER': f'http://127.0.0.1:{port}/mpv/ok/api/v1'})
            background = self.plain(player, 1.2)
            player.key('Alt+s', *['DOWN'] * 9, 'ENTER')
            self.expect(lambda image: image.count(is_white, (12, 36, 600, 100)) > 2000, 'no results')
            player.key('ENTER')
            self.assertTrue(player.wait(lambda: 'downloaded' in player.log()), player.log())
            path = os.path.join(self.folder, 'A.Film.2019.1080p.en.srt')
            self.assertTrue(os.path.exists(path), os.listdir(self.folder))
            self.expect_reference(background, path, 1.2, 0)
            self.assertNotIn('KEY-1234567890', player.log())
            # A title.
            player.message('menu')
            player.key(*['DOWN'], 'ENTER')
            for letter in 'A Film':
                player.key('SPACE' if letter == ' ' else letter)
            player.key('ENTER')
            self.expect(lambda image: image.count(is_white, (12, 36, 600, 100)) > 2000, 'no results by title')
            self.assertEqual(player.close(), 0)
        finally:
            services.kill()
            services.communicate()

    def test_search_without_the_command(self):
        player = self.opened(MOVIE, '--script-opts=undertext-command=/nonexistent/undertext')
        player.message('search')
        self.assertTrue(player.wait(lambda: 'cannot be started' in player.log()), player.log())
        self.assertEqual(player.close(), 0)

    def test_what_is_saved(self):
        config = os.path.join(self.folder, 'mpv')
        os.mkdir(config)
        player = self.opened(MOVIE, config=config)
        player.seek(2)
        player.command('quit-watch-later')
        self.assertEqual(player.process.wait(timeout=20), 0)
        saved = ''
        for folder, _, names in os.walk(self.folder):
            for name in names:
                if 'watch_later' in folder:
                    with open(os.path.join(folder, name)) as file:
                        saved += file.read()
        self.assertIn('start=', saved)
        self.assertNotIn('sub-visibility', saved)


def time_text(seconds):
    return f'{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},000'


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    PLUGIN, COMMAND = (os.path.abspath(path) for path in sys.argv[1:3])
    if KEEP:
        os.makedirs(KEEP, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
