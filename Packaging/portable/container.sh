#!/usr/bin/env bash
# Makes the container image from the portable build: Packaging/portable/container.sh
# The result is dist/undertext-VERSION-container.tar (an OCI archive). Needs root. The root file system comes from mmdebstrap.
# With `test` as an argument, the image is run instead.
# shellcheck source=Scripts/suites.sh
. "$(dirname "$0")/../../Scripts/suites.sh"

work=$PWD/.build-portable stage=$PWD/.build-portable/stage
suite=${UNDERTEXT_SUITE:-bookworm}
[ -d "$stage" ] || { echo "run 'make portable' first" >&2; exit 1; }
Scripts/packages.sh buildah mmdebstrap
# Neither a daemon nor a user namespace nor an overlay file system is needed.
storage=(--storage-driver vfs --root "$work/containers" --runroot "$work/containers-run")
buildah() { command buildah "${storage[@]}" "$@"; }
image=localhost/undertext:$version

build() {
    local root=$work/root-$suite.tar base
    # Made once a week, for security updates. As Debian's slim images: without documentation and translations, and without usrmerge, which needs Perl.
    [ -n "$(find "$root" -mtime -7 2>/dev/null)" ] || mmdebstrap --quiet --variant=apt --mode=root \
        --include=usr-is-merged --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --dpkgopt='path-exclude=/usr/share/info/*' \
        "$suite" "$root" "$(mirror)"
    base=$(buildah from scratch)
    buildah add --quiet "$base" "$root" / >/dev/null
    buildah commit --quiet --rm "$base" localhost/debian-root >/dev/null
    buildah bud --quiet --isolation chroot --build-arg BASE=localhost/debian-root --build-context build="$stage" \
        --squash --label org.opencontainers.image.title=undertext --label "org.opencontainers.image.version=$version" \
        --label "org.opencontainers.image.licenses=Apache-2.0 AND LGPL-2.1-or-later AND MPL-1.1" --tag "$image" --file Packaging/Containerfile "$work/empty"
    # For the SBOM.
    local made mounted
    made=$(buildah from --pull-never "$image")
    mounted=$(buildah mount "$made")
    dpkg-query --admindir="$mounted/var/lib/dpkg" --show \
        --showformat='${source:Package}\t${source:Version}\t${Package}\n' >"$work/container.tsv"
    buildah rm "$made" >/dev/null
    mkdir -p dist
    rm -f "dist/undertext-$version-container.tar"
    buildah push --quiet "$image" "oci-archive:dist/undertext-$version-container.tar:undertext:$version"
}

# Runs the image as its user, with the root file system read-only but for the folder of the outputs.
try() {
    local container mounted size out=$work/container-out before=$work/container-before
    container=$(buildah from --pull-never "$image")
    mounted=$(buildah mount "$container")
    size=$(du --summarize --block-size=1M "$mounted" | cut -f 1)
    echo "the image has $size MB"
    [ "$size" -lt 150 ]
    rm -rf "$out"
    install -d -o 65532 -g 65532 "$out"
    run() {
        buildah run --isolation chroot --volume "$PWD/Fixtures:/media:ro" --volume "$out:/out" "$container" -- "$@"
    }
    [ "$(run id -u)" = 65532 ]
    # Nothing but /tmp and the volume can be written by that user.
    run sh -c 'for path in /usr/local/x /media/x /x; do if touch "$path" 2>/dev/null; then exit 1; fi; done'
    touch "$before"
    run /usr/local/bin/undertext extract -o /out /media/containers/movie.mkv
    run /usr/local/bin/undertext probe --json /media/containers/movie.mp4 >"$out/probe.json"
    run /usr/local/bin/undertext render --at 5 --over-video /media/containers/movie.mkv -o /out/shot.png
    local changed
    changed=$(find "$mounted" -xdev -path "$mounted/tmp" -prune -o -newercm "$before" -type f -print)
    [ -z "$changed" ] || { echo "the image was changed: $changed" >&2; return 1; }
    grep -q '"format_name"' "$out/probe.json"
    [ "$(find "$out" -name '*.vtt' | wc -l)" -gt 0 ]
    [ -s "$out/shot.png" ]
    buildah rm "$container" >/dev/null
    echo "the image works: $(find "$out" -type f | wc -l) files"
}

mkdir -p "$work/empty"
case ${1:-build} in
    build) build "$@" ;;
    test) try "$@" ;;
    *) echo "unknown argument: $1" >&2; exit 64 ;;
esac
