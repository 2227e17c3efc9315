#!/usr/bin/env bash
# Tests the plugin for mpv in a real mpv on a virtual screen: Scripts/mpv-test.sh [OPTION OF UNITTEST…]
# Needs a debug build. UNDERTEXT_MPV_SANITIZER=1 compiles the plugin with AddressSanitizer and UndefinedBehaviorSanitizer.
# Ends with 77 if mpv or Xvfb is not installed.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

for program in mpv Xvfb ffmpeg python3; do
    if ! command -v "$program" >/dev/null; then
        echo "not installed: $program" >&2
        exit 77
    fi
done
Scripts/library.sh debug
if [ "${UNDERTEXT_MPV_SANITIZER:-}" = 1 ]; then
    UNDERTEXT_MPV_FLAGS='-fsanitize=address,undefined -fno-sanitize-recover=undefined' Scripts/mpv.sh debug
    # Programs that mpv starts get it, too, and mpv has leaks of its own.
    MPV_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
    export MPV_PRELOAD ASAN_OPTIONS=detect_leaks=0
else
    Scripts/mpv.sh debug
fi
Tests/mpv/test.py .build/mpv/undertext.so .build/debug/undertext "$@"
