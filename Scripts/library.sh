#!/usr/bin/env bash
# Links the C library from the objects of a build: Scripts/library.sh debug|release
# The result is .build/CONFIGURATION/c/lib/libundertext.so.MAJOR with the Swift runtime inside.
# UNDERTEXT_ARCHIVES: a folder of static libraries to link, for the portable build.
# UNDERTEXT_SANITIZER=thread|address: from the objects of a build with --sanitize= in .build-tsan or .build-asan.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

configuration=${1:?usage: Scripts/library.sh debug|release}
if [ "$configuration" = release ]; then
    build -c release --product UndertextC --static-swift-stdlib --enable-all-traits
fi
# swift-crypto imports FoundationEssentials, whose own libraries the compiler does not add to a library.
build=.build link=(-static-stdlib -l_FoundationCollections -l_FoundationCShims -Xlinker -z -Xlinker defs)
# The program links the sanitizer's runtime, which must intercept the calls of Dispatch; Dispatch is then linked dynamically.
case ${UNDERTEXT_SANITIZER:-} in
    '') ;;
    thread) build=.build-tsan link=(-sanitize=thread) ;;
    address) build=.build-asan link=(-sanitize=address) ;;
    *) echo "UNDERTEXT_SANITIZER must be thread or address: $UNDERTEXT_SANITIZER" >&2; exit 64 ;;
esac
archive=$build/$configuration/libUndertextC.a
if [ ! -f "$archive" ]; then
    echo "$archive is missing: build first, as make release does" >&2
    exit 1
fi
folder=.build/$configuration/c/lib
mkdir -p "$folder"
read -ra libraries < <(pkg-config --libs libdeflate libpng expat)
# A portable build links the archives in that folder in place of shared libraries.
if [ -n "${UNDERTEXT_ARCHIVES:-}" ]; then
    link+=("-L$UNDERTEXT_ARCHIVES")
    libraries+=(-lz -lm)
fi
strip=(-Xlinker --strip-all)
# valgrind 3.19 fails on the debug information of BoringSSL; sanitizers can read it.
[ "$configuration" = release ] || strip=(-Xlinker --strip-debug)
[ -z "${UNDERTEXT_SANITIZER:-}" ] || strip=()
# Linked from the objects of the archive, because a static runtime hides the symbols of archives; sections that no
# undertext_ function needs are dropped.
swiftc -emit-library -o "$folder/libundertext.so.$version" \
    "@$build/$configuration/UndertextC.product/Objects.LinkFileList" \
    -Xlinker -soname="libundertext.so.${version%%.*}" \
    -Xlinker --version-script=Sources/Libraries/CUndertext/undertext.map \
    -Xlinker --gc-sections -Xlinker -z -Xlinker now "${link[@]}" "${strip[@]}" "${libraries[@]}"
ln -sf "libundertext.so.$version" "$folder/libundertext.so.${version%%.*}"
ln -sf "libundertext.so.${version%%.*}" "$folder/libundertext.so"
