#!/usr/bin/env bash
# 200 clients ask 'undertext serve' for playlists and segments: Tests/Benchmarks/serve.sh [SECONDS]
#
# Prints requests in a second, errors, and the server's memory before, midway and at the end. It fails
# where a request fails or memory grows by more than a tenth between midway and the end.
# UNDERTEXT is the binary (.build/release/undertext).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-20}
undertext=${UNDERTEXT:-.build/release/undertext}

Scripts/packages.sh ffmpeg python3 wrk >&2
work=$(mktemp -d)
processes=()
finish() {
    for process in "${processes[@]}"; do kill "$process" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT

# An hour of a stream, whose first segment says when it begins, and a cue for each second.
ffmpeg -v error -f lavfi -i testsrc=size=160x90:rate=25 -t 4 -c:v mpeg2video -g 25 "$work/0.ts"
{
    printf '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PLAYLIST-TYPE:VOD\n'
    for number in $(seq 0 899); do printf '#EXTINF:4,\n%d.ts\n' "$number"; done
    printf '#EXT-X-ENDLIST\n'
} >"$work/media.m3u8"
printf '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000\nmedia.m3u8\n' >"$work/master.m3u8"
python3 - "$work/film.srt" <<'PYTHON'
import sys

def clock(second, rest):
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02},{rest}"

with open(sys.argv[1], "w") as file:
    for second in range(3600):
        file.write(f"{second + 1}\n{clock(second, 100)} --> {clock(second, 900)}\nsecond {second}\n\n")
PYTHON
python3 Tests/TestSupport/browser-server.py "$work" >"$work/port" &
processes+=($!)
until [ -s "$work/port" ]; do sleep 0.1; done

"$undertext" serve --port 0 --upstream "http://127.0.0.1:$(cat "$work/port")/master.m3u8" \
    --subtitle "en=$work/film.srt" >"$work/address" &
server=$!
processes+=("$server")
until [ -s "$work/address" ]; do sleep 0.1; done
address=$(cat "$work/address")

cat >"$work/paths.lua" <<LUA
local number = 0
request = function()
    number = number + 1
    if number % 10 == 0 then return wrk.format("GET", "/master.m3u8") end
    if number % 10 == 5 then return wrk.format("GET", "/subtitles-0.m3u8") end
    return wrk.format("GET", "/subtitles-0/" .. (number * 7 % 900) .. ".vtt")
end
LUA

memory() { awk '/VmRSS/ { print $2 }' "/proc/$server/status"; }
load() { wrk --threads 2 --connections 200 --duration "${seconds}s" --script "$work/paths.lua" "${address%/*}"; }

before=$(memory)
load >"$work/first"
midway=$(memory)
load >"$work/second"
end=$(memory)

grep -h 'Requests/sec' "$work/first" "$work/second"
echo "memory in KiB: $before at first, $midway midway, $end at the end"
if grep -h -E 'Socket errors|Non-2xx' "$work/first" "$work/second"; then exit 1; fi
if [ $((end * 10)) -gt $((midway * 11)) ]; then
    echo "memory grows" >&2
    exit 1
fi
