#!/usr/bin/env bash
# The rules of .swift-format, the spelling of prose and comments, the links of documentation; exit code 1 on any
# finding.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

failed=0
paths=(Sources Tests Package.swift)
[ ! -d Examples ] || paths+=(Examples)
# .build of a nested package is not ours to check.
find "${paths[@]}" -name .build -prune -o -name '*.swift' -print0 |
    xargs -0 swift format lint --strict --parallel || failed=1

# .codespellrc has the dictionaries and the words that are right. In code only the lines of comments are prose.
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
