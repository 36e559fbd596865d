#!/bin/sh
# Makes results/measures/full: measures by play of the game of full size, 28 pods on 36 points, under all presets in all
# orientations. About 20 minutes of one core. The rows do not depend on the machine or on THREADS. PODS names another program than
# the release build, COMMIT what it was built from. Rows by ply are left out; the pictures of two setups show them.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
folder=results/measures/full
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$PODS" report --measures --board cave36 --pods pods14 --rules standard --rules basic-author --rules advanced \
    --rules advanced-dutch --rules advanced-author --rules very-advanced --strength 125:100 --strength 1000:100 \
    --strength 4000:40 --count 100 --doublings 5 --max-plies 300 --memory 64MiB --threads "${THREADS:-1}" --pictures --out "$made" \
    --format text > /dev/null
mkdir -p "$folder"
# `ply` is the ninth column, and no cell before it has a comma.
awk -F, 'NR == 1 || $9 == ""' "$made/measures.csv" > "$folder/measures.csv"
cp "$made/01-cave36-0-standard-plies.svg" "$made/09-cave36-0-advanced-plies.svg" "$made/09-cave36-0-advanced-points.svg" "$folder"
pictures=
for picture in "$folder"/*.svg; do
    pictures="$pictures${pictures:+, }{ \"file\": \"$(basename "$picture")\", \"sha256\": \"$(digest "$picture")\" }"
done
manifest "$folder/measures.csv" "${COMMIT:-$(git rev-parse HEAD)}" scripts/measures-full.sh \
    '"rules": ["standard", "basic-author", "advanced", "advanced-dutch", "advanced-author", "very-advanced"],
    "seed": 0,
    "methods": ["sampled", "estimated"],
    "verified": [],
    "horizon": 300,
    "repetitions": 3,
    "opening_plies": 2,
    "strengths": [[125, 100], [1000, 100], [4000, 40]],
    "doublings": 5,
    "pictures": ['"$pictures"'],
    "note": "rows by ply are left out",' \
    boards/cave36.toml boards/pods14.toml
