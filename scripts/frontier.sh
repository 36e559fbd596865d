#!/bin/sh
# Makes results/frontier anew: how early in the Standard game of the real size random positions are solved, by ply; the rows
# and a picture of them; and the same at ply 8 on 20 random boards with random pods of the real make-up (random.csv).
# Some minutes on two cores; the last column is CPU seconds of one thread. PODS names another program than the release build,
# COMMIT what it was built from.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
rows=$(mktemp -d)
trap 'rm -rf "$rows"' EXIT
measure() {
    "$PODS" frontier --ply 14 --ply 12 --ply 10 --count 10 --orientation "$1" --memory 64MiB > "$rows/$1"
    "$PODS" frontier --ply 8 --count 5 --max-nodes 60000000 --orientation "$1" --memory 1GiB >> "$rows/$1"
    "$PODS" frontier --ply 6 --count 5 --max-nodes 60000000 --orientation "$1" --memory 1GiB >> "$rows/$1"
    "$PODS" frontier --ply 4 --count 1 --max-nodes 60000000 --orientation "$1" --memory 1GiB >> "$rows/$1"
}
random() {
    "$PODS" new board --random --seed "$1" > "$rows/board$1.toml"
    "$PODS" new pods --random --seed "$1" > "$rows/pods$1.toml"
    for turn in 0 90 180 270; do
        "$PODS" frontier --board "$rows/board$1.toml" --pods "$rows/pods$1.toml" --ply 8 --count 1 \
            --max-nodes 60000000 --orientation "$turn" --memory 1GiB
    done
}
measure 0 & measure 90; wait $!
measure 180 & measure 270; wait $!
mkdir -p results/frontier
{ head -n 1 "$rows/0"; cat "$rows/0" "$rows/90" "$rows/180" "$rows/270" | grep -v '^board,'; } > results/frontier/frontier.csv
{ head -n 1 "$rows/0"; for seed in $(seq 20); do random "$seed" | grep -v '^board,'; done; } > "$rows/random"
mv "$rows/random" results/frontier/random.csv
"$PODS" frontier --from results/frontier/frontier.csv --plot results/frontier/frontier.svg
manifest results/frontier/frontier.csv "${COMMIT:-$(git rev-parse HEAD)}" scripts/frontier.sh \
    '"rules": ["standard"],
    "seed": "0 to 9, 0 to 4 at plies 8 and 6, 0 at ply 4, for each orientation; random.csv: boards and pods 1 to 20, position 0",
    "methods": ["search"],
    "verified": [],
    "also": [{ "file": "random.csv", "sha256": "'"$(digest results/frontier/random.csv)"'" }],
    "picture": "frontier.svg",
    "note": "one thread, a table of 64 MiB, 1 GiB at plies 8, 6 and 4; an empty value means that the limit of 30 million nodes (60 million at plies 8, 6 and 4) was reached",' \
    boards/cave36.toml boards/pods14.toml
