#!/usr/bin/env bash
# Usage: test/python/install.sh LIST PROGRAM
# Installs the packages of test/python/LIST.txt into a cache folder, once for each state of the list, and prints the path
# of a program of theirs. Fails without Python 3.10 or newer, or if the packages cannot be fetched; the tests that need
# them then skip and say so.
set -euo pipefail
list=$(cd "$(dirname "$0")" && pwd)/$1.txt
state=$(sha256sum "$list" | cut -c1-16)
venv=${XDG_CACHE_HOME:-$HOME/.cache}/proxy-test/$1-$state
if [ ! -x "$venv/bin/$2" ] || [ ! -e "$venv/complete" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv" >&2
  # A list names all packages. Were they resolved again, a newer version than a listed one with extras would be an error.
  "$venv/bin/pip" install --quiet --no-compile --disable-pip-version-check --no-deps --require-hashes -r "$list" >&2 || {
    rm -rf "$venv"
    exit 1
  }
  touch "$venv/complete"
fi
echo "$venv/bin/$2"
