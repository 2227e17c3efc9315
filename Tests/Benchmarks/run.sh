#!/usr/bin/env bash
# Compares undertext with the tools that people use instead, with the least that the machine needs, and with the committed
# results: Tests/Benchmarks/run.sh [--strict]
#
# --strict: exit code 1 if anything is worse than the committed results.
# Prints Markdown; the same as bench-out/results.json, and bench-out/time-against-size.svg. README.md
# beside this file says what is measured and how.
#
# CASES     which: startup player probe indexed cold nocues http delay mp4 ts captions m2ts sup srt documents (all of them)
# SIZES     gigabytes of the indexed files: any of 1 4 16 (1 4; with BENCH_16=1 also 16)
# RUNS      how often each tool runs after one round to warm up (5)
# UNDERTEXT the binary (.build/release/undertext)
# BASELINE  another build, run in turn with it; the last table compares both
# EVICT     how files leave the page cache: drop (all caches) or file (that file), for cold cases
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

Scripts/packages.sh libass-dev fonts-dejavu-core ffmpeg mkvtoolnix mediainfo nginx iproute2 python3 python3-venv util-linux gcc libc6-dev libdeflate-dev >&2
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/Benchmarks/run.py "$@"
