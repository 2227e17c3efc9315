#!/usr/bin/env bash
# Installs the system packages that are missing: Scripts/packages.sh NAME...
# Without root, prints the apt-get command and exits with code 1. With UNDERTEXT_SKIP_PACKAGES=1, does nothing.
set -euo pipefail
[ "${UNDERTEXT_SKIP_PACKAGES:-}" != 1 ] || exit 0

if ! command -v swift >/dev/null; then
    echo "swift is missing: install a Swift toolchain, 6.3 or later (https://www.swift.org/install)" >&2
    exit 1
fi
if ! command -v dpkg-query >/dev/null; then
    echo "No dpkg here; these are needed, under the names of your system: $*" >&2
    exit 0
fi

missing=()
for name in "$@"; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
    echo "Packages are missing. Install them, then run this again:" >&2
    echo "  sudo apt-get install --yes ${missing[*]}" >&2
    exit 1
fi
echo "Installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
install=(apt-get install --yes --quiet --no-install-recommends "${missing[@]}")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Recent package lists need no update.
if ! "${install[@]}" >"$log" 2>&1; then
    if ! { apt-get update --quiet && "${install[@]}"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "apt-get could not install ${missing[*]}" >&2
        exit 1
    fi
fi
