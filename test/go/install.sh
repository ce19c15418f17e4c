#!/usr/bin/env bash
# Usage: test/go/install.sh NAME
# Builds the program test/go/NAME into a cache folder, once for each state of its files, and prints its path. Fails
# without Go, or if its modules cannot be fetched; the tests that need it then skip and say so.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)/$1
state=$(cat "$source"/go.mod "$source"/go.sum "$source"/*.go | sha256sum | cut -c1-16)
program=${XDG_CACHE_HOME:-$HOME/.cache}/proxy-test/go-$1-$state
if [ ! -x "$program" ]; then
  (cd "$source" && CGO_ENABLED=0 go build -mod=readonly -trimpath -ldflags="-s -w" -o "$program.new" .) >&2
  mv "$program.new" "$program"
fi
echo "$program"
