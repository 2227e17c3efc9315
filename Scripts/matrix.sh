#!/usr/bin/env bash
# Runs the command and the tests that use FFmpeg in clean roots of Debian 12, 13 and unstable, with FFmpeg 5.1, 7.1 and
# 9.0: Scripts/matrix.sh [SUITE...]. Root is required.
# shellcheck source=Scripts/suites.sh
. "$(dirname "$0")/suites.sh"

[ "$(id -u)" -eq 0 ] || { echo "roots of other suites need root: run this with sudo" >&2 && exit 1; }
[ $# -eq 0 ] || suites=("$@")
Scripts/packages.sh "${build_packages[@]}" "${trait_packages[@]}" mmdebstrap python3
step 'build' build --build-tests "${strict_flags[@]}"
failed=0
for suite in "${suites[@]}"; do
    step "$suite" Scripts/matrix-suite.sh "$suite" || failed=1
done
exit "$failed"
