#!/usr/bin/env bash
# Tests the Python package against the C library of the debug build: Scripts/python.sh [OPTION OF PYTEST...]
# The tools come from PyPI into an environment of their own; a build has to have been made before.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/common.sh"

environment=$PWD/.build/python-package
packages=(cffi numpy pytest mypy types-cffi av pysubs2)
if ! "$environment/bin/python" -c 'import cffi, numpy, pytest, mypy, av, pysubs2' 2>/dev/null; then
    if ! { python3 -m venv "$environment" && "$environment/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"; }; then
        echo "PyPI cannot be reached; the tests need ${packages[*]}" >&2
        # Scripts/test.sh reports this as skipped, and with CI set fails.
        exit 77
    fi
fi
Scripts/library.sh debug
cd Python
"$environment/bin/mypy" --no-error-summary --cache-dir "$environment/mypy" undertext
PYTHONPATH=$PWD PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" -m pytest "$@"
