#!/usr/bin/env bash
# How long a start takes, alone and with the first use of FFmpeg: Tests/Benchmarks/startup.sh
# UNDERTEXT: the binary, RUNS: how often (21).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

Scripts/packages.sh ffmpeg python3 time
undertext=${UNDERTEXT:-.build/release/undertext}
python3 Tests/Benchmarks/measure.py --runs "${RUNS:-21}" --tool 'undertext --version' "$undertext --version" \
    --tool 'undertext probe (FFmpeg loaded)' "$undertext probe Fixtures/containers/movie.mp4" \
    --tool 'ffprobe -version' 'ffprobe -version' \
    --tool 'ffprobe (the same file)' 'ffprobe -show_format -show_streams Fixtures/containers/movie.mp4'
