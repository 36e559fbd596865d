#!/bin/sh
# Makes results/balance/play: the first player's share in games of a stronger player than in results/full-advanced, NODES nodes an
# action, under every preset and in each orientation, from the same openings. After Ctrl-C it writes the report of the games that
# were played, and the next run goes on from there. 240,000 nodes are some 0.1 s of a free core, and 24 games, one of each setup,
# a minute. PODS names another program than the release build, COMMIT what it was built from.
#   NODES=240000 GAMES=400 scripts/balance-play.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
out=results/balance/play
nodes=${NODES:-240000}
commit=${COMMIT:-$(git rev-parse HEAD)}
mkdir -p "$out"
code=0
"$PODS" report play --rules advanced --rules advanced-dutch --rules advanced-author --rules very-advanced --rules standard \
    --rules basic-author --strength "$nodes:${GAMES:-400}" --threads 1 --out "$out" --commit "$commit" --format csv > "$out/made" ||
    code=$?
mv "$out/made" "$out/played-$nodes.csv"
manifest "$out/played-$nodes.csv" "$commit" scripts/balance-play.sh \
    '"rules": ["advanced", "advanced-dutch", "advanced-author", "very-advanced", "standard", "basic-author"],
    "seed": 0,
    "methods": ["play"],
    "verified": [],' \
    boards/cave36.toml boards/pods14.toml
exit "$code"
