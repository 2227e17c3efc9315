#!/usr/bin/env bash
# Runs the checks that are too slow for every change: Scripts/nightly.sh
# UNDERTEXT_FUZZ_SECONDS: the time for each fuzz target in seconds, 300 by default.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

Scripts/packages.sh "${build_packages[@]}" "${trait_packages[@]}" "${test_packages[@]}" time abigail-tools

export TSAN_OPTIONS="suppressions=$PWD/Scripts/tsan.txt"
# The tests of the C library link a build without a sanitizer; separate steps run them.
step 'ThreadSanitizer' swift test --sanitize=thread --scratch-path .build-tsan --enable-all-traits --disable-xctest --skip UndertextCTests
step 'C library, ThreadSanitizer' Scripts/sanitized.sh thread
step 'C library, AddressSanitizer' Scripts/sanitized.sh address
step 'fuzz corpora' Tests/Fuzz/replay.sh
step 'fuzzing' Tests/Fuzz/run.sh "${UNDERTEXT_FUZZ_SECONDS:-300}"
step 'ABI of the C library' Scripts/abi.py
step 'matrix' Scripts/matrix.sh
step 'Debian packages' Scripts/package.sh
step 'Debian packages, installed' Scripts/package-test.sh
step 'documentation' Scripts/documentation.sh
# The release binary; the times of the second are those of an idle machine.
nightly_batch() {
    Scripts/release.sh --enable-all-traits >/dev/null
    Tests/Batch/kills.py --kills 200
    Tests/Batch/slurm.py --files 2000
    Tests/Batch/scale.py
}
step 'batch: 200 kills, Slurm, 100,000 files' nightly_batch
step 'artifacts of a release' Scripts/dist.sh
step 'portable build and wheel in clean roots' Packaging/portable/smoke.sh
step 'container image' Packaging/portable/container.sh test
step 'benchmarks' make --no-print-directory bench
