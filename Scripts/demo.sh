#!/usr/bin/env bash
# Builds Undertext and extracts every subtitle of the sample media file into demo-out/.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

Scripts/release.sh
undertext=.build/release/undertext
film=Fixtures/containers/movie.mkv

echo
"$undertext" probe "$film"
echo
"$undertext" extract "$film" -o demo-out --attachments demo-out/attachments --force
"$undertext" extract "$film" -o demo-out/native --format native --force

echo
echo "demo-out/ now holds, out of $film:"
for entry in demo-out/*; do
    case $entry in
    *.vtt) echo "  $entry: $(grep -c -e ' --> ' "$entry") cues, as a browser takes them" ;;
    *.images) echo "  $entry/: $(find "$entry" -type f -name '*.png' | wc -l) images; index.html shows them with their times" ;;
    */native) echo "  $entry/: the tracks as they are stored" ;;
    */attachments) echo "  $entry/: $(find "$entry" -type f | wc -l) fonts and covers" ;;
    *) echo "  $entry" ;;
    esac
done
text=$(find demo-out -maxdepth 1 -name '*.vtt' | sort | head -n 1)
picture=$(find demo-out -maxdepth 2 -name index.html | sort | head -n 1)
echo "Look at ${text:-(no text)} and ${picture:-(no picture)}."
[ -n "$text" ] && [ -n "$picture" ]
