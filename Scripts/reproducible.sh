#!/usr/bin/env bash
# Builds the Debian packages of the last commit again and compares them with those of dist/: Scripts/reproducible.sh
# As root, each build sees its files at the same path, in a namespace of its own.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

first=$(mktemp -d)
second=$(mktemp -d)
trap 'rm -rf "$first" "$second"' EXIT
cp dist/*.deb "$first"
UNDERTEXT_PACKAGE_FOLDER=$second/of-another-length Scripts/package.sh >"$second/log" 2>&1 ||
    { tail -n 40 "$second/log" && exit 1; }
differing=0
for package in "$first"/*.deb; do
    cmp "$package" "dist/$(basename "$package")" || differing=1
done
[ "$(ls "$first")" = "$(cd dist && ls ./*.deb | sed 's|^./||')" ] || differing=1
[ "$differing" -eq 0 ] && echo "$(ls "$first" | wc -l) packages: two builds gave the same files"
exit "$differing"
