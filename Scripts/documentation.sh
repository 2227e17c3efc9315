#!/usr/bin/env bash
# The documentation of the library as an archive for DocC, warnings are errors: Scripts/documentation.sh [FOLDER]
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

output=${1:-.build/documentation}
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
SWIFT_DETERMINISTIC_HASHING=1 swift package "${strict_flags[@]}" \
    dump-symbol-graph --minimum-access-level public --skip-synthesized-members
# What `import Undertext` gives: the target and what it exports.
for module in Undertext UndertextCore; do
    cp .build/*/symbolgraph/"$module"{,@*}.symbols.json "$graphs" 2>/dev/null || true
done
mkdir -p "$(dirname "$output")"
"$(dirname "$(readlink -f "$(command -v swift)")")"/docc convert --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name Undertext --fallback-bundle-identifier undertext \
    --output-path "$output" --warnings-as-errors
