#!/usr/bin/env bash
# Installs the servers of npm and PyPI that test/e2e/offered.test.ts puts behind the proxy into a cache folder, once for
# each state of the lists beside this file, and prints that folder. The two Python environments also serve the tests that
# need the package "mcp" (TEST_PYTHON_MCP). Fails where there is no Python 3.10, or a package cannot be had: the tests
# then skip and say so.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
state=$(cat "$here"/package-lock.json "$here"/mcp-1.txt "$here"/mcp-2.txt | sha256sum | cut -c1-16)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/proxy-servers/$state
if [ ! -e "$cache/complete" ]; then
  rm -rf "$cache"
  mkdir -p "$cache"
  cp "$here/package.json" "$here/package-lock.json" "$cache"
  (cd "$cache" && npm ci --ignore-scripts --no-audit --no-fund) >&2
  for environment in mcp-1 mcp-2; do
    python3 -m venv "$cache/$environment" >&2
    "$cache/$environment/bin/pip" install --quiet --no-compile --disable-pip-version-check --require-hashes -r "$here/$environment.txt" >&2
  done
  touch "$cache/complete"
fi
echo "$cache"
