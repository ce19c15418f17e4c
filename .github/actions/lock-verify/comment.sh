#!/usr/bin/env bash
# Writes REPORT as the comment on pull request NUMBER, in place of the comment of an earlier run.
# A token that may not write, as for pull requests from forks, gives a warning; the report is also in the job's summary.
set -uo pipefail
[ -s "$REPORT" ] || exit 0
mark=$(head -n 1 "$REPORT")
comments="repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments"
write() {
  local id
  id=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$mark\")) | .id" | head -n 1) || return
  if [ -n "$id" ]; then
    gh api --silent -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F body=@"$REPORT"
  else
    gh api --silent "$comments" -F body=@"$REPORT"
  fi
}
write || echo "::warning::the comment on the pull request could not be written"
