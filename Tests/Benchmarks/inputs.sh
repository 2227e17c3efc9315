#!/usr/bin/env bash
# Makes the files that the benchmarks read, each once: Tests/Benchmarks/inputs.sh NAME...
#
# film.mkv     4 GB in 600 s: H.264, AC-3, six SubRip and two PGS tracks, by mkvmerge's defaults
# film-1.mkv   the same subtitles with a video a quarter as large; film-16.mkv: four times
# nocues.mkv   4 GB at 30 Mb/s, as many captions, and no subtitle in its index
# film.mp4     2 GB with H.264, AAC and four mov_text tracks
# dvb.ts       2 GB of MPEG-2 video with DVB subtitles; pgs.m2ts: 2 GB of H.264 with two PGS tracks
# captions.ts  2 GB of 1080p H.264 at 8 Mb/s with captions of CEA-608 in the video, and DVB subtitles
# pictures.sup 500 images; cues.srt: 200 000 cues; cues.mkv: the same inside Matroska
# cues.ass: a script of 200 000 events; document.srt and so on: 200 000 cues in nine hours
#
# They lie in bench-out/. A file that is not finished has another name, so that a broken run leaves none
# that looks whole.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

mkdir -p bench-out
work=$(mktemp -d bench-out/work.XXXXXX)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
ff() { ffmpeg -nostdin -hide_banner -loglevel error -y "$@"; }

# 150 captions in ten minutes are 1800 in two hours: a film with much dialog.
# bench-out/subtitles-SECONDS/{1..6}.srt {1,2}.sup
subtitles() {
    local seconds=$1 folder=bench-out/subtitles-$1 number pids=()
    [ ! -d "$folder" ] || return 0
    mkdir "$work/subtitles"
    for number in 1 2; do
        python3 Fixtures/tools/pgs.py long "$work/subtitles/$number.sup" --sets 300 --seed "$number" \
            --seconds "$seconds" &
        pids+=($!)
    done
    for number in 1 2 3 4 5 6; do
        python3 Tests/Benchmarks/words.py "$work/subtitles/$number.srt" $((180 + number * 120)) \
            "$number" "$seconds"
    done
    for number in "${pids[@]}"; do wait "$number"; done
    mv "$work/subtitles" "$folder"
}

# Ten seconds of noise, which nothing compresses well: $work/part.mkv. RATE [SIZE]
part() { h264 "$1" "${2:-640x368}" -c:a ac3 -b:a 640k; }

# The same; the last arguments are options for the sound.
h264() {
    noise "$2" -c:v libx264 -preset ultrafast -bf 2 -b:v "$1" -minrate "$1" -maxrate "$1" -bufsize "$1" \
        -x264-params nal-hrd=cbr:force-cfr=1 "${@:3}"
}

mpeg2() {
    noise 640x368 -c:v mpeg2video -b:v "$1" -minrate "$1" -maxrate "$1" -bufsize 20M "${@:2}"
}

# SIZE OPTION...
noise() {
    ff -f lavfi -i "color=c=gray:s=$1:r=24:d=10,noise=alls=100:allf=t" -f lavfi -i sine=f=220:r=48000:d=10 \
        -g 24 -pix_fmt yuv420p "${@:2}" "$work/part.mkv"
}

# A Matroska file of repeated parts and the eight tracks: OUTPUT SECONDS [OPTION of each subtitle track...]
matroska() {
    local output=$1 seconds=$2 number parts=("$work/part.mkv") tracks=()
    shift 2
    local folder=bench-out/subtitles-$seconds languages=(en de fr es pt-BR ja)
    for ((number = 10; number < seconds; number += 10)); do parts+=(+"$work/part.mkv"); done
    for number in 1 2 3 4 5 6; do
        tracks+=("$@" --language "0:${languages[number - 1]}" "$folder/$number.srt")
    done
    mkvmerge --quiet --output "$output" "${parts[@]}" "${tracks[@]}" \
        "$@" --language 0:en "$folder/1.sup" "$@" --language 0:de "$folder/2.sup"
}

film() {
    subtitles 600
    part "${@:2}"
    matroska "$1" 600
}

nocues() {
    subtitles 1120
    part 29M
    matroska "$1" 1120 --cues 0:none
}

# $work/part.mkv for ten minutes as an input of ffmpeg.
repeated=(-stream_loop 59 -i "$work/part.mkv")

mp4() {
    subtitles 600
    h264 28M 640x368 -c:a aac -b:a 256k
    local from=bench-out/subtitles-600
    ff "${repeated[@]}" -i $from/1.srt -i $from/2.srt -i $from/3.srt -i $from/6.srt \
        -map 0 -map 1 -map 2 -map 3 -map 4 -c copy -c:s mov_text -metadata:s:s:0 language=eng \
        -metadata:s:s:1 language=ger -metadata:s:s:2 language=fre -metadata:s:s:3 language=jpn "$1"
}

dvb() {
    subtitles 600
    mpeg2 28M -c:a ac3 -b:a 640k
    # ffmpeg knows no ends of PGS, and gives all DVB sets that it makes of them one time.
    "${UNDERTEXT:-.build/release/undertext}" convert --quiet --force bench-out/subtitles-600/1.sup "$work/dvb.idx"
    ff "${repeated[@]}" -i "$work/dvb.idx" -map 0 -map 1 -c copy -c:s dvbsub \
        -metadata:s:s:0 language=eng -f mpegts "$1"
}

m2ts() {
    subtitles 600
    part 28M
    ff "${repeated[@]}" -i bench-out/subtitles-600/1.sup -i bench-out/subtitles-600/2.sup \
        -map 0 -map 1 -map 2 -c copy -metadata:s:s:0 language=eng -metadata:s:s:1 language=ger \
        -f mpegts -mpegts_m2ts_mode 1 "$1"
}

# 2000 seconds; captions.txt has the texts of the captions.
captions() {
    subtitles 2000
    python3 Tests/Benchmarks/captions.py "$work/video.ts" bench-out/captions.txt
    ff -i "$work/video.ts" -f lavfi -i sine=f=220:r=48000:d=20 -map 0 -map 1 -c copy -c:a ac3 -b:a 384k "$work/part.mkv"
    "${UNDERTEXT:-.build/release/undertext}" convert --quiet --force bench-out/subtitles-2000/1.sup "$work/dvb.idx"
    ff -stream_loop 99 -i "$work/part.mkv" -i "$work/dvb.idx" -map 0 -map 1 -c copy -c:s dvbsub \
        -metadata:s:s:0 language=eng -f mpegts "$1"
}

# Two hours and a half.
pictures() { python3 Fixtures/tools/pgs.py long "$1" --sets 1000 --seed 3 --seconds 3000; }
cues() { python3 Tests/Benchmarks/words.py "$1" 200000 4 400000; }
# Scripts hold at most ten hours.
script() {
    python3 Tests/Benchmarks/words.py "$work/script.srt" 200000 4 32000
    ff -i "$work/script.srt" -f ass "$1"
}
document() {
    case $1 in
    *.srt) python3 Tests/Benchmarks/words.py "$1" 200000 5 32000 ;;
    *.sub | *.mpl)
        bench-out/python/bin/python -c 'import sys, pysubs2
pysubs2.load("bench-out/document.srt").save(sys.argv[1], format_="mpl2" if sys.argv[1].endswith("mpl") else "microdvd", fps=25)' "$1"
        ;;
    *) "${UNDERTEXT:-.build/release/undertext}" convert --quiet bench-out/document.srt "$1" ;;
    esac
}
cues_inside() { mkvmerge --quiet --output "$1" --language 0:en bench-out/cues.srt; }

# NAME MEGABYTES COMMAND [ARGUMENT...]: makes bench-out/NAME if it is not there.
once() {
    local name=$1 needed=$2 available
    [ ! -s "bench-out/$name" ] || return 0
    available=$(df --output=avail --block-size=1M bench-out | tail -n 1)
    if [ "$available" -lt $((needed + 1000)) ]; then
        echo "bench-out/$name needs $needed MB and some room; $((available)) MB are free there" >&2
        exit 1
    fi
    echo "Making bench-out/$name ($needed MB, once) ..." >&2
    "$3" "$work/$name" "${@:4}"
    mv "$work/$name" "bench-out/$name"
}

for name in "$@"; do
    case $name in
    film.mkv) once "$name" 4300 film 56M ;;
    film-1.mkv) once "$name" 1100 film 13500k ;;
    # A larger image: one of 640 by 368 has no room for so many bits.
    film-16.mkv) once "$name" 17100 film 226M 1280x736 ;;
    nocues.mkv) once "$name" 4300 nocues ;;
    film.mp4) once "$name" 2200 mp4 ;;
    dvb.ts) once "$name" 2300 dvb ;;
    pgs.m2ts) once "$name" 2400 m2ts ;;
    captions.ts) once "$name" 2300 captions ;;
    pictures.sup) once "$name" 20 pictures ;;
    cues.srt) once "$name" 20 cues ;;
    cues.mkv)
        once cues.srt 20 cues
        once "$name" 20 cues_inside
        ;;
    cues.ass) once "$name" 20 script ;;
    document.srt) once "$name" 20 document ;;
    document.*)
        once document.srt 20 document
        once "$name" 60 document
        ;;
    *) echo "no such input: $name" >&2; exit 64 ;;
    esac
done
