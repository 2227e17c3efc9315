#!/usr/bin/env bash
# Uses the packages in a clean root; for Scripts/package-test.sh, which puts the files into /packages.
set -euo pipefail
cd /packages

log=$(mktemp)
quietly() { "$@" >"$log" 2>&1 || { tail -n 20 "$log" && echo "failed: $*" && exit 1; }; }
fail() { echo "$1" && exit 1; }
find / -xdev -name '*undertext*' -not -path '/packages*' -not -path '/proc/*' | sort >/tmp/before

quietly apt-get update
quietly apt-get install --yes --no-install-recommends ./old/undertext_*.deb ./old/libundertext*.deb ./old/python3-*.deb
[ "$(undertext --version)" != '' ] || fail 'the command does not start'

# Without the recommended packages: what needs no FFmpeg works, and an error names the package.
quietly undertext extract -o /tmp/plain movie.mkv
[ -s /tmp/plain/movie.en.vtt ] || fail 'no subtitles without FFmpeg'
quietly undertext extract -o /tmp/plain4 movie.mp4
[ -s /tmp/plain4/movie.en.vtt ] || fail 'no subtitles of MP4 without FFmpeg'
quietly undertext probe movie.mkv movie.mp4
code=0
undertext probe movie.ts 2>/tmp/error || code=$?
if [ "$code" -ne 1 ] || [ "$(wc -l </tmp/error)" -ne 1 ] || ! grep -q 'apt-get install libav' /tmp/error; then
    fail "probe of a transport stream without FFmpeg: exit code $code: $(cat /tmp/error)"
fi

quietly apt-get install --yes ./undertext_*.deb ./libundertext*.deb ./python3-*.deb
dpkg-query --show --showformat '${Package} ${Version}\n' undertext libundertext0 libundertext-dev python3-undertext
dpkg-query --show --showformat '${Version}' undertext | grep -qv '^0\.0\.1' || fail 'not upgraded'
# An upgrade does not install what was recommended before.
quietly apt-get install --yes --fix-policy
quietly undertext probe movie.mp4
quietly undertext render --first -o /tmp/shot.png movie.mkv
undertext-ffmpeg -version >"$log" 2>&1 && fail 'there is an ffmpeg in this root'
grep -q 'UNDERTEXT_FFMPEG' "$log" || fail 'undertext-ffmpeg does not say what is missing'

quietly apt-get install --yes --no-install-recommends gcc libc6-dev pkg-config
# The flags are words.
# shellcheck disable=SC2046
quietly gcc -Wall -Werror -o /tmp/cues cues.c $(pkg-config --cflags --libs undertext)
quietly /tmp/cues movie.mkv
[ "$(grep -c . "$log")" -gt 5 ] || fail 'the C program prints no cues'
quietly python3 -c '
import undertext
with undertext.open("movie.mkv") as media:
    assert sum(1 for track in media.tracks for _ in track.cues()) > 20, media.tracks
'
# mpv loads the plugin, which draws what the command does.
quietly apt-get install --yes --no-install-recommends ./mpv-undertext_*.deb ffmpeg python3 xvfb
mpv --vo=null --ao=null --end=0.1 --msg-level=all=debug movie.mkv >"$log" 2>&1
grep -q '/etc/mpv/scripts/undertext.so' "$log" || fail 'mpv does not load the plugin'
quietly Tests/mpv/test.py /etc/mpv/scripts/undertext.so /usr/bin/undertext PluginTests.test_tracks_look_as_rendered

for file in man/man1/undertext.1.gz man/man1/undertext-extract.1.gz bash-completion/completions/undertext \
    zsh/vendor-completions/_undertext fish/vendor_completions.d/undertext.fish; do
    # Documentation may be left out by the configuration of dpkg.
    dpkg --listfiles undertext | grep -q "^/usr/share/$file\$" || fail "$file is missing"
done

quietly apt-get purge --yes mpv-undertext undertext libundertext0 libundertext-dev python3-undertext
find / -xdev -name '*undertext*' -not -path '/packages*' -not -path '/proc/*' -not -path '/tmp/*' | sort >/tmp/after
diff /tmp/before /tmp/after || fail 'files are left'
