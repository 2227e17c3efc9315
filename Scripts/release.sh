#!/usr/bin/env bash
# Builds .build/release/undertext: Scripts/release.sh [BUILD OPTION...]
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

Scripts/packages.sh "${build_packages[@]}"
swift build -c release --product undertext --static-swift-stdlib "$@"
echo ".build/release/undertext: $(stat --format %s -L .build/release/undertext) bytes"
