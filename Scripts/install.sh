#!/usr/bin/env bash
# Installs the command, the C library, manual pages and completions: Scripts/install.sh PREFIX
# DESTDIR goes before all paths, LIBDIR (PREFIX/lib) is the folder of libraries, and STRIP the program that removes
# symbols ('strip'; none if it is empty). The list of what was installed is PREFIX/share/undertext/manifest, which
# Scripts/uninstall.sh reads. With UNDERTEXT_LINKED=1, the C library is not linked again.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

prefix=${1:?usage: Scripts/install.sh PREFIX}
prefix=${prefix%/}
libdir=${LIBDIR:-$prefix/lib}
destination=${DESTDIR:-}
configuration=${UNDERTEXT_CONFIGURATION:-release}
strip=${STRIP-strip}
for path in "$prefix/" "$libdir"; do
    case $path in /*) ;; *) echo "PREFIX and LIBDIR must begin with a slash: $path" >&2; exit 64 ;; esac
done
[ "${UNDERTEXT_LINKED:-}" = 1 ] || Scripts/library.sh "$configuration"
library=.build/$configuration/c/lib
command=.build/$configuration/undertext
manifest=$prefix/share/undertext/manifest
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Removes files that only an earlier version installed; the folders that it made are kept in the list.
old=$destination$manifest
[ ! -f "$old" ] || cp "$old" "$scratch/old"
touch "$scratch/old" "$scratch/new"
grep '/$' "$scratch/old" >>"$scratch/new" || true

# Makes the folder of a path, and lists the ones that were not there.
folder() {
    local path=$1
    [ ! -d "$destination$path" ] || return 0
    if [ "$path" = / ]; then install -d "$destination" && return 0; fi
    folder "$(dirname "$path")"
    install -d "$destination$path"
    echo "$path/" >>"$scratch/new"
}

# put MODE SOURCE PATH; a file that a process uses stays as it is for that process.
put() {
    folder "$(dirname "$3")"
    install -m "$1" "$2" "$destination$3.new"
    mv -f "$destination$3.new" "$destination$3"
    echo "$3" >>"$scratch/new"
}

# link TARGET PATH
link() {
    folder "$(dirname "$2")"
    ln -sfn "$1" "$destination$2"
    echo "$2" >>"$scratch/new"
}

if [ -x "$command" ]; then
    cp -L "$command" "$scratch/undertext"
    [ -z "$strip" ] || "$strip" --strip-all "$scratch/undertext"
    put 755 "$scratch/undertext" "$prefix/bin/undertext"
    # The command takes command lines of FFmpeg under these names; Jellyfin looks for ffprobe beside ffmpeg.
    link undertext "$prefix/bin/undertext-ffmpeg"
    link ../../bin/undertext "$prefix/lib/undertext/ffmpeg"
    link ../../bin/undertext "$prefix/lib/undertext/ffprobe"
    Scripts/man.sh "$configuration"
    for page in .build/manual/*.1; do
        put 644 "$page" "$prefix/share/man/man1/$(basename "$page")"
    done
    put 644 .build/manual/undertext.bash "$prefix/share/bash-completion/completions/undertext"
    put 644 .build/manual/undertext.zsh "$prefix/share/zsh/site-functions/_undertext"
    put 644 .build/manual/undertext.fish "$prefix/share/fish/vendor_completions.d/undertext.fish"
fi

put 644 Sources/Libraries/CUndertext/undertext.h "$prefix/include/undertext.h"
# Linked without symbols already.
put 755 "$library/libundertext.so.$version" "$libdir/libundertext.so.$version"
link "libundertext.so.$version" "$libdir/libundertext.so.${version%%.*}"
link "libundertext.so.${version%%.*}" "$libdir/libundertext.so"
case $libdir in "$prefix"/*) shown="\${prefix}${libdir#"$prefix"}" ;; *) shown=$libdir ;; esac
cat >"$scratch/undertext.pc" <<END
prefix=$prefix
includedir=\${prefix}/include
libdir=$shown

Name: Undertext
Description: Finds, decodes and draws the subtitles of media files
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lundertext
END
put 644 "$scratch/undertext.pc" "$libdir/pkgconfig/undertext.pc"

while read -r path; do
    grep -qxF -e "$path" "$scratch/new" || rm -f "$destination$path"
done < <(grep -v '/$' "$scratch/old")
folder "$(dirname "$manifest")"
echo "$manifest" >>"$scratch/new"
sort -u "$scratch/new" >"$destination$manifest"
chmod 644 "$destination$manifest"

echo "$destination$prefix: undertext $version ($(grep -vc '/$' "$destination$manifest") files)"
case $prefix in
    /usr | /usr/local) [ -n "$destination" ] || [ "$(id -u)" -ne 0 ] || ldconfig ;;
    *) echo "programs find the library with PKG_CONFIG_PATH=$libdir/pkgconfig and -Wl,-rpath,$libdir" ;;
esac
