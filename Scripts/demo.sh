#!/usr/bin/env bash
# Builds Undertext without optimization and extracts every subtitle of a sample media file into demo-out/: Scripts/demo.sh
# UNDERTEXT names a command that is built already, DEMO_FOLDER another folder.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

# Optimization would more than double the time of the build, and this file takes a quarter of a second without it.
if [ -z "${UNDERTEXT:-}" ]; then
    Scripts/packages.sh "${build_packages[@]}"
    echo 'Building without optimization; make release and make install build the fast command.'
    build --product undertext
fi
undertext=${UNDERTEXT:-.build/debug/undertext}
out=${DEMO_FOLDER:-demo-out}
movie=Fixtures/containers/movie.mkv

echo
"$undertext" probe "$movie"
echo
"$undertext" extract "$movie" -o "$out" --attachments "$out/attachments" --force
"$undertext" extract "$movie" -o "$out/native" --format native --force

echo
echo "$out/ contains, from $movie:"
for entry in "$out"/*; do
    case $entry in
    *.vtt) echo "  $entry: $(grep -c -e ' --> ' "$entry") cues, for browsers" ;;
    *.images) echo "  $entry/: $(find "$entry" -type f -name '*.png' | wc -l) images; index.html shows them with their times" ;;
    */native) echo "  $entry/: the tracks as stored" ;;
    */attachments) echo "  $entry/: $(find "$entry" -type f | wc -l) fonts and covers" ;;
    *) echo "  $entry" ;;
    esac
done
text=$(find "$out" -maxdepth 1 -name '*.vtt' | sort | head -n 1)
image=$(find "$out" -maxdepth 2 -name index.html | sort | head -n 1)
echo "Look at ${text:-(no text)} and ${image:-(no image)}."
[ -n "$text" ] && [ -n "$image" ]
