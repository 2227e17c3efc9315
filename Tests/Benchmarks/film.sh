#!/usr/bin/env bash
# Makes bench-out/film.mkv once: about 4 GB in 600 s, MPEG-2 video, AC-3, six SubRip and two PGS tracks,
# muxed by mkvmerge with its defaults. Tests/Benchmarks/film.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

film=bench-out/film.mkv
[ -s "$film" ] && exit 0
mkdir -p bench-out
work=$(mktemp -d bench-out/work.XXXXXX)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
echo "Making $film (4 GB, once) ..." >&2

seconds=600
# 150 captions in ten minutes are 1800 in two hours: what a talkative film has.
pids=()
for number in 1 2; do
    python3 Fixtures/tools/pgs.py long "$work/$number.sup" --sets 300 --seed "$number" --seconds $seconds &
    pids+=($!)
done
for number in 1 2 3 4 5 6; do
    python3 Tests/Benchmarks/words.py "$work/$number.srt" $((180 + number * 120)) "$number" $seconds
done
# Ten seconds of noise, which nothing compresses well, sixty times over.
ffmpeg -nostdin -hide_banner -loglevel error -y \
    -f lavfi -i 'color=c=gray:s=640x368:r=24:d=10,noise=alls=100:allf=t' -f lavfi -i sine=f=220:r=48000:d=10 \
    -c:v mpeg2video -b:v 56M -minrate 56M -maxrate 56M -bufsize 20M -g 24 -pix_fmt yuv420p -c:a ac3 -b:a 640k \
    "$work/part.mkv"
for pid in "${pids[@]}"; do wait "$pid"; done

parts=("$work/part.mkv")
for _ in {2..60}; do parts+=(+"$work/part.mkv"); done
languages=(en de fr es pt-BR ja)
tracks=()
for number in 1 2 3 4 5 6; do
    tracks+=(--language "0:${languages[number - 1]}" "$work/$number.srt")
done
mkvmerge --quiet --output "$work/film.mkv" "${parts[@]}" "${tracks[@]}" \
    --language 0:en "$work/1.sup" --language 0:de "$work/2.sup"
mv "$work/film.mkv" "$film"
