#!/usr/bin/env bash
# One suite of Scripts/matrix.sh: Scripts/matrix-suite.sh SUITE
# Only the target UndertextFFmpeg depends on the headers of FFmpeg. It is compiled against those of the suite, and its
# object takes the place of those of the debug build where the command and the tests are linked.
# shellcheck source=Scripts/suites.sh
. "$(dirname "$0")/suites.sh"

suite=${1:?usage: Scripts/matrix-suite.sh SUITE}
folder=$PWD/.build-matrix/$suite
debug=$(realpath .build/debug)
architecture=$(dpkg-architecture --query DEB_HOST_MULTIARCH)
runtime=$(dirname "$(dirname "$(realpath "$(command -v swiftc)")")")/lib/swift/linux
mapfile -t sources < <(find Sources/UndertextFFmpeg -name '*.swift')

# Links a product again with another object of UndertextFFmpeg: relink PRODUCT OBJECT RESULT [OPTION...]
relink() {
    local product=$1 object=$2 result=$3
    shift 3
    { grep -v '/UndertextFFmpeg\.build/[^/]*\.swift\.o$' "$debug/$product.product/Objects.LinkFileList" && echo "$object"; } >"$result.list"
    # The arguments with which SwiftPM linked it.
    mapfile -t arguments < <(python3 - "$product" "$debug" <<'END'
import json, re, sys
product, debug = sys.argv[1:]
with open(debug + "/../../debug.yaml", encoding="utf-8") as file:
    text = file.read()
for match in re.finditer(r'args: (\[".*/swiftc",.*\])', text):
    arguments = json.loads(match.group(1))
    if f"@{debug}/{product}.product/Objects.LinkFileList" in arguments:
        place = arguments.index("-o")
        del arguments[place:place + 2]
        print("\n".join(a for a in arguments[1:] if not a.startswith("@")))
        break
else:
    sys.exit(f"{product}: debug.yaml does not say how it is linked")
END
    )
    swiftc "${arguments[@]}" "$@" "@$result.list" -o "$result" 2>&1 | { grep -v "the use of .mktemp. is dangerous" || true; }
}

mkdir -p "$folder"
headers "$suite"
swiftc -emit-object -wmo -Onone -enable-testing -g -module-name UndertextFFmpeg -parse-as-library "${settings[@]}" \
    -I "$debug/Modules" -I CFFmpeg -module-cache-path ".build-matrix/modules/$suite" \
    -Xcc -I".build-matrix/headers/$suite/usr/include/$architecture" "${sources[@]}" -o "$folder/UndertextFFmpeg.o"
# The command as it is released: with the Swift runtime inside.
relink undertext "$folder/UndertextFFmpeg.o" "$folder/undertext" \
    -static-stdlib -l_FoundationCollections -l_FoundationCShims
relink undertextPackageTests "$folder/UndertextFFmpeg.o" "$folder/undertextPackageTests.xctest"

# What the command and the tests run; of these, Undertext itself needs the first line and the libraries of FFmpeg.
packages=(
    libdeflate0 libpng16-16 libexpat1 libstdc++6 libcurl4 libuchardet0 libsqlite3-0 libass9 libtesseract5
    ffmpeg tesseract-ocr tesseract-ocr-deu tesseract-ocr-fra fonts-dejavu-core mkvtoolnix python3 strace binutils procps espeak-ng
)
# The tests that use FFmpeg: the command on whole files, and the target itself.
filter='^(EndToEndTests|UndertextFFmpegTests|UndertextTests)\.'

root=$PWD/.build-matrix/root
code=0
trap 'rm -rf "$root"' EXIT

# Without FFmpeg: one line that names the package, and all that needs no FFmpeg.
new_root "$root" "$suite" plain libdeflate0 libpng16-16 libexpat1 libstdc++6
BIND=$PWD enter "$root" bash -eu "$PWD/Scripts/without-ffmpeg.sh" "$folder/undertext"

new_root "$root" "$suite" tests "${packages[@]}"
BIND=$PWD enter "$root" env UNDERTEXT="$folder/undertext" DEMO_FOLDER=/tmp/demo "$PWD/Scripts/demo.sh" >"$folder/demo.log" 2>&1 ||
    { tail -n 20 "$folder/demo.log" && exit 1; }
BIND="$PWD $runtime" enter "$root" env -C "$PWD" LD_LIBRARY_PATH="$runtime" \
    "$folder/undertextPackageTests.xctest" --testing-library swift-testing --filter "$filter" >"$folder/tests.log" 2>&1 || code=$?
grep '^✘ Test .* recorded an issue' "$folder/tests.log" | cut -c 1-300 | head -n 20 || true
echo "$suite: FFmpeg $(cat ".build-matrix/headers/$suite/version"): $(tail -n 1 "$folder/tests.log" | cut -c 1-200)" \
    "($(grep -c '^➜.*skipped' "$folder/tests.log" || true) skipped)"
exit "$code"
