#!/bin/sh
# Makes results/laboratory/forced anew: late positions of the game of the real size, and whether the side to move forces a win within
# 11 plies. Some ten minutes.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
cargo build --release --quiet --example late_positions
late=${CARGO_TARGET_DIR:-target}/release/examples/late_positions
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
for rules in advanced very-advanced; do
    "$late" "$rules" 3 11 40 >> "$rows"
done
mkdir -p results/laboratory/forced
{ head -n 1 "$rows"; grep -v '^board,' "$rows"; } > results/laboratory/forced/forced.csv
manifest results/laboratory/forced/forced.csv "$(git rev-parse HEAD)" scripts/forced.sh \
    '"rules": ["advanced", "very-advanced"],
    "seed": "0 to 39, for each rule set",
    "methods": ["forced"],
    "verified": [],
    "note": "one thread, seconds of the clock; the answer is unknown where the limit of 30 million nodes was reached",' \
    boards/cave36.toml boards/pods14.toml
