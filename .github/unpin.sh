#!/usr/bin/env bash
# The weekly run asks what the newest releases do: drop the pins of the current lane.
set -euo pipefail
cd "$(dirname "$0")/../requirements"
sed -i -e 's/==.*//' -e '/^-c /d' current.txt
