#!/usr/bin/env bash
# Installs the command, the C library, its header and its pkg-config file: Scripts/install.sh PREFIX
# DESTDIR, if it is set, goes before PREFIX, as packagers expect.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

prefix=${1:?usage: Scripts/install.sh PREFIX}
configuration=${UNDERTEXT_CONFIGURATION:-release}
case $prefix in /*) ;; *) echo "PREFIX must begin with a slash: $prefix" >&2; exit 64 ;; esac
Scripts/library.sh "$configuration"
root=${DESTDIR:-}$prefix
library=.build/$configuration/c/lib
version=$(sed -n 's/^package let undertextVersion = "\(.*\)"$/\1/p' Sources/Undertext/Version.swift)

install -d "$root/bin" "$root/include" "$root/lib/pkgconfig"
if [ -x ".build/$configuration/undertext" ]; then
    install -m 755 ".build/$configuration/undertext" "$root/bin/undertext"
    # The command takes command lines of FFmpeg under these names; Jellyfin looks for ffprobe beside ffmpeg.
    install -d "$root/lib/undertext"
    ln -sf undertext "$root/bin/undertext-ffmpeg"
    ln -sf ../../bin/undertext "$root/lib/undertext/ffmpeg"
    ln -sf ../../bin/undertext "$root/lib/undertext/ffprobe"
fi
install -m 644 Sources/Libraries/CUndertext/undertext.h "$root/include/undertext.h"
install -m 755 "$library/libundertext.so.$version" "$root/lib/"
cp -P "$library/libundertext.so.${version%%.*}" "$library/libundertext.so" "$root/lib/"
cat >"$root/lib/pkgconfig/undertext.pc" <<END
prefix=$prefix
includedir=\${prefix}/include
libdir=\${prefix}/lib

Name: Undertext
Description: Subtitles of media files: found, decoded and drawn
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lundertext
END
echo "installed into $root: include/undertext.h, lib/libundertext.so.$version, lib/pkgconfig/undertext.pc"
echo "programs find it after ldconfig, or with PKG_CONFIG_PATH=$prefix/lib/pkgconfig and -Wl,-rpath,$prefix/lib"
