#!/usr/bin/env bash
# Runs the portable build and the wheel in clean roots, in which nothing else is installed: Packaging/portable/smoke.sh [SUITE...]
# UNDERTEXT_SMOKE=tarball or wheel runs one of them.
# Needs root, and what `make portable` and `make wheel` left in dist. The suites are bookworm and trixie by default.
# shellcheck source=Scripts/suites.sh
. "$(dirname "$0")/../../Scripts/suites.sh"

Scripts/packages.sh mmdebstrap
name=undertext-$version-linux-x86_64
work=$PWD/.build-portable
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)

# Runs a script in a root: inside ROOT SCRIPT, with the fixtures at /fixtures.
inside() {
    # shellcheck disable=SC2016
    unshare --mount --propagation private bash -c '
        mkdir -p "$1/fixtures" "$1/proc" && mount --bind Fixtures "$1/fixtures" && mount -t proc proc "$1/proc"
        exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 PIP_CERT=/tmp/trusted.crt bash -euo pipefail -c "$2"' _ "$1" "$2"
}

tarball() {
    local root=$1
    tar --extract --file "dist/$name.tar.xz" --directory "$root/opt"
    inside "$root" "
        cd /opt && PATH=/opt/$name/bin:\$PATH
        undertext --version
        test -s $name/share/man/man1/undertext.1
        test -s $name/share/bash-completion/completions/undertext
        undertext extract --tracks all -o /tmp/out /fixtures/containers/movie.mkv
        test -s /tmp/out/movie.en.vtt
        undertext probe --json /fixtures/containers/movie.mp4 | grep -q '\"format_name\": *\"mov,mp4'
        undertext extract -o /tmp/mp4 /fixtures/containers/movie.mp4
        undertext convert /fixtures/subtitles/signs.ass /tmp/signs.vtt
        undertext convert /fixtures/subtitles/bitmaps.sup /tmp/film.idx
        # The video is drawn. What is not inside, such as fonts, is named with its package.
        code=0
        undertext render --at 5 --over-video /fixtures/containers/movie.mkv -o /tmp/shot.png 2>/tmp/message || code=\$?
        test -s /tmp/shot.png
        test \$code -eq 3
        grep -q fonts-dejavu-core /tmp/message
        code=0
        undertext probe http://127.0.0.1:9/film.mkv 2>/tmp/message || code=\$?
        test \$code -ne 0
        grep libcurl /tmp/message
        ! ldconfig -p | grep -E 'libav(codec|format)|libass|libuchardet'
    "
}

wheel() {
    local root=$1
    cp dist/undertext-"$version"-py3-none-manylinux_2_36_x86_64.whl "$root/tmp/"
    mkdir -p "$root/tmp/tests/Python" "$root/tmp/tests/Tests/CPrograms" "$root/tmp/tests/Sources/Undertext" "$root/tmp/tests/Sources/Libraries/CUndertext"
    cp -r Python/tests Python/cdef.py Python/README.md "$root/tmp/tests/Python/"
    # The programs in the wheel's tests find the fixtures and the header where a checkout has them.
    cp Tests/CPrograms/layout.c "$root/tmp/tests/Tests/CPrograms/"
    cp Sources/Undertext/Version.swift "$root/tmp/tests/Sources/Undertext/"
    cp Sources/Libraries/CUndertext/undertext.h "$root/tmp/tests/Sources/Libraries/CUndertext/"
    inside "$root" '
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq && apt-get install -qq --yes --no-install-recommends python3-venv fonts-dejavu-core >/tmp/apt.log 2>&1
        python3 -m venv /tmp/venv
        /tmp/venv/bin/pip install --quiet --disable-pip-version-check /tmp/undertext-*.whl
        cd / && /tmp/venv/bin/python -c "
import undertext
with undertext.open(\"/fixtures/containers/movie.mkv\") as media:
    print(undertext.__version__, [cue.text for cue in media.track(language=\"en\")][0])
print(undertext.probe(\"/fixtures/containers/movie.mp4\")[\"format\"][\"format_name\"])
"
        /tmp/venv/bin/pip install --quiet --disable-pip-version-check pytest numpy av
        ln -s /fixtures /tmp/tests/Fixtures
        mkdir -p /tmp/tests/Python/undertext && cp /tmp/venv/lib/python3*/site-packages/undertext/_cdef.py /tmp/tests/Python/undertext/
        cd /tmp/tests/Python/tests && UNDERTEXT_TEST_INSTALLED=1 /tmp/venv/bin/python -m pytest -q -p no:cacheprovider .
    '
}

for suite in "${suites[@]}"; do
    root=$(mktemp -d "$work/smoke.XXXXXX")
    trap 'rm -rf --one-file-system "$root"' EXIT
    step "root of $suite" mmdebstrap --quiet --variant=apt --mode=root "$suite" "$root" "$(mirror)"
    # The network of this machine, and what it trusts.
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    cp /etc/ssl/certs/ca-certificates.crt "$root/tmp/trusted.crt"
    for part in ${UNDERTEXT_SMOKE:-tarball wheel}; do
        step "$part on $suite" "$part" "$root"
    done
    rm -rf --one-file-system "$root"
done
