#!/usr/bin/env bash
# Comment on the pull request whose check has ended. Environment: GH_TOKEN, REPOSITORY, RUN, HEAD, OWNER, BRANCH, all of
# the event. Nothing of the pull request is checked out or executed; its report is read as data.
set -euo pipefail
scripts=$(cd "$(dirname "$0")" && pwd)
[[ $HEAD =~ ^[0-9a-f]{40}$ && $RUN =~ ^[0-9]+$ ]] || { echo "not an event of a check" >&2; exit 2; }
work=$(mktemp -d)
cd "$work"
artifact=$(gh api "repos/$REPOSITORY/actions/runs/$RUN/artifacts" \
  --jq '[.artifacts[] | select(.name == "submission-report" and (.expired | not) and .size_in_bytes <= 200000)][0].id // empty')
if [ -z "$artifact" ]; then
  echo "The check left no report of a permitted size."
  exit 0
fi
gh api "repos/$REPOSITORY/actions/artifacts/$artifact/zip" > report.zip
gh api --method GET "repos/$REPOSITORY/pulls" -f state=open -f "head=$OWNER:$BRANCH" > pulls.json
number=$(python3 "$scripts/submission_comment.py" number pulls.json "$HEAD")
[[ $number =~ ^[0-9]+$ ]] || { echo "No open pull request has this head."; exit 0; }
gh api --paginate "repos/$REPOSITORY/pulls/$number/files?per_page=100" --jq '.[].filename' > files.txt
python3 "$scripts/submission_comment.py" comment report.zip files.txt > comment.md
[ -s comment.md ] || exit 0
# One comment a pull request: the old one is written over.
old=$(gh api --paginate "repos/$REPOSITORY/issues/$number/comments" --jq '.[] | select(.user.login == "github-actions[bot]"
  and (.body | startswith("<!-- embodibench submission check -->"))) | .id' | head -n 1)
if [ -n "$old" ]; then
  gh api --method PATCH "repos/$REPOSITORY/issues/comments/$old" -F body=@comment.md --silent
else
  gh api --method POST "repos/$REPOSITORY/issues/$number/comments" -F body=@comment.md --silent
fi
