#!/bin/sh
# Makes results/measures/full: measures by play of the game of full size, 28 pods on 36 points, under all presets in all
# orientations. Some minutes of one core. The rows do not depend on the machine or on THREADS. PODS names another program than the
# release build, COMMIT what it was built from. Rows by ply are left out; the pictures of two setups show them.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
folder=results/measures/full
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir -p "$folder"
for rules in standard basic-author advanced advanced-dutch advanced-author very-advanced; do
    "$PODS" report measures --board cave36 --pods pods14 --rules "$rules" --strength 125:100 --strength 1000:100 --count 100 \
        --max-plies 300 --memory 64MiB --threads "${THREADS:-1}" --pictures --out "$made/$rules" --format text > /dev/null
    # `ply` is the ninth column, and no cell before it has a comma.
    awk -F, '$9 == "" || $9 == "ply"' "$made/$rules/measures.csv" >> "$made/whole"
done
awk 'NR == 1 { head = $0; print } $0 != head' "$made/whole" > "$folder/measures.csv"
cp "$made/standard/01-cave36-0-standard-plies.svg" "$made/advanced/01-cave36-0-advanced-plies.svg" \
    "$made/advanced/01-cave36-0-advanced-points.svg" "$folder"
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
    "strengths": [[125, 100], [1000, 100]],
    "pictures": ['"$pictures"'],
    "note": "rows by ply are left out",' \
    boards/cave36.toml boards/pods14.toml
