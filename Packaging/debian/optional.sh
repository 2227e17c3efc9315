#!/usr/bin/env bash
# Names the packages of the libraries that are opened at their first use, as dpkg-shlibdeps names those that are linked:
# Packaging/debian/optional.sh FOLDER. Writes FOLDER/substvars.all.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(cd "$1" && pwd)
stubs=$folder/optional
mkdir -p "$stubs/debian"
cp "$folder/control" "$stubs/debian/control"

# A library that calls what CFFmpeg calls: so the versions are those that its symbols need.
cat >"$stubs/ffmpeg.c" <<'END'
#include "shim.h"
int stub(CFFmpegFunctions *functions, CFFmpegScaling *scaling, CFFmpegMuxing *muxing, CFFmpegFailure *failure) {
    return cffmpeg_load(functions, failure) + cffmpeg_load_scaling(scaling, failure) + cffmpeg_load_muxing(muxing, failure);
}
END
clang -w -shared -fPIC -DCFFMPEG_LINKED -I "$root/CFFmpeg" -o "$stubs/ffmpeg.so" "$stubs/ffmpeg.c" \
    -lavformat -lavcodec -lavutil -lswscale

# Libraries without a function of their own to call; linked all the same.
stub() {
    local name=$1
    shift
    echo >"$stubs/$name.c"
    clang -shared -fPIC -o "$stubs/$name.so" "$stubs/$name.c" -Wl,--no-as-needed "$@"
}
stub recommended -lcurl -lsqlite3 -lass -luchardet
stub suggested -ltesseract

dependencies() {
    (cd "$stubs" && dpkg-shlibdeps -O --warnings=0 -e"$1") | sed 's/^shlibs:Depends=//' |
        tr ',' '\n' | sed 's/^ *//' | grep -v -E '^libc6|^libgcc|^libstdc' | paste -sd , - | sed 's/,/, /g'
}
ffmpeg=$(dependencies ffmpeg.so) recommended=$(dependencies recommended.so) suggested=$(dependencies suggested.so)
printf '%s\n' "ffmpeg:Recommends=${ffmpeg:?}" "optional:Recommends=${recommended:?}" "optional:Suggests=${suggested:?}" \
    >"$folder/substvars.all"
rm -rf "$stubs"
