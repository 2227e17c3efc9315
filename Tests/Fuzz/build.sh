#!/bin/sh
# Builds every fuzz target with libFuzzer and AddressSanitizer; prints the folder of the binaries.
set -eu
cd "$(dirname "$0")"
# Both sanitizers must be named in one -sanitize: two --sanitize options silently lose coverage.
swift build -c release --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address \
    -Xswiftc -assert-config -Xswiftc Debug >&2
swift build -c release --sanitize=fuzzer --show-bin-path
