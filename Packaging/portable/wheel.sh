#!/usr/bin/env bash
# Makes the Python wheel from the portable build: Packaging/portable/wheel.sh
# The result is dist/undertext-VERSION-py3-none-manylinux_2_36_x86_64.whl. It contains libundertext, FFmpeg and the libraries of
# the portable build, which are put there by name: tools such as auditwheel do not see what is loaded at run time.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/../../Scripts/common.sh"

stage=$PWD/.build-portable/stage
work=$PWD/.build-portable/wheel
[ -d "$stage" ] || { echo "run 'make portable' first" >&2; exit 1; }
rm -rf "$work"
mkdir -p "$work/Python"
cp -r Python/pyproject.toml Python/setup.py Python/README.md "$work/Python/"
mkdir -p "$work/Python/undertext/lib" "$work/Python/licenses" "$work/Sources/Undertext"
cp Python/undertext/*.py Python/undertext/py.typed "$work/Python/undertext/"
cp Sources/Undertext/Version.swift "$work/Sources/Undertext/"
# A wheel has no links: each library once, under the name by which it is loaded.
install -m 644 "$(realpath "$stage/lib/libundertext.so.0")" "$work/Python/undertext/lib/libundertext.so.0"
# SQLite is for `undertext batch` alone.
find "$stage/lib/undertext" -name '*-undertext.so.*' ! -name 'libsqlite3-*' -exec install -m 644 -t "$work/Python/undertext/lib/" {} +
cp "$stage"/share/doc/undertext/licenses/* "$stage/share/doc/undertext/CONTENTS.txt" "$work/Python/licenses/"

environment=$PWD/.build-portable/wheel-tools
if [ ! -x "$environment/bin/pip" ]; then python3 -m venv "$environment"; fi
"$environment/bin/python" -c 'import setuptools; assert int(setuptools.__version__.split(".")[0]) >= 77' 2>/dev/null ||
    "$environment/bin/pip" install --quiet --disable-pip-version-check 'setuptools>=77'
mkdir -p dist
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)} UNDERTEXT_WHEEL_PLATFORM=manylinux_2_36_x86_64 \
    "$environment/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$work/made" "$work/Python"
wheel=$(ls "$work"/made/undertext-*-py3-none-manylinux_2_36_x86_64.whl)
Packaging/portable/check.sh "$work/Python/undertext/lib"
cp "$wheel" dist/
echo "dist/$(basename "$wheel"): $(stat --format %s "$wheel") bytes"
