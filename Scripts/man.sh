#!/usr/bin/env bash
# Makes the manual pages and the completions of the shells from a build: Scripts/man.sh [debug|release]
# The result is .build/manual.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

configuration=${1:-release}
Scripts/packages.sh python3
command=.build/$configuration/undertext
[ -x "$command" ] || Scripts/release.sh --enable-all-traits
out=.build/manual
rm -rf "$out"
mkdir -p "$out"
Scripts/manual.py "$command" "$out"
for shell in bash zsh fish; do
    # The shell reads the script; it does not run it.
    "$command" --generate-completion-script "$shell" | sed '1{/^#!/d}' >"$out/undertext.$shell"
done
[ ! -t 1 ] || echo "$out: $(cd "$out" && echo *)"
