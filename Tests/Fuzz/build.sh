#!/bin/sh
# Builds the fuzz targets with libFuzzer and AddressSanitizer; prints the folder of the binaries.
# There is one program, and a link to it for each target, by whose name it knows what to do.
set -eu
cd "$(dirname "$0")"
# Both sanitizers must be named in one -sanitize: two --sanitize options silently lose coverage.
swift build -c release --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address \
    -Xswiftc -assert-config -Xswiftc Debug >&2
bin=$(swift build -c release --sanitize=fuzzer --show-bin-path)/targets
mkdir -p "$bin"
for source in Targets/*Fuzz.swift; do
    ln -sf ../UndertextFuzz "$bin/$(basename "$source" .swift)"
done
echo "$bin"
