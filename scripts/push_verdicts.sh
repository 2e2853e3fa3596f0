#!/usr/bin/env bash
# Push the commit of verdicts to main: REPOSITORY. GH_TOKEN is in reach of this step alone, and of no program but git.
set -euo pipefail
cd "$1"
export GIT_TERMINAL_PROMPT=0
helper='!f() { echo username=x-access-token; echo "password=$GH_TOKEN"; }; f'
for attempt in 1 2 3; do
  if git -c credential.helper= -c credential.helper="$helper" push --quiet origin HEAD:refs/heads/main; then
    exit 0
  fi
  # Somebody merged meanwhile. Verdicts are files of their own, so putting them on top changes nothing else.
  echo "main has moved on (attempt $attempt)"
  git -c user.name="EmbodiBench verdicts" -c user.email="verdicts@embodibench.invalid" pull --quiet --rebase origin main
done
exit 1
