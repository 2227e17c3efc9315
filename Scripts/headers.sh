#!/usr/bin/env bash
# Compiles CFFmpeg, and UndertextFFmpeg which uses it, against the FFmpeg headers of Debian 12, 13 and unstable:
# Scripts/headers.sh. Exit code 77 if the headers cannot be downloaded. A debug build must be there.
# shellcheck source=Scripts/suites.sh
. "$(dirname "$0")/suites.sh"

modules=.build/debug/Modules
[ -f "$modules/UndertextCore.swiftmodule" ] || { echo "there is no debug build: run swift build" >&2 && exit 1; }
mapfile -t sources < <(find Sources/UndertextFFmpeg -name '*.swift')
architecture=$(dpkg-architecture --query DEB_HOST_MULTIARCH 2>/dev/null || gcc -print-multiarch)

downloads=()
for suite in "${suites[@]}"; do
    headers "$suite" &
    downloads+=($!)
done
code=0
for download in "${downloads[@]}"; do wait "$download" || code=$?; done
[ "$code" -eq 0 ] || exit "$code"

failed=0
check() {
    local suite=$1 headers=.build-matrix/headers/$1/usr/include/$architecture linked
    for linked in '' -DCFFMPEG_LINKED; do
        clang -x c -std=c11 -fsyntax-only -Wall -Wextra -Werror -Wno-unused-const-variable -Wno-unused-function \
            -Wno-nullability-completeness -Wno-sign-compare -isystem "$headers" $linked CFFmpeg/shim.h || return 1
    done
    swiftc -typecheck -module-name UndertextFFmpeg "${settings[@]}" -I "$modules" -I CFFmpeg \
        -module-cache-path ".build-matrix/modules/$suite" -Xcc -I"$headers" "${sources[@]}" || return 1
    echo "$suite: FFmpeg $(cat ".build-matrix/headers/$suite/version")"
}
for suite in "${suites[@]}"; do
    check "$suite" || { echo "$suite: CFFmpeg does not compile" && failed=1; }
done
exit "$failed"
