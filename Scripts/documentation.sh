#!/usr/bin/env bash
# Builds a DocC archive of the guides and the reference; warnings are errors: Scripts/documentation.sh [FOLDER]
# To read it: python3 -m http.server -d .build/documentation, http://localhost:8000/documentation/undertext/
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

output=${1:-.build/documentation}
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
SWIFT_DETERMINISTIC_HASHING=1 swift package "${strict_flags[@]}" \
    dump-symbol-graph --minimum-access-level public --skip-synthesized-members
# The same modules as on the Swift Package Index, in one archive, so that guides can link to all of them.
modules=$(sed -n 's/.*documentation_targets: \[\(.*\)\].*/\1/p' .spi.yml | tr -d ,)
for module in $modules; do
    ls .build/*/symbolgraph/"$module".symbols.json >/dev/null
    cp .build/*/symbolgraph/"$module"{,@*}.symbols.json "$graphs" 2>/dev/null || true
done
mkdir -p "$(dirname "$output")"
"$(dirname "$(readlink -f "$(command -v swift)")")"/docc convert Sources/Undertext/Documentation.docc \
    --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name Undertext --fallback-bundle-identifier undertext \
    --output-path "$output" --warnings-as-errors
