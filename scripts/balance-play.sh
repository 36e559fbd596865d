#!/bin/sh
# Makes results/balance/play: the first player's share in games of a stronger player than in results/full-advanced, 32,000 nodes
# an action, under every preset and in each orientation, from the same openings. After Ctrl-C it writes the report of the games that
# were played, and the next run goes on from there. An hour and more of one core for GAMES=400. PODS names another program than the
# release build, COMMIT what it was built from.
#   NODES=32000 GAMES=16 scripts/balance-play.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
out=results/balance/play
mkdir -p "$out"
code=0
"$PODS" report --full --rules advanced --rules advanced-dutch --rules advanced-author --rules very-advanced --rules standard \
    --rules basic-author --strength "${NODES:-32000}:${GAMES:-16}" --threads 1 --out "$out" \
    --commit "${COMMIT:-$(git rev-parse HEAD)}" --format csv > "$out/made" || code=$?
mv "$out/made" "$out/played.csv"
manifest "$out/played.csv" "${COMMIT:-$(git rev-parse HEAD)}" scripts/balance-play.sh \
    '"rules": ["advanced", "advanced-dutch", "advanced-author", "very-advanced", "standard", "basic-author"],
    "seed": 0,
    "methods": ["play"],
    "verified": [],' \
    boards/cave36.toml boards/pods14.toml
exit "$code"
