#!/usr/bin/env bash
# Builds .build/release/undertext: Scripts/release.sh [BUILD OPTION...]
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

packages=("${build_packages[@]}")
case " $* " in *' --enable-all-traits '*) packages+=("${trait_packages[@]}") ;; esac
Scripts/packages.sh "${packages[@]}"
# The command needs no dynamic symbol table, which would take a megabyte of memory in each run.
# The static Foundation refers to mktemp, which is never called; the linker warns about it.
build -c release --product undertext --static-swift-stdlib \
    -Xlinker --no-export-dynamic "$@" 2>&1 |
    grep -v "the use of .mktemp. is dangerous"
echo ".build/release/undertext: $(stat --format %s -L .build/release/undertext) bytes"
