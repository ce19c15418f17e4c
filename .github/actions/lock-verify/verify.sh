#!/usr/bin/env bash
# Runs the proxy with CONFIG, compares its servers with LOCK and writes the report as Markdown to REPORT.
# Sets the output exit-code to that of `proxy lock verify`.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
data=$(mktemp -d)
read -ra proxy <<<"$PROXY"
"${proxy[@]}" serve --config "$CONFIG" --data-dir "$data" --listen 127.0.0.1:0 --log-level warn &
pid=$!
trap 'kill $pid 2>/dev/null; wait $pid 2>/dev/null; rm -rf "$data"' EXIT
ready() { "${proxy[@]}" healthcheck --ready --data-dir "$data" >/dev/null 2>&1; }
until ready; do
  kill -0 $pid 2>/dev/null || { echo "::error::the proxy ended"; exit 1; }
  [ $SECONDS -lt "$TIMEOUT" ] || { echo "::error::the proxy is not ready after $TIMEOUT s"; exit 1; }
  sleep 1
done
accepted=()
for class in $ALLOW; do accepted+=(--allow "$class"); done
"${proxy[@]}" lock verify --file "$LOCK" ${accepted[@]+"${accepted[@]}"} --data-dir "$data" -o json >"$data/report.json"
code=$?
node "$here/report.mjs" "$code" "$data/report.json" | tee "$REPORT"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$REPORT" >>"$GITHUB_STEP_SUMMARY"; fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "exit-code=$code" >>"$GITHUB_OUTPUT"; fi
