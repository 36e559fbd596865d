#!/bin/sh
# Makes results/forced anew: late positions of the game of the real size, and whether the side to move forces a win within
# 11 plies. Some ten minutes.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
for rules in advanced very-advanced; do
    "$PODS" frontier --hand-size 3 --max-plies 11 --count 40 --rules "$rules" >> "$rows"
done
mkdir -p results/forced
{ head -n 1 "$rows"; grep -v '^board,' "$rows"; } > results/forced/forced.csv
manifest results/forced/forced.csv "$(git rev-parse HEAD)" scripts/forced.sh \
    '"rules": ["advanced", "very-advanced"],
    "seed": "0 to 39, for each rule set",
    "methods": ["forced"],
    "verified": [],
    "note": "one thread, CPU seconds; the answer is unknown where the limit of 30 million nodes was reached",' \
    boards/cave36.toml boards/pods14.toml
