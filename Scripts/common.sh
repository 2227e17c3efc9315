# Sourced by the other scripts.
# shellcheck shell=bash disable=SC2034
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# SWIFT names the command swift of a toolchain that is not in PATH.
case ${SWIFT:-swift} in
    swift) ;;
    */swift) PATH=$(dirname "$SWIFT"):$PATH ;;
    *) echo "SWIFT must be the path of a command swift: $SWIFT" >&2 && exit 64 ;;
esac
# The version of Undertext.
version=$(sed -n 's/^package let undertextVersion = "\(.*\)"$/\1/p' Sources/Undertext/Version.swift)

# Packages that the build needs.
build_packages=(libavformat-dev libavcodec-dev libavutil-dev libswscale-dev libcurl4-openssl-dev libdeflate-dev libpng-dev libsqlite3-dev libexpat1-dev libuchardet-dev pkg-config)
# Additional packages for a build with all traits.
trait_packages=(libtesseract-dev libass-dev)
# What the tests run beside it.
test_packages=(chromium codespell espeak-ng ffmpeg mkvtoolnix nginx python3 python3-venv tesseract-ocr tesseract-ocr-deu tesseract-ocr-fra fonts-dejavu-core gcc g++ strace valgrind xvfb libmpv-dev mpv libzvbi-dev man-db mandoc zsh fish slurm-wlm munge bindfs)

# The flags of the debug build; `swift test` gets the same flags, otherwise it would build again. Without the index for
# editors it would take a quarter less time, but SwiftPM looks in it for tests of XCTest, even if these are disabled.
strict_flags=(
    --enable-all-traits
    --explicit-target-dependency-import-check error
    -Xswiftc -require-explicit-sendable
    -Xswiftc -warnings-as-errors
)

# Builds with fixed hashes: SwiftPM passes the traits to the compiler in hash order; a different order would compile
# everything again. UNDERTEXT_BUILD_FLAGS: more options for all builds, for packages.
build() {
    local flags
    read -ra flags <<<"${UNDERTEXT_BUILD_FLAGS:-}"
    SWIFT_DETERMINISTIC_HASHING=1 swift build "$@" "${flags[@]}"
}

# Runs a command, prints its name and its time, and returns its exit code. Within a function that it runs, a command that
# fails does not end the function: join the commands with &&.
step() {
    local title=$1 start=$SECONDS code=0
    shift
    echo "== $title"
    "$@" || code=$?
    echo "== $title: $((SECONDS - start)) s"
    return "$code"
}
