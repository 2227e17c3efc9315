#!/usr/bin/env bash
# Makes everything that a release publishes in dist: Scripts/dist.sh
# The Debian packages, the portable build with its sources, the wheel, the container image, an SBOM, the notes of the version,
# and SHA-256 sums of all files. Needs root for the container image; without it, that is left out.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

# The Debian packages are those of the last commit, and the rest has to be the same.
if [ -n "$(git status --porcelain)" ]; then
    echo 'There are changes that are not committed; a release has none.' >&2
    exit 1
fi
# Files of an earlier version would get sums, too.
rm -rf dist
step 'Debian packages' Scripts/package.sh
step 'portable build' Packaging/portable/build.sh
step 'sources' Packaging/portable/sources.sh
step 'wheel' Packaging/portable/wheel.sh
if [ "$(id -u)" -eq 0 ]; then
    step 'container image' Packaging/portable/container.sh build
else
    echo 'The container image needs root; it is left out.'
fi

# The section of this version, or *Unreleased* before the release.
awk -v version="$version" '
    /^## / { inside = 0; title = $2; gsub(/[][]/, "", title) }
    /^## / && title == version { inside = 1; found = 1; text = ""; next }
    /^## Unreleased/ && !found { inside = 1; text = ""; next }
    inside { text = text $0 "\n" }
    END { printf "# Undertext %s\n%s", version, text }
' CHANGELOG.md >"dist/undertext-$version-notes.md"

tools=$PWD/.build-portable/sbom-tools
if ! "$tools/bin/python" -c 'import cyclonedx.contrib, packageurl' 2>/dev/null; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check 'cyclonedx-python-lib[json-validation]'
fi
parts=(.build-portable/bundled.tsv)
[ "$(id -u)" -ne 0 ] || parts+=(.build-portable/container.tsv)
"$tools/bin/python" Packaging/sbom.py .build dist "dist/undertext-$version.cdx.json" "${parts[@]}"
# shellcheck disable=SC2094
(cd dist && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\0' | sort -z | xargs -0 sha256sum >SHA256SUMS)
echo 'dist:'
(cd dist && du -h -- * | sed 's/^/  /')
