#!/bin/sh
# Replays the seeds of every fuzz target, and everything in Corpus/malformed through all of them.
# Usage: Tests/Fuzz/replay.sh [TARGET…]. Exit code 0: nothing crashed, leaked or hung.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$("$here/build.sh")
# Without this the Swift backtracer hangs on the crash it should explain.
export SWIFT_BACKTRACE=enable=no
[ $# -gt 0 ] || set -- $(ls "$bin")
failed=0
for target in "$@"; do
    files=$(find "$here/Corpus/$target" "$here/Corpus/malformed" -type f 2>/dev/null | sort)
    if [ -z "$files" ]; then
        echo "$target: no seeds"
        continue
    fi
    # libFuzzer runs the files it is given once each and stops.
    if printf '%s\n' "$files" | tr '\n' '\0' |
        xargs -0 "$bin/$target" -timeout=10 -rss_limit_mb=2048 >"$here/.build/$target.log" 2>&1
    then
        echo "$target: $(printf '%s\n' "$files" | wc -l) files"
    else
        tail -n 30 "$here/.build/$target.log"
        echo "$target: FAILED"
        failed=1
    fi
done
exit $failed
