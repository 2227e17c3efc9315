#!/usr/bin/env bash
# Builds the plugin for mpv, .build/mpv/undertext.so: Scripts/mpv.sh [PREFIX | debug | release]
# PREFIX (/usr/local) and LIBDIR are those of `make install`. `debug` links that of the debug build, for the tests;
# `release` that of the release build, for packages, whose library is in a folder of the system.
# UNDERTEXT_MPV_FLAGS: more flags for the compiler, such as -fsanitize=address,undefined.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

Scripts/packages.sh gcc libc6-dev libmpv-dev pkg-config
prefix=${1:-/usr/local}
if [ "$prefix" = debug ] || [ "$prefix" = release ]; then
    libdir=$PWD/.build/$prefix/c/lib
    library=(-ISources/Libraries/CUndertext "-L$libdir" -lundertext)
    [ -e "$libdir/libundertext.so" ] || { echo "$libdir/libundertext.so is missing: run Scripts/library.sh $prefix" >&2; exit 1; }
else
    export PKG_CONFIG_PATH=${LIBDIR:-$prefix/lib}/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    if ! pkg-config --exists undertext; then
        echo "The C library is not installed in $prefix: run make install PREFIX=$prefix" >&2
        exit 1
    fi
    libdir=$(pkg-config --variable=libdir undertext)
    library=("-I$(pkg-config --variable=includedir undertext)" "-L$libdir" -lundertext)
fi
read -ra headers < <(pkg-config --cflags mpv)
read -ra more <<<"${UNDERTEXT_MPV_FLAGS:-}"
[ "$prefix" = release ] || library+=("-Wl,-rpath,$libdir")
mkdir -p .build/mpv
# mpv itself has the functions of client.h, so libmpv is not linked.
"${CC:-cc}" -std=c11 -O2 -g -fPIC -shared -fvisibility=hidden -fstack-protector-strong \
    -Wall -Wextra -Wconversion -Werror "${headers[@]}" Integrations/mpv/*.c \
    "${library[@]}" -lm -pthread "${more[@]}" -o .build/mpv/undertext.so.new
mv -f .build/mpv/undertext.so.new .build/mpv/undertext.so
if [ "$prefix" != debug ] && [ "$prefix" != release ]; then
    echo '.build/mpv/undertext.so is ready: copy it to ~/.config/mpv/scripts/'
fi
