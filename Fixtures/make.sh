#!/usr/bin/env bash
# Makes every fixture from Fixtures/sources: Fixtures/make.sh
# Needs ffmpeg, mkvmerge and python3. README.md describes each file.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
export PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8
for tool in ffmpeg mkvmerge python3; do
    command -v "$tool" >/dev/null || { echo "Fixtures/make.sh: $tool is missing" >&2; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sources=sources subtitles=subtitles containers=containers malformed=malformed
rm -rf "$subtitles" "$containers" "$malformed"
mkdir -p "$subtitles" "$containers" "$malformed"

exact=(-fflags +bitexact -flags bitexact -map_metadata -1)
ff() { ffmpeg -nostdin -hide_banner -loglevel error -y "$@"; }

# mkvmerge with its dates and random numbers pinned.
mux() {
    local output=$1 code
    shift
    for _ in {1..20}; do
        mkvmerge --quiet --output "$output" "$@"
        code=0
        python3 tools/pin.py "$output" || code=$?
        [ "$code" = 2 ] || return "$code"
    done
    return "$code"
}

# Subtitles.
cp "$sources"/{en.srt,pt-BR.srt,sdh.srt,forced.srt,signs.ass,captions.vtt} "$subtitles"
python3 tools/pgs.py sample "$subtitles/bitmaps.sup"
python3 tools/vobsub.py "$subtitles/vobsub"
python3 tools/dvd_set.py bitmap/dvd
python3 tools/font.py "$subtitles/blocks.ttf"
python3 tools/cover.py "$subtitles/cover.png"
python3 tools/cea608.py captions
python3 tools/caption_video.py captions/video
python3 tools/captioned.py captions/video
python3 tools/caption_tracks.py captions/video
python3 tools/caption_segments.py captions/segments
python3 tools/teletext.py captions
python3 tools/cea708.py captions
python3 tools/ebustl.py stl

# Picture and sound: a box that drifts, a low tone; 20 s.
ff -f lavfi -i 'color=c=0x102040:s=320x180:r=5:d=20[a];color=c=0xffcc00:s=24x60:r=5:d=20[b];[a][b]overlay=x=mod(n*4\,320):y=60' \
    -f lavfi -i sine=f=220:r=8000:d=20 \
    -c:v libx264 -threads 1 -preset veryslow -crf 32 -g 10 -pix_fmt yuv420p -c:a aac -b:a 8k \
    "${exact[@]}" "$work/av.mp4"

# The contents of movie.mkv, for mkvmerge. The font is in a separate folder so that it keeps its name.
texts=(
    --language 0:en --track-name '0:English' --default-track-flag 0:1 "$subtitles/en.srt"
    --language 0:pt-BR --track-name '0:Português (Brasil)' --default-track-flag 0:0 "$subtitles/pt-BR.srt"
    --language 0:en --track-name '0:Captions' --hearing-impaired-flag 0:1 --default-track-flag 0:0 "$subtitles/sdh.srt"
    --language 0:en --forced-display-flag 0:1 --default-track-flag 0:0 "$subtitles/forced.srt"
    --language 0:en --track-name '0:Signs' --default-track-flag 0:0 "$subtitles/signs.ass"
)
bitmaps=(
    --language 0:en --default-track-flag 0:0 "$subtitles/bitmaps.sup"
    --language 0:de --default-track-flag 0:0 "$subtitles/vobsub.idx"
)
extras=(
    --title 'The lighthouse' --chapter-language en --chapters "$sources/chapters.txt"
    --attachment-name 'Undertext Blocks.ttf' --attachment-mime-type font/ttf --attach-file "$subtitles/blocks.ttf"
    --attachment-name cover.png --attachment-mime-type image/png --attach-file "$subtitles/cover.png"
)
av=(--language 0:en --language 1:en "$work/av.mp4")

mux "$containers/movie.mkv" "${extras[@]}" "${av[@]}" "${texts[@]}" "${bitmaps[@]}"

# The same with an index of the video only (the option holds for the next file).
no_index=()
for argument in "${texts[@]}" "${bitmaps[@]}"; do
    case $argument in
    "$subtitles"/*) no_index+=(--cues 0:none) ;;
    esac
    no_index+=("$argument")
done
mux "$containers/movie-videocues.mkv" "${extras[@]}" "${av[@]}" "${no_index[@]}"
mux "$containers/movie-nocues.mkv" --no-cues "${av[@]}" --language 0:en "$subtitles/en.srt"

# The same by ffmpeg. Without bitexact, so that it names its version: these two change with each run.
ff -i "$work/av.mp4" -i "$subtitles/en.srt" -i "$subtitles/pt-BR.srt" -i "$subtitles/signs.ass" \
    -i "$subtitles/bitmaps.sup" -i "$subtitles/vobsub.idx" \
    -map 0:v -map 0:a -map 1 -map 2 -map 3 -map 4 -map 5 -map_metadata -1 -c copy \
    -metadata:s:s:0 language=eng -metadata:s:s:1 language=por -metadata:s:s:2 language=eng \
    -metadata:s:s:3 language=eng -metadata:s:s:4 language=ger -disposition:s:0 default \
    -disposition:s:1 hearing_impaired -disposition:s:3 forced \
    -attach "$subtitles/blocks.ttf" -metadata:s:t:0 mimetype=font/ttf -metadata:s:t:0 filename='Undertext Blocks.ttf' \
    "$containers/movie-ffmpeg.mkv"
# A remux of a part keeps mkvmerge's statistics tags, which are wrong now.
ff -i "$containers/movie.mkv" -t 9 -map 0 -c copy "$containers/movie-stale.mkv"

# Encodings of tracks: zlib on texts, none on images.
mux "$containers/zlib.mkv" "${av[@]}" \
    --compression 0:zlib --language 0:en "$subtitles/en.srt" \
    --compression 0:zlib --language 0:en "$subtitles/signs.ass" \
    --compression 0:none --language 0:en "$subtitles/bitmaps.sup" \
    --compression 0:zlib --language 0:de "$subtitles/vobsub.idx"

# WebVTT: as mkvmerge stores it, and as WebM has it (ffmpeg 5.1 stops reading at a STYLE block).
mux "$containers/webvtt.mkv" "${av[@]}" --language 0:en "$subtitles/captions.vtt"
awk -v RS= -v ORS='\n\n' '!/^(STYLE|REGION|NOTE)/' "$subtitles/captions.vtt" >"$work/cues.vtt"
ff -f lavfi -i 'color=c=0x102040:s=64x36:r=2:d=20' -i "$work/cues.vtt" -map 0 -map 1 \
    -c:v libvpx -threads 1 -crf 40 -b:v 20k -c:s copy -metadata:s:s:0 language=eng "${exact[@]}" "$containers/movie.webm"

# MP4: one plain track, one with styles; the second also says its language as BCP 47.
ff -i "$work/av.mp4" -i "$subtitles/signs.ass" -i "$subtitles/pt-BR.srt" -map 0 -map 1 -map 2 -c:v copy -c:a copy \
    -c:s mov_text "${exact[@]}" -metadata:s:s:0 language=eng -metadata:s:s:1 language=por "$containers/movie.mp4"
python3 tools/elng.py "$containers/movie.mp4" 3 pt-BR

# A transport stream with DVB subtitles; it starts at 1.4 s and more, as they do.
ff -i "$work/av.mp4" -i "$subtitles/vobsub.idx" -map 0 -map 1 -c:v copy -c:a copy -c:s dvbsub \
    -metadata:s:s:0 language=eng "${exact[@]}" "$containers/movie.ts"

# By our muxer: files that no other muxer writes.
python3 tools/odd_containers.py "$sources" "$subtitles" "$containers"

# Not what they are called.
head -c 30000 "$containers/movie.mkv" >"$containers/truncated.mkv"
printf 'These are words, not a film.\n' >"$containers/not-media.mkv"
printf '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:20\n#EXTINF:20,\nmovie.ts\n#EXT-X-ENDLIST\n' >"$containers/playlist.mkv"

# Conformance sets: bitmap/README.md.
python3 tools/pgs_cases.py bitmap/pgs ../Tests/Fuzz/Corpus
python3 tools/dvb_cases.py bitmap/dvb ../Tests/Fuzz/Corpus/DVBFuzz
ff -copyts -i bitmap/dvb/epoch-long.ts -map 0 -c copy "${exact[@]}" "$work/epoch.mkv"
mux bitmap/dvb/epoch-long.mkv "$work/epoch.mkv"
python3 tools/xsub_cases.py bitmap/xsub ../Tests/Fuzz/Corpus/XSUBFuzz

python3 tools/malformed.py "$containers" "$subtitles" "$malformed"

# They live in the repository: keep them small.
large=$(find . -type f -size +200000c)
[ -z "$large" ] || { echo "Fixtures/make.sh: over 200 kB: $large" >&2; exit 1; }
du -sbc "$subtitles" "$containers" "$malformed" | tail -1
