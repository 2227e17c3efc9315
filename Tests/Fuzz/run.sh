#!/bin/sh
# Fuzzes every target for a while, one after another.
# Usage: Tests/Fuzz/run.sh [SECONDS [TARGET…]], 60 seconds by default. What is found lies in
# Tests/Fuzz/.build/findings; exit code 1 if there is anything.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-60}
[ $# -eq 0 ] || shift
bin=$("$here/build.sh")
# Without this the Swift backtracer hangs on the crash it should explain.
export SWIFT_BACKTRACE=enable=no
[ $# -gt 0 ] || set -- $(ls "$bin")
findings="$here/.build/findings"
mkdir -p "$findings"
failed=0
for target in "$@"; do
    grown="$here/.build/grown/$target"
    seeds="$here/Corpus/$target"
    mkdir -p "$grown" "$seeds"
    echo "== $target"
    "$bin/$target" "$grown" "$seeds" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -max_len=65536 -artifact_prefix="$findings/$target-" -print_final_stats=1 \
        >"$here/.build/$target.log" 2>&1 || failed=1
    grep -E '^(stat::number_of_executed_units|SUMMARY|.*cov: .*DONE)|Fatal|ERROR' \
        "$here/.build/$target.log" || true
done
exit $failed
