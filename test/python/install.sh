#!/usr/bin/env bash
# Installs what test/e2e/contract.test.ts runs into a cache folder, once for each state of requirements.txt, and prints
# the program's path. Fails where there is no Python 3.10, or its packages cannot be had: the test then skips and says so.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
state=$(sha256sum "$here/requirements.txt" | cut -c1-16)
venv=${XDG_CACHE_HOME:-$HOME/.cache}/proxy-contract/$state
if [ ! -x "$venv/bin/schemathesis" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv" >&2
  "$venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$here/requirements.txt" >&2 || {
    rm -rf "$venv"
    exit 1
  }
fi
echo "$venv/bin/schemathesis"
