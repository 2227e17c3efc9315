#!/usr/bin/env bash
# Runs the tests of the C library with a sanitizer in the library and in its programs:
# Scripts/sanitized.sh thread|address
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

export UNDERTEXT_SANITIZER=${1:?usage: Scripts/sanitized.sh thread|address}
case $UNDERTEXT_SANITIZER in
    thread) scratch=.build-tsan ;;
    address) scratch=.build-asan ;;
    *) echo "usage: Scripts/sanitized.sh thread|address" >&2; exit 64 ;;
esac
build --product UndertextC --sanitize="$UNDERTEXT_SANITIZER" --scratch-path "$scratch" --enable-all-traits
# The functions of Dispatch that the runtime of ThreadSanitizer needs.
runtime=$(swiftc -print-target-info | sed -n 's|.*"\(/.*/swift/linux\)".*|\1|p' | head -n 1)
export UNDERTEXT_SWIFT_LIBRARIES=$runtime
export TSAN_OPTIONS="suppressions=$PWD/Scripts/tsan.txt"
export LSAN_OPTIONS="suppressions=$PWD/Scripts/lsan.txt:print_suppressions=0"
swift test "${strict_flags[@]}" --disable-xctest \
    --filter 'PlayerFunctionTests|ExampleTests|PlayerTests'
