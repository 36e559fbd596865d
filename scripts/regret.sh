#!/bin/sh
# Makes results/regret anew: value-losing actions of the players of this program, by nodes an action, on setups that the weights
# of the player have not seen: 12 points with four pods a side, den12 and a random board. Some minutes of one core, 3 GiB of
# memory. The rows do not depend on the machine or on THREADS. GAMES=100 makes narrower intervals. PODS names another program
# than the release build, COMMIT what it was built from.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
out=results/regret
mkdir -p "$out"
"$PODS" new board 4x3 --random --seed 101 > "$out/board101.toml"
"$PODS" bench player random \
    'best --nodes 200 --player tree' 'best --nodes 200 --player alpha-beta' \
    'best --nodes 1000 --player tree' 'best --nodes 1000 --player alpha-beta' \
    'best --nodes 4000 --player tree' 'best --nodes 4000 --player alpha-beta' \
    --board den12 --board "$out/board101.toml" --pods four --hands bdqt --orientation 0 \
    --rules standard --rules advanced --rules advanced-author --rules very-advanced \
    --games "${GAMES:-10}" --max-plies 100 --memory 3GiB --threads "${THREADS:-1}" --format csv > "$out/made"
mv "$out/made" "$out/regret.csv"
manifest "$out/regret.csv" "${COMMIT:-$(git rev-parse HEAD)}" scripts/regret.sh \
    '"rules": ["standard", "advanced", "advanced-author", "very-advanced"],
    "seed": "1: openings of 0 to 6 random plies; 101: the random board",
    "methods": ["play of each player against itself, judged by exact values"],
    "verified": [],' \
    boards/den12.toml "$out/board101.toml" boards/four.pods.toml
