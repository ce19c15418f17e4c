#!/usr/bin/env bash
# Installs the clients of package.json beside this file into a cache folder, once for each state of the lock file, and
# prints that folder. Fails if a package cannot be fetched; the tests then skip and say so.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
state=$(sha256sum "$here/package-lock.json" | cut -c1-16)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/proxy-test/clients-$state
if [ ! -e "$folder/complete" ]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  cp "$here/package.json" "$here/package-lock.json" "$folder"
  (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund) >&2
  touch "$folder/complete"
fi
echo "$folder"
