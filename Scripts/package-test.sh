#!/usr/bin/env bash
# Installs the Debian packages of dist/ into a clean root, uses, upgrades and purges them: Scripts/package-test.sh [SUITE]
# The suite is that of this system, for which the packages were built. Root is required.
# shellcheck source=Scripts/suites.sh
. "$(dirname "$0")/suites.sh"

[ "$(id -u)" -eq 0 ] || { echo "root is required: run this with sudo" >&2 && exit 1; }
suite=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
Scripts/packages.sh binutils dpkg-dev mmdebstrap
root=$PWD/.build-matrix/root-packages
trap 'rm -rf "$root"' EXIT
new_root "$root" "$suite" base

# Position-independent, bound at the start, and read-only after that; stacks are protected and not executable.
for package in dist/undertext_*.deb dist/libundertext0_*.deb dist/mpv-undertext_*.deb; do
    dpkg-deb --extract "$package" "$root/tmp/hardened"
done
for file in "$root"/tmp/hardened/usr/bin/undertext "$root"/tmp/hardened/usr/lib/*/libundertext.so.*.*.* \
    "$root"/tmp/hardened/usr/lib/mpv-undertext/undertext.so; do
    headers=$(readelf --wide --file-header --program-headers --dynamic --dyn-syms "$file")
    for sign in 'Type: *DYN' GNU_RELRO 'FLAGS.*NOW' 'GNU_STACK.* RW ' __stack_chk_fail; do
        grep -q "$sign" <<<"$headers" || { echo "${file#"$root/tmp/hardened"} is not hardened: no $sign" >&2 && exit 1; }
    done
done
rm -r "$root/tmp/hardened"

mkdir -p "$root/packages/old"
cp dist/undertext_*.deb dist/libundertext0_*.deb dist/libundertext-dev_*.deb dist/python3-undertext_*.deb \
    dist/mpv-undertext_*.deb "$root/packages/"
mkdir -p "$root/packages/Tests" "$root/packages/Fixtures/containers"
cp -r Tests/mpv "$root/packages/Tests/"
cp Fixtures/containers/movie.mkv "$root/packages/Fixtures/containers/"
cp Fixtures/containers/movie.{mkv,mp4,ts} Examples/c/cues.c Packaging/debian/installed.sh "$root/packages/"
# The version before: the same files with a lower number.
for package in "$root"/packages/*.deb; do
    version=$(dpkg-deb --field "$package" Version)
    rm -rf "$root/packages/tree"
    dpkg-deb --raw-extract "$package" "$root/packages/tree"
    sed -i "s/^Version: .*/Version: 0.0.1-1/; s/(= $version)/(= 0.0.1-1)/; s/(>= ${version%-*})/(>= 0.0.1)/" "$root/packages/tree/DEBIAN/control"
    dpkg-deb --root-owner-group -Znone --build "$root/packages/tree" "$root/packages/old" >/dev/null
done
rm -rf "$root/packages/tree"
enter "$root" bash /packages/installed.sh
echo "$suite: the packages were installed, used, upgraded and purged"
