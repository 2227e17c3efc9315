#!/usr/bin/env bash
# Runs the checks that are too slow for every change: Scripts/nightly.sh
# UNDERTEXT_FUZZ_SECONDS: the time for each fuzz target in seconds, 300 by default.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

Scripts/packages.sh "${build_packages[@]}" "${trait_packages[@]}" "${test_packages[@]}" time abigail-tools

# A step that fails does not keep the others from running.
failed=0
check() { step "$@" || failed=1; }

export TSAN_OPTIONS="suppressions=$PWD/Scripts/tsan.txt"
# The tests of the C library link a build without a sanitizer; separate steps run them. Parsers run on one thread, and are
# ten times slower with a sanitizer.
check 'ThreadSanitizer' swift test --sanitize=thread --scratch-path .build-tsan \
    --enable-all-traits --disable-xctest --skip 'UndertextCTests|^(Undertext(Core|Formats|Deflate|PNG|XML|Charsets|Checks|Alignment)|FuzzTargets)Tests\.'
check 'C library, ThreadSanitizer' Scripts/sanitized.sh thread
check 'C library, AddressSanitizer' Scripts/sanitized.sh address
nightly_mpv() {
    build --build-tests "${strict_flags[@]}" >/dev/null && UNDERTEXT_MPV_SANITIZER=1 Scripts/mpv-test.sh
}
check 'mpv plugin, AddressSanitizer' nightly_mpv
check 'fuzz corpora' Tests/Fuzz/replay.sh
check 'fuzzing' Tests/Fuzz/run.sh "${UNDERTEXT_FUZZ_SECONDS:-300}"
check 'ABI of the C library' Scripts/abi.py
check 'matrix' Scripts/matrix.sh
check 'Debian packages' Scripts/package.sh
check 'Debian packages, installed' Scripts/package-test.sh
check 'Debian packages, built again' Scripts/reproducible.sh
check 'documentation' Scripts/documentation.sh
# The release binary; the times of the second are those of an idle machine.
nightly_batch() {
    Scripts/release.sh --enable-all-traits >/dev/null && Tests/Batch/kills.py --kills 200 &&
        Tests/Batch/slurm.py --files 2000 && Tests/Batch/scale.py
}
check 'batch: 200 kills, Slurm, 100,000 files' nightly_batch
nightly_release() {
    Scripts/dist.sh && Packaging/portable/smoke.sh && Packaging/portable/container.sh test
}
check 'artifacts of a release, in clean roots' nightly_release
nightly_benchmarks() {
    Scripts/release.sh --enable-all-traits >/dev/null && Tests/Benchmarks/run.sh --strict
}
check 'benchmarks' nightly_benchmarks
exit "$failed"
