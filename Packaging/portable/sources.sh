#!/usr/bin/env bash
# Collects the source packages of those parts of the portable build whose licenses ask for that: Packaging/portable/sources.sh
# The result is dist/undertext-VERSION-linux-x86_64-sources.tar, which is published with the binaries. An archive of Debian has the
# sources of its newest versions only: a part that is older has to be upgraded first.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/../../Scripts/common.sh"

work=$PWD/.build-portable
[ -f "$work/bundled.tsv" ] || { echo "run 'make portable' first" >&2; exit 1; }
Scripts/packages.sh dpkg-dev
rm -rf "$work/sources"
mkdir -p "$work/sources"
# LGPL: FFmpeg, FriBidi, GLib, Graphite; MPL: uchardet. All other parts have licenses without such a condition.
copyleft='ffmpeg|fribidi|glib2.0|graphite2|uchardet'
cut -f 1,2 "$work/bundled.tsv" | sort -u | grep -E "^($copyleft)"$'\t' | while IFS=$'\t' read -r source number; do
    Packaging/portable/fetch-source.sh "$source=$number" "$work/sources"
done
cp Packaging/portable/*.sh Packaging/portable/*.py "$work/ffmpeg-prefix/configure.txt" "$work/sources/"
mkdir -p dist
tar --create --file "dist/undertext-$version-linux-x86_64-sources.tar" --directory "$work" --sort=name --owner=0 --group=0 \
    --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" sources
echo "dist/undertext-$version-linux-x86_64-sources.tar: $(find "$work/sources" -name '*.dsc' | wc -l) source packages"
