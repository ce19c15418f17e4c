#!/usr/bin/env bash
# Usage: test/npm/install.sh LIST
# Installs the packages of test/npm/LIST/package.json into a cache folder, once for each state of the lock file, and
# prints that folder. Install scripts do not run. Fails if a package cannot be fetched; the tests then skip and say so.
set -euo pipefail
list=$(cd "$(dirname "$0")" && pwd)/$1
state=$(sha256sum "$list/package-lock.json" | cut -c1-16)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/proxy-test/npm-$1-$state
if [ ! -e "$folder/complete" ]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  cp "$list/package.json" "$list/package-lock.json" "$folder"
  # `npm ci` rejects a lock file if an optional dependency for another platform was never published.
  (cd "$folder" && npm install --ignore-scripts --no-audit --no-fund) >&2
  touch "$folder/complete"
fi
echo "$folder"
