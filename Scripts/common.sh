# Read by the other scripts.
# shellcheck shell=bash disable=SC2034
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What the build needs.
build_packages=(libavformat-dev libavcodec-dev libavutil-dev libswscale-dev libcurl4-openssl-dev libdeflate-dev libpng-dev libsqlite3-dev libexpat1-dev libuchardet-dev pkg-config)
# What the build with all traits needs beside it.
trait_packages=(libtesseract-dev libass-dev)
# What the tests run beside it.
test_packages=(chromium codespell ffmpeg mkvtoolnix nginx python3 tesseract-ocr tesseract-ocr-deu tesseract-ocr-fra fonts-dejavu-core gcc g++ strace valgrind xvfb libmpv-dev libzvbi-dev)

# The flags of the one debug build; `swift test` gets the same, so that it builds nothing again.
strict_flags=(
    --enable-all-traits
    --explicit-target-dependency-import-check error
    -Xswiftc -require-explicit-sendable
    -Xswiftc -warnings-as-errors
)

# Builds. SwiftPM hands the compiler the traits in an order that changes from run to run, so that each build would
# compile everything again; with fixed hashes the order stays.
build() {
    SWIFT_DETERMINISTIC_HASHING=1 swift build "$@"
}

# Says what runs and how long it took; passes its exit code on.
step() {
    local title=$1 start=$SECONDS code=0
    shift
    echo "== $title"
    "$@" || code=$?
    echo "== $title: $((SECONDS - start)) s"
    return "$code"
}
