#!/usr/bin/env bash
# Builds .build/release/undertext, stripped: Scripts/release.sh [BUILD OPTION...]
# STRIP: empty to keep the symbols, for profiles and for packages that split them off.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

packages=("${build_packages[@]}")
case " $* " in *' --enable-all-traits '*) packages+=("${trait_packages[@]}") ;; esac
Scripts/packages.sh "${packages[@]}"
strip=()
[ -z "${STRIP-strip}" ] || strip=(-Xlinker --strip-all)
# Nothing looks up symbols in the command: a table of them would cost a megabyte of memory in each run.
# The static Foundation refers to mktemp, of which the linker warns each time; nothing of ours calls it.
# All functions are bound at the start, so that their table can be read-only (with RELRO).
build -c release --product undertext --static-swift-stdlib \
    -Xlinker --no-export-dynamic -Xlinker -z -Xlinker now "${strip[@]}" "$@" 2>&1 |
    grep --line-buffered -v "the use of .mktemp. is dangerous"
echo ".build/release/undertext: $(stat --format %s -L .build/release/undertext) bytes"
