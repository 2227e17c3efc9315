#!/usr/bin/env bash
# Removes what Scripts/install.sh installed, and the folders that it made and that are empty: Scripts/uninstall.sh PREFIX
# DESTDIR is that of the installation.
set -euo pipefail

prefix=${1:?usage: Scripts/uninstall.sh PREFIX}
prefix=${prefix%/}
destination=${DESTDIR:-}
manifest=$destination$prefix/share/undertext/manifest
if [ ! -f "$manifest" ]; then
    echo "$manifest is missing: nothing is installed there" >&2
    exit 1
fi
list=$(cat "$manifest")
while read -r path; do
    case $path in
        */) ;;
        /*) rm -f "$destination$path" ;;
    esac
done <<<"$list"
# The deepest folders first.
while read -r path; do
    case $path in
        /*/) rmdir "$destination$path" 2>/dev/null || true ;;
    esac
done < <(sort -r <<<"$list")
if [ -z "$destination" ] && [ "$(id -u)" -eq 0 ]; then ldconfig; fi
echo "$destination$prefix: removed $(grep -vc '/$' <<<"$list") files"
