#!/usr/bin/env bash
# Builds .build/release/undertext: Scripts/release.sh [BUILD OPTION...]
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

packages=("${build_packages[@]}")
case " $* " in *' --enable-all-traits '*) packages+=("${trait_packages[@]}") ;; esac
Scripts/packages.sh "${packages[@]}"
# Nothing looks up symbols in the command: a table of them would cost a megabyte of memory in each run.
# The static Foundation refers to mktemp, of which the linker warns each time; nothing of ours calls it.
# All functions are bound at the start, so that their table can be read-only (with RELRO).
build -c release --product undertext --static-swift-stdlib \
    -Xlinker --no-export-dynamic -Xlinker -z -Xlinker now "$@" 2>&1 |
    grep -v "the use of .mktemp. is dangerous"
echo ".build/release/undertext: $(stat --format %s -L .build/release/undertext) bytes"
