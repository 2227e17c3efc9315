#!/usr/bin/env bash
# Compares undertext sync with ffsubsync: Tests/Benchmarks/Sync/run.sh
#
# Prints Markdown. README.md of the folder above says what is measured.
#
# UNDERTEXT the binary (.build/release/undertext)
# PAIRS     a regular expression for the names of pairs (all)
# COUNT     how many pairs that belong together (200); a fifth as many do not
# SEED      the seed of the pairs (1)
# CORPUS    the folder of the independent test data (../shared/corpus)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

out=bench-out/sync
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$out"
[ -x "$out/python/bin/ffsubsync" ] || {
    Scripts/packages.sh python3-venv >&2
    python3 -m venv "$out/python"
    "$out/python/bin/pip" install --quiet --disable-pip-version-check ffsubsync >&2
}
rm -rf "$out/pairs"
python3 Tests/Benchmarks/Sync/pairs.py "$out/pairs" "${CORPUS:-../shared/corpus}" "${COUNT:-200}" "${SEED:-1}"
FFSUBSYNC=$out/python/bin/ffsubsync exec python3 Tests/Benchmarks/Sync/compare.py \
    "$out/pairs" "$out/results.json" undertext ffsubsync ffsubsync-split ffsubsync-gss
