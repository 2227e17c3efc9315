#!/usr/bin/env bash
# Checks the command on a system without FFmpeg: Scripts/without-ffmpeg.sh COMMAND. For Scripts/matrix.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

command=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect CODE DESCRIPTION COMMAND...
expect() {
    local expected=$1 title=$2 code=0
    shift 2
    "$@" >"$folder/out" 2>"$folder/err" || code=$?
    [ "$code" -eq "$expected" ] && return 0
    echo "without FFmpeg: $title: exit code $code, expected $expected:"
    cat "$folder/err"
    exit 1
}
expect 0 'Matroska, native' "$command" extract --format native -o "$folder/native" Fixtures/containers/movie.mkv
expect 0 'Matroska, converted' "$command" extract -o "$folder/mkv" Fixtures/containers/movie.mkv
expect 0 'Matroska, described' "$command" probe --subtitles Fixtures/containers/movie.mkv
expect 0 'Matroska, described in full' "$command" probe --json Fixtures/containers/movie.mkv
expect 0 'MP4' "$command" extract -o "$folder/mp4" Fixtures/containers/movie.mp4
expect 0 'MP4, described in full' "$command" probe --json Fixtures/containers/movie.mp4
expect 0 'WebVTT' "$command" convert Fixtures/subtitles/en.srt "$folder/en.vtt"
expect 0 'PGS' "$command" convert Fixtures/subtitles/bitmaps.sup "$folder/bitmaps.idx"
grep -q -e '-->' "$folder/en.vtt"

expect 1 'the description of a transport stream' "$command" probe Fixtures/containers/movie.ts
if [ "$(wc -l <"$folder/err")" -ne 1 ] || ! grep -q 'apt-get install libav' "$folder/err"; then
    echo 'without FFmpeg: not one line that names the package:'
    cat "$folder/err"
    exit 1
fi
cat "$folder/err"
