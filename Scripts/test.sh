#!/usr/bin/env bash
# Lint, one debug build with every strict flag, the count of public symbols, the FFmpeg headers of three Debian releases,
# the tests (the fuzz corpora are among them), the programs of the guides, AddressSanitizer.
# The last line counts the tests. With CI set, the run fails if a test is skipped.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

Scripts/packages.sh "${build_packages[@]}" "${trait_packages[@]}" "${test_packages[@]}"
# Other parsers of WebVTT and ASS to compare with, a player for browsers, object storage, and the schema of Kubernetes, in a
# separate environment. Without them, the tests that need them are skipped. Older versions of moto refuse signatures of
# escaped keys.
if ! python3 -c 'import pysubs2, webvtt, js.videojs, pycaption, ttconv, botocore, moto.server, kubernetes_validate; assert tuple(map(int, moto.__version__.split("."))) >= (5, 2, 5)' 2>/dev/null && python3 -m venv .build/python 2>/dev/null; then
    .build/python/bin/pip install --quiet --disable-pip-version-check pysubs2 webvtt-py js.videojs pycaption ttconv 'moto[s3,server]' kubernetes-validate 2>/dev/null || true
    PATH=$PWD/.build/python/bin:$PATH
fi
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
failed=0
# The time limit of a test run in seconds: four times the usual time, because a machine may be slow.
longest=1500

# The results of a run; toolchains use two different names.
results_of() {
    cat "$results/$1-swift-testing.xml" 2>/dev/null || cat "$results/$1.xml" 2>/dev/null || true
}

# An attribute of all results: attribute RUN NAME.
attribute() {
    results_of "$1" | sed -n "s/.*<testsuite .* $2=\"\([0-9]*\)\".*/\1/p" | head -n 1
}

# The number of failed tests of a run; the attribute counts the issues inside them.
failures() {
    results_of "$1" | awk '/<testcase/ { seen = 0 } /<failure/ && !seen { seen = 1; count++ } END { print count + 0 }'
}

# The tests of a run that were skipped, one a line, each with its reason.
skips() {
    results_of "$1" | awk -F '"' '
        /<testcase/ { name = $2 "/" $4 }
        /<skipped/ {
            gsub(/^ *<skipped *\/?>|<\/skipped>$/, "")
            print name ": " ($0 == "" ? "no reason given" : $0)
        }' | sed "s/&#10;/ /g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/\"/g; s/&apos;/'/g; s/&amp;/\&/g"
}

# The tests of a log that started and did not end: they hang or crashed.
unfinished() {
    sed -n 's/^◇ Test \(.*\) started\.$/\1/p' "$1" | grep -v '^case passing' | sort >"$results/begun"
    sed -n -E 's/^[✔✘] Test (.*) (passed|failed|skipped) after .*/\1/p' "$1" | sed 's/ with [0-9]* test cases*$//' | sort >"$results/ended"
    comm -23 "$results/begun" "$results/ended" | head -n 12
}

# Runs tests and keeps their output and results under a name: run NAME OPTION...
run() {
    local name=$1 code=0
    shift
    timeout "$longest" swift test "$@" --disable-xctest --xunit-output "$results/$name.xml" \
        >"$results/$name.log" 2>&1 || code=$?
    if [ "$code" -eq 0 ] && [ "$(attribute "$name" tests)" -gt 0 ]; then
        return 0
    fi
    {
        echo "== $name failed (exit code $code)"
        if [ -z "$(attribute "$name" tests)" ]; then
            # Started and passed tests are not printed.
            grep -v -E '^(◇|✔|↳|\[[0-9]+/[0-9]+\])' "$results/$name.log" | tail -n 60
            echo 'The tests did not come to their end. Begun and not ended:'
            unfinished "$results/$name.log"
        else
            grep '^✘ Test .* recorded an issue' "$results/$name.log" | cut -c 1-400 | head -n 40
            echo 'Failed:'
            grep '^✘ Test .* failed after' "$results/$name.log" | head -n 40
        fi
    } >>"$results/why"
    return 1
}

step 'lint' Scripts/lint.sh
step 'build' build --build-tests "${strict_flags[@]}"
step 'public symbols' Scripts/public-api.py
# The compiler finds differences between FFmpeg 5.1 and 9.0. Without a network this is skipped.
headers() {
    local code=0
    Scripts/headers.sh >"$results/headers.log" 2>&1 || code=$?
    case $code in
        0) ;;
        77) echo "FFmpeg headers: $(tail -n 1 "$results/headers.log")" >"$results/skipped" ;;
        *) { echo '== CFFmpeg does not compile' && tail -n 40 "$results/headers.log"; } >>"$results/why" && return 1 ;;
    esac
}
step 'FFmpeg headers' headers || failed=1
step 'tests' run tests "${strict_flags[@]}" --skip-build || failed=1
# The Python package, against the C library of this build. Without its packages from PyPI this is skipped.
python_package() {
    local code=0
    Scripts/python.sh >"$results/python.log" 2>&1 || code=$?
    case $code in
        0) ;;
        77) echo "Python package: $(tail -n 1 "$results/python.log")" >>"$results/skipped" ;;
        *) { echo '== the tests of the Python package failed' && tail -n 60 "$results/python.log"; } >>"$results/why" && return 1 ;;
    esac
}
step 'Python' python_package || failed=1
# The plugin for mpv, in a real mpv.
mpv_plugin() {
    local code=0
    Scripts/mpv-test.sh >"$results/mpv.log" 2>&1 || code=$?
    case $code in
        0) ;;
        77) echo "mpv plugin: $(tail -n 1 "$results/mpv.log")" >>"$results/skipped" ;;
        *) { echo '== the tests of the mpv plugin failed' && tail -n 60 "$results/mpv.log"; } >>"$results/why" && return 1 ;;
    esac
}
step 'mpv' mpv_plugin || failed=1
# The code of the README and the guides, in a separate package.
guides() {
    Scripts/guides.sh >"$results/guides.log" 2>&1 && return 0
    { echo '== the programs of the guides failed' && tail -n 60 "$results/guides.log"; } >>"$results/why"
    return 1
}
step 'guides' guides || failed=1
# The test runner itself may be reported as a leak.
export LSAN_OPTIONS="suppressions=$PWD/Scripts/lsan.txt:print_suppressions=0"
# The parser tests check for out-of-bounds reads and leaks. A sanitizer makes them ten times slower: they use a tenth of
# the damaged copies, and skip tests of large inputs and comparisons with other programs, which have run already.
elsewhere=(
    offsetsInNoiseAreAbandoned unitsListedOverAndOverAreBounded moreCuesThanAllowed
    stretchedImagesAreBounded animationsOfEverything areasAreBounded sequenceOfManyChildren
    floodsOfRegions reportsEveryLossInDamagedClusters reportsEveryLostBlockOfATruncatedFile
    contentOnScreenIsFound survivesAnIndexThatPointsEverywhere givesWhatAScanGives damagedFilesAreRead
    longFiles TTMLHostileTests HeldBackTests
)
for name in "${elsewhere[@]}"; do
    grep -rqE "(func|struct) $name\b" Tests || { echo "test.sh leaves out $name, which is no test" && exit 1; }
done
# Parsers of untrusted input. Except for that of the fuzz targets, the traits contain no parsers.
parsers=(UndertextCoreTests UndertextContainersTests UndertextFormatsTests UndertextDeflateTests UndertextPNGTests
    UndertextXMLTests UndertextCharsetsTests FuzzTargetsTests)
sanitized=(--sanitize=address --traits Rendering --scratch-path .build-asan)
sanitize() {
    export UNDERTEXT_TESTS="${parsers[*]}"
    # A product has only the targets that it needs; swift test would build all.
    if ! build --product undertextPackageTests "${sanitized[@]}" >"$results/asan-build.log" 2>&1; then
        { echo '== the build for AddressSanitizer failed' && grep -v '^\[' "$results/asan-build.log" | tail -n 40; } >>"$results/why"
        return 1
    fi
    UNDERTEXT_DAMAGE_SHARE=10 run asan "${sanitized[@]}" --skip-build --skip "$(IFS='|' && echo "${elsewhere[*]}")"
}
step 'AddressSanitizer' sanitize || failed=1

# At the end of the log, where it is easy to find.
cut -c 1-500 "$results/why" 2>/dev/null || true
# The total does not include skipped tests.
total=$(attribute tests tests)
touch "$results/skipped"
reasons=$({ skips tests && skips asan && cat "$results/skipped"; } | sort -u)
skipped=$(grep -c . <<<"$reasons" || true)
broken=$(($(failures tests) + $(failures asan)))
passed=$((${total:-0} - $(failures tests)))
if [ "$failed" -ne 0 ] && [ "$broken" -eq 0 ]; then
    broken=1 # a crash, or a build that failed
fi
if [ "$skipped" -gt 0 ]; then
    echo 'Skipped:'
    echo "$reasons"
    if [ -n "${CI:-}" ]; then
        echo 'CI is set: no test may be skipped.'
        failed=1
    fi
fi
echo "$((passed > 0 ? passed : 0)) passed, $broken failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
