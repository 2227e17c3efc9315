#!/usr/bin/env bash
# Lint, one debug build with every strict flag, the tests, the fuzz corpora, AddressSanitizer.
# The last line counts the tests. With CI set, a test skipped for a missing tool fails.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

Scripts/packages.sh "${build_packages[@]}" "${test_packages[@]}"
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
failed=0

# A number out of the first line of a result file of Swift Testing: attribute NAME.
count() {
    sed -n "s/.*<testsuite .* $2=\"\([0-9]*\)\".*/\1/p" "$results/$1-swift-testing.xml" 2>/dev/null | head -n 1
}

# Runs tests and keeps their output and results under a name: run NAME OPTION...
run() {
    local name=$1 code=0
    shift
    swift test "$@" --disable-xctest --xunit-output "$results/$name.xml" >"$results/$name.log" 2>&1 || code=$?
    # What passed is not worth a line each.
    grep -v -E '^(◇|✔|↳|\[[0-9]+/[0-9]+\]|Build(ing| complete))' "$results/$name.log" || true
    if [ "$code" -ne 0 ] && [ -z "$(count "$name" failures)" ]; then
        echo "The tests did not come to their end (exit code $code)." >&2
    fi
    return "$code"
}

step 'lint' Scripts/lint.sh
step 'build' swift build --build-tests "${strict_flags[@]}"
step 'tests' run tests "${strict_flags[@]}" --skip-build || failed=1
if [ -x Tests/Fuzz/replay.sh ]; then
    step 'fuzz corpora' Tests/Fuzz/replay.sh || failed=1
fi
# The runner of the tests may be named as a leak.
export LSAN_OPTIONS="suppressions=$PWD/Scripts/lsan.txt:print_suppressions=0"
step 'AddressSanitizer' run asan --sanitize=address --scratch-path .build-asan \
    --filter 'ContainersTests|SubtitleCodecsTests|SubtitleFormatsTests|DeflateTests|PNGTests' || failed=1

total=$(count tests tests) broken=$(count tests failures) left_out=$(count tests skipped)
sanitized=$(count asan failures)
# A test that lacks its data or its tool says so and ends.
silent=$(grep -c '^skipped: ' "$results/tests.log" || true)
skipped=$((${left_out:-0} + silent))
broken=$((${broken:-0} + ${sanitized:-0}))
passed=$((${total:-0} - broken - skipped))
if [ "$failed" -ne 0 ] && [ "$broken" -eq 0 ]; then
    broken=1 # a crash, a build that failed, or a corpus
fi
echo "$((passed > 0 ? passed : 0)) passed, $broken failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
