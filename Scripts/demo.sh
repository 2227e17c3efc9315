#!/usr/bin/env bash
# Builds Undertext and extracts every subtitle of the sample media file into demo-out/.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

Scripts/release.sh
undertext=.build/release/undertext
movie=Fixtures/containers/movie.mkv

echo
"$undertext" probe "$movie"
echo
"$undertext" extract "$movie" -o demo-out --attachments demo-out/attachments --force
"$undertext" extract "$movie" -o demo-out/native --format native --force

echo
echo "demo-out/ contains, from $movie:"
for entry in demo-out/*; do
    case $entry in
    *.vtt) echo "  $entry: $(grep -c -e ' --> ' "$entry") cues, for browsers" ;;
    *.images) echo "  $entry/: $(find "$entry" -type f -name '*.png' | wc -l) images; index.html shows them with their times" ;;
    */native) echo "  $entry/: the tracks as stored" ;;
    */attachments) echo "  $entry/: $(find "$entry" -type f | wc -l) fonts and covers" ;;
    *) echo "  $entry" ;;
    esac
done
text=$(find demo-out -maxdepth 1 -name '*.vtt' | sort | head -n 1)
page=$(find demo-out -maxdepth 2 -name index.html | sort | head -n 1)
echo "Look at ${text:-(no text)} and ${page:-(no page)}."
[ -n "$text" ] && [ -n "$page" ]
