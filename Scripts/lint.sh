#!/usr/bin/env bash
# The rules of .swift-format; exit code 1 on any finding.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

paths=(Sources Tests Package.swift)
[ ! -d Examples ] || paths+=(Examples)
# .build of a nested package is not ours to check.
find "${paths[@]}" -name .build -prune -o -name '*.swift' -print0 |
    xargs -0 swift format lint --strict --parallel
