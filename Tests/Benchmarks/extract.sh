#!/usr/bin/env bash
# Compares the extraction of eight subtitle tracks, as stored, out of a 4 GB Matroska file:
# Tests/Benchmarks/extract.sh; UNDERTEXT: the binary, RUNS: how often (5).
# Prints a Markdown table. Warm cache, the tools in turn, median of the times.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

Scripts/packages.sh ffmpeg mkvtoolnix python3 time
Tests/Benchmarks/film.sh
undertext=${UNDERTEXT:-.build/release/undertext}
film=bench-out/film.mkv
out=bench-out/tracks
rm -rf "$out"
mkdir -p "$out"/{undertext,ffmpeg,mkvextract}

by_ffmpeg="ffmpeg -nostdin -y -i $film" by_mkvextract="mkvextract $film tracks"
for number in 0 1 2 3 4 5 6 7; do
    [ "$number" -lt 6 ] && extension=srt || extension=sup
    by_ffmpeg+=" -map 0:s:$number -c copy $out/ffmpeg/$number.$extension"
    by_mkvextract+=" $((number + 2)):$out/mkvextract/$number.$extension"
done
by_undertext="$undertext extract --format native -o $out/undertext --report $out/report.json --force $film"

cat "$film" >/dev/null # into the page cache
echo "$(stat --format %s "$film") bytes, $(nproc) processors; $(ffmpeg -version | head -n 1 | cut -d ' ' -f 1-3), $(mkvextract --version | cut -d ' ' -f 1-2)"
echo
python3 Tests/Benchmarks/measure.py --runs "${RUNS:-5}" --tool undertext "$by_undertext" \
    --tool 'ffmpeg -c copy' "$by_ffmpeg" --tool mkvextract "$by_mkvextract"
echo

# The same work: eight files each, the pictures equal byte for byte, the texts cue for cue.
for tool in undertext ffmpeg mkvextract; do
    found=$(find "$out/$tool" -type f -size +0 | wc -l)
    [ "$found" -eq 8 ] || { echo "$tool wrote $found files, not 8" >&2; exit 1; }
done
python3 Tests/Benchmarks/compare.py "$out/mkvextract" "$out/undertext"
if [ -s "$out/report.json" ]; then
    echo
    echo 'What the report says of the last run:'
    read -r described wanted < <(python3 Tests/Benchmarks/needed.py "$film")
    python3 - "$out/report.json" "$((described + wanted))" <<'PYTHON'
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    entry = json.load(file)["inputs"][0]
io, needed = entry["io"], int(sys.argv[2])
print("path %s (%s), %d bytes read in %d requests, %.1f ms" % (
    io["path"], io["proof"], io["bytesRead"], io["requests"], entry["seconds"] * 1000))
print("header, index and wanted blocks: %d bytes; read %.2f times that" % (
    needed, io["bytesRead"] / needed))
PYTHON
fi
