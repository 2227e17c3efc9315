#!/usr/bin/env bash
# Checks formatting, the spelling of prose and comments, links, and the number of public symbols; exit code 1 on any
# finding.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

failed=0
paths=(Sources Tests Package.swift)
[ ! -d Examples ] || paths+=(Examples)
# Checkouts of nested packages are not checked.
find "${paths[@]}" -name .build -prune -o -name '*.swift' -print0 |
    xargs -0 swift format lint --strict --parallel || failed=1

# .codespellrc names the dictionaries and additional correct words. In code, only comment lines are checked.
if command -v codespell >/dev/null; then
    git ls-files -z '*.md' | xargs -0 codespell || failed=1
    git ls-files -z '*.swift' | xargs -0 codespell --ignore-regex '^\s*(?!\s*//).*$' || failed=1
else
    echo "codespell is not installed: spelling is not checked" >&2
fi

if command -v python3 >/dev/null; then
    Scripts/check-links.py || failed=1
    Scripts/public-api.py --if-built || failed=1
else
    echo "python3 is not installed: links and public symbols are not checked" >&2
fi
exit "$failed"
