#!/usr/bin/env bash
# Check what a pull request changes, with the code of the base branch: REPOSITORY BASE HEAD WORK
#   REPOSITORY  clone with the base branch checked out, and the commits of the pull request fetched
#   BASE, HEAD  commits
#   WORK        new folder: the pull request's files as data, and report.json
# Exit code 0: accepted, or nothing to check; 1: refused.
set -euo pipefail
repository=$1 base=$2 head=$3 work=$4
for commit in "$base" "$head"; do
  [[ $commit =~ ^[0-9a-f]{40}$ ]] || { echo "not a commit: $commit" >&2; exit 2; }
done
mkdir -p "$work"
kind=$(python "$repository/scripts/take_submission.py" "$repository" "$base" "$head" "$work/data")
if [ "$kind" = nothing ]; then
  echo '{"verdict": "nothing", "submissions": []}' > "$work/report.json"
  echo "No submission is touched."
  exit 0
fi
code=0
timeout 1800 python -m embodibench check --changed-files "$work/data/changes.txt" --root "$work/data" \
  --against "$repository/submissions" --json > "$work/report.json" || code=$?
if [ "$code" -gt 1 ]; then
  echo '{"verdict": "broken", "submissions": []}' > "$work/report.json"
fi
# Texts of strangers must not give commands to the runner, which reads them in what a step prints.
sed 's/::/: :/g; s/##\[/# #[/g' "$work/report.json"
exit "$code"
