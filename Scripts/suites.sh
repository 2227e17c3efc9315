# Read by the scripts that use Debian's suites.
# shellcheck shell=bash
# shellcheck source=Scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Debian 12, 13 and unstable, with FFmpeg 5.1, 7.1 and 9.0.
# shellcheck disable=SC2034
suites=(bookworm trixie sid)
# shellcheck disable=SC2034
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The settings of UndertextFFmpeg in Package.swift. SwiftPM names packages after their folders.
# shellcheck disable=SC2034
settings=(-swift-version 6 -package-name "$(basename "$PWD" | tr '[:upper:]' '[:lower:]')" -strict-memory-safety -warnings-as-errors)
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility NonisolatedNonsendingByDefault; do
    settings+=(-enable-upcoming-feature "$feature")
done

# The mirror that apt is configured with, or DEBIAN_MIRROR.
mirror() {
    local address=${DEBIAN_MIRROR:-}
    if [ -z "$address" ] && command -v apt-get >/dev/null; then
        # shellcheck disable=SC2016
        address=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' 2>/dev/null |
            grep -E '/debian/?$' | head -n 1 || true)
    fi
    echo "${address%/}"
}

# The folder with the FFmpeg headers of a suite: headers SUITE. They are downloaded once a week, and without root.
headers() {
    local suite=$1 folder=$PWD/.build-matrix/headers/$1
    [ -z "$(find "$folder/version" -mtime -7 2>/dev/null)" ] || return 0
    local address options
    address=$(mirror)
    [ -n "$address" ] || { echo "apt has no Debian mirror; set DEBIAN_MIRROR" >&2 && return 77; }
    [ -f "$keyring" ] || { echo "$keyring is missing: install debian-archive-keyring" >&2 && return 77; }
    rm -rf "$folder"
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
    echo "deb [signed-by=$keyring] $address $suite main" >"$folder/sources.list"
    options=(
        -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o Dir::State::status=/dev/null
        -o APT::Update::Post-Invoke-Success= -o APT::Sandbox::User=
        -o Acquire::Retries=2 -o Acquire::http::Timeout=20
    )
    if ! apt-get "${options[@]}" --quiet --quiet --error-on=any update >"$folder/log" 2>&1 ||
        ! (cd "$folder" && apt-get "${options[@]}" --quiet --quiet download \
            libavformat-dev libavcodec-dev libavutil-dev libswscale-dev) >>"$folder/log" 2>&1; then
        tail -n 3 "$folder/log" >&2
        echo "$suite: its FFmpeg headers cannot be downloaded from apt's mirror" >&2
        return 77
    fi
    for package in "$folder"/*.deb; do dpkg-deb --extract "$package" "$folder"; done
    dpkg-deb --field "$folder"/libavformat-dev_*.deb Version >"$folder/version"
    rm -rf "$folder"/{lists,cache} "$folder"/*.deb "${folder:?}"/usr/{lib,share}
}

# The archive of a root with packages, made once a week: root_archive SUITE NAME [PACKAGE...]
root_archive() {
    local suite=$1 name=$2 address settings
    local archive=$PWD/.build-matrix/roots/$suite-$name.tar
    shift 2
    if [ -z "$(find "$archive" -mtime -7 2>/dev/null)" ]; then
        address=$(mirror)
        [ -n "$address" ] || { echo "apt has no Debian mirror; set DEBIAN_MIRROR" >&2 && return 77; }
        mkdir -p .build-matrix/roots
        # If this machine does not check the dates of archives, the root does not, either.
        mapfile -t settings < <(apt-config dump --no-empty --format='--aptopt=%f "%v";%n' Acquire::Check-Valid-Until Acquire::Check-Date)
        mmdebstrap --quiet --variant=apt --include="$(IFS=, && echo "ca-certificates,$*" | sed 's/,$//')" \
            "${settings[@]}" "$suite" "${archive%.tar}.new.tar" "$address" >&2
        mv "${archive%.tar}.new.tar" "$archive"
    fi
    echo "$archive"
}

# A new root: new_root FOLDER SUITE NAME [PACKAGE...]
new_root() {
    local folder=$1 archive
    shift
    archive=$(root_archive "$@")
    rm -rf "$folder"
    mkdir -p "$folder"
    tar --extract --file "$archive" --directory "$folder" --numeric-owner
    # Services are not started.
    printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
    chmod +x "$folder/usr/sbin/policy-rc.d"
    cp /etc/resolv.conf "$folder/etc/"
}

# Runs a command in a root: enter FOLDER COMMAND...; BIND has folders that it sees at the same path, read-only.
enter() {
    local root=$1
    shift
    # shellcheck disable=SC2016
    BIND="${BIND:-}" unshare --mount --propagation private bash -eu -c '
        root=$1; shift
        mount --bind /dev "$root/dev"
        mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$root/dev/pts"
        mount -t proc proc "$root/proc"
        mount --bind /sys "$root/sys"
        mount -o remount,bind,ro "$root/sys"
        for folder in $BIND; do
            mkdir -p "$root$folder"
            mount --bind "$folder" "$root$folder"
            mount -o remount,bind,ro "$root$folder"
        done
        exec chroot "$root" env --ignore-environment HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"' _ "$root" "$@"
}
