#!/usr/bin/env bash
# Makes the manual pages and the shells' completions into .build/manual: Scripts/man.sh
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

out=.build/manual
Scripts/release.sh
mkdir -p "$out"
swift package --allow-writing-to-directory "$out" generate-manual --multi-page --output-directory "$out"
for shell in bash zsh fish; do
    .build/release/undertext --generate-completion-script "$shell" >"$out/undertext.$shell"
done
echo "$out: $(ls "$out" | tr '\n' ' ')"
