#!/usr/bin/env bash
# Downloads a Debian source package of this system's suite: Packaging/portable/fetch-source.sh NAME=VERSION FOLDER
# The package lists are kept apart from those of the system, which may lack sources.
# shellcheck source=Scripts/suites.sh
. "$(dirname "$0")/../../Scripts/suites.sh"

name=${1:?usage: Packaging/portable/fetch-source.sh NAME=VERSION FOLDER}
folder=$(realpath "${2:?usage: Packaging/portable/fetch-source.sh NAME=VERSION FOLDER}")
work=$PWD/.build-portable/apt
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
address=$(mirror)
[ -n "$address" ] || { echo "apt has no Debian mirror; set DEBIAN_MIRROR" >&2 && exit 1; }
# shellcheck disable=SC2016
security=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' 2>/dev/null |
    grep -E '/debian-security/?$' | head -n 1 || true)
{
    echo "deb-src $address $codename main"
    if [ "$codename" != sid ]; then
        echo "deb-src $address $codename-updates main"
        [ -z "$security" ] || echo "deb-src $security $codename-security main"
    fi
} >"$work/sources.list"
options=(
    -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root -qq
)
# Lists that are newer than an hour are used again.
[ -n "$(find "$work/lists" -maxdepth 1 -name '*Sources*' -mmin -60)" ] || apt-get "${options[@]}" update
cd "$folder"
apt-get "${options[@]}" source --download-only --only-source "$name"
