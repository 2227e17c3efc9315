#!/usr/bin/env bash
# Downloads a Debian source package of this system's suite: Packaging/portable/fetch-source.sh NAME=VERSION FOLDER
# The package lists are kept apart from those of the system, which may lack sources.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/../../Scripts/common.sh"

name=${1:?usage: Packaging/portable/fetch-source.sh NAME=VERSION FOLDER}
folder=$(realpath "${2:?usage: Packaging/portable/fetch-source.sh NAME=VERSION FOLDER}")
work=$PWD/.build-portable/apt
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
mirror=${UNDERTEXT_MIRROR:-http://deb.debian.org/debian}
security=${UNDERTEXT_SECURITY_MIRROR:-http://deb.debian.org/debian-security}
{
    echo "deb-src $mirror $codename main"
    if [ "$codename" != sid ]; then
        echo "deb-src $mirror $codename-updates main"
        echo "deb-src $security $codename-security main"
    fi
} >"$work/sources.list"
options=(
    -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root -qq
)
# Lists of this hour will do.
[ -n "$(find "$work/lists" -maxdepth 1 -name '*Sources*' -mmin -60)" ] || apt-get "${options[@]}" update
cd "$folder"
apt-get "${options[@]}" source --download-only --only-source "$name"
