#!/usr/bin/env bash
# Builds the Debian packages of the last commit into dist/: Scripts/package.sh
# The source package contains the sources of all Swift packages; the build has no network where that can be arranged.
# SWIFT: the command swift of the toolchain, if it is not in PATH.
# UNDERTEXT_PACKAGE_FOLDER: where to build, .build-package without it.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

Scripts/packages.sh "${build_packages[@]}" "${trait_packages[@]}" build-essential debhelper dh-python dpkg-dev git libmpv-dev lintian python3 xz-utils
if [ -n "$(git status --porcelain)" ]; then
    echo "warning: the packages contain the last commit, without the changes since" >&2
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# Before a release, the version is lower than that of the release.
if [ "$(git describe --tags --exact-match 2>/dev/null)" != "$version" ]; then
    version+="~git$(date --utc --date "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S).$(git rev-parse --short=8 HEAD)"
    change="Snapshot of what will be the next release."
else
    change="New release."
fi

folder=${UNDERTEXT_PACKAGE_FOLDER:-$PWD/.build-package}
tree=$folder/undertext-$version
dist=$PWD/dist
[ -f .build/workspace-state.json ] || swift package --enable-all-traits resolve
rm -rf "$folder"
mkdir -p "$tree" "$dist"
git archive HEAD | tar --extract --directory "$tree"
Packaging/vendor.py collect .build "$tree/vendor"
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w --format=gnu \
    --directory "$folder" --create "undertext-$version" | xz --threads=2 >"$folder/undertext_$version.orig.tar.xz"
cp -r "$tree/Packaging/debian" "$tree/debian"
cat >"$tree/debian/changelog" <<END
undertext ($version-1) unstable; urgency=medium

  * $change CHANGELOG.md lists what is new.

 -- $(sed -n 's/^Maintainer: //p' Packaging/debian/control)  $(date --utc --date "@$SOURCE_DATE_EPOCH" --rfc-email)
END

# Root builds without a network, and in /mnt of a namespace of its own: the compiler stores lengths and hashes of the paths
# of sources even if the paths are mapped, and another folder must not give other packages.
separately=()
where=$folder
if [ "$(id -u)" -eq 0 ] && unshare --net --mount true 2>/dev/null; then
    # shellcheck disable=SC2016
    separately=(unshare --net --mount sh -c 'mount --bind "$1" /mnt && shift && exec "$@"' sh "$folder")
    where=/mnt
else
    echo 'warning: the build has a network, and another folder may give other packages' >&2
fi
LC_ALL=C.UTF-8 TZ=UTC "${separately[@]}" \
    sh -c 'cd "$1" && exec dpkg-buildpackage --build=full --no-sign' sh "$where/undertext-$version"
rm -f "$dist"/*.deb "$dist"/undertext_*
cp "$folder"/*.changes "$folder"/*.buildinfo "$folder"/*.dsc "$folder"/*.tar.xz "$folder"/*.deb "$dist"
# These packages close no bug in Debian's tracker.
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs --tag-display-limit 0 "$dist"/undertext_*_*.changes
(cd "$dist" && sha256sum ./*.deb)
