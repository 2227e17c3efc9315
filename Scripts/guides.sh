#!/usr/bin/env bash
# Builds Examples/swift, a package with the programs of the README and the guides, runs them on fixtures, and compares
# their output with Examples/swift/Expected: Scripts/guides.sh [--record]
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

Scripts/packages.sh "${build_packages[@]}" "${trait_packages[@]}" fonts-dejavu-core python3 tesseract-ocr
[ -x .build/debug/undertext ] || build --product undertext "${strict_flags[@]}"
# Uses the dependency versions of the root package, which are already downloaded.
[ ! -f Package.resolved ] || cp Package.resolved Examples/swift/
package=(--package-path Examples/swift --scratch-path "$PWD/.build-guides" -debug-info-format none --disable-index-store)
build "${package[@]}" >&2
programs=$(swift build "${package[@]}" --show-bin-path)

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
# The file names that the pages use.
mkdir "$folder/files"
cp Fixtures/containers/movie.mkv "$folder/files/movie.mkv"
cp Fixtures/subtitles/pt-BR.srt "$folder/files/movie.pt-BR.srt"
cp Fixtures/subtitles/signs.ass "$folder/files/film.ass"
cp Fixtures/subtitles/bitmaps.sup "$folder/files/disc.sup"
cp Fixtures/containers/truncated.mkv "$folder/files/damaged.mkv"
.build/debug/undertext hls package --video "$folder/files/movie.mkv" --no-embedded-subtitles \
    --subtitle en:English:default=Fixtures/subtitles/en.srt -o "$folder/show" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2 && exit 1; }
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$folder/show" >"$folder/log" 2>&1 &
server=$!
for _ in {1..100}; do
    port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$folder/log")
    [ -z "$port" ] || break
    sleep 0.1
done

failed=0
count=0
for source in Examples/swift/Sources/*/; do
    name=$(basename "$source")
    expected=$PWD/Examples/swift/Expected/$name.txt
    code=0
    cp -r "$folder/files" "$folder/$name"
    (cd "$folder/$name" && timeout 120 "$programs/$name" "http://127.0.0.1:$port/master.m3u8") \
        >"$folder/output" 2>"$folder/errors" || code=$?
    # Ports differ from run to run, bit rates and confidence from version to version of FFmpeg and Tesseract.
    sed -i -E "s/127\.0\.0\.1:[0-9]+/HOST/g; s/BANDWIDTH=[0-9]+/BANDWIDTH=N/g
        s/with [0-9]+ % confidence: .*/with N % confidence: TEXT/" "$folder/output"
    if [ "${1:-}" = --record ] && [ "$code" -eq 0 ]; then cp "$folder/output" "$expected"; fi
    count=$((count + 1))
    if [ "$code" -ne 0 ] || ! diff -u "$expected" "$folder/output"; then
        cat "$folder/errors"
        echo "$name: FAILED (exit code $code)"
        failed=1
    fi
done
echo "$count programs of pages"
exit "$failed"
