#!/usr/bin/env bash
# Open an issue that names the failed run, or add the run to the issue that is open already.
# Wants GH_TOKEN with issues: write, and what GitHub sets in every job.
set -euo pipefail
title="$1"
run="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"
number=$(gh issue list --repo "$GITHUB_REPOSITORY" --state open --limit 200 --json number,title \
  --jq "map(select(.title == \"$title\"))[0].number // empty")
if [ -n "$number" ]; then
  gh issue comment "$number" --repo "$GITHUB_REPOSITORY" --body "다시 실패했습니다: $run"
else
  gh issue create --repo "$GITHUB_REPOSITORY" --title "$title" --body "주마다 하는 확인이 실패했습니다: $run"
fi
