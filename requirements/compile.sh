#!/usr/bin/env bash
# Write requirements/constraints/ again: every package that our direct pins bring, at its newest.
# Needs uv. Files are written beside and renamed, so a failure leaves the old ones.
set -euo pipefail
cd "$(dirname "$0")/constraints"

compile() { # name, Python, requirement file
  head -1 "$1.txt" >"$1.txt.new"
  cp "$1.txt" "$1.txt.old"
  head -1 "$1.txt.old" >"$1.txt" # -c of the input must not hold the old versions fast
  if uv pip compile --quiet --universal --python-version "$2" --no-annotate --no-header "$3" \
    >>"$1.txt.new"; then
    mv "$1.txt.new" "$1.txt" && rm "$1.txt.old"
  else
    mv "$1.txt.old" "$1.txt" && rm "$1.txt.new" && exit 1
  fi
}

compile default 3.11 ../../requirements.txt
compile colab 3.11 ../colab-torch.txt
compile current 3.13 ../current.txt
compile lab 3.11 ../lab.txt
