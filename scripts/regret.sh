#!/bin/sh
# Makes results/regret anew: value-losing actions of the players of this program, by nodes an action, on setups that the weights
# of the player have not seen: 12 points with four pods a side, den12 and two random boards. Some ten minutes of one core, 3 GiB
# of memory. The rows do not depend on the machine or on THREADS. PODS names another program than the release build, COMMIT what
# it was built from.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
mkdir -p results/regret
for seed in 101 102; do
    "$PODS" new board 4x3 --random --seed "$seed" > "results/regret/board$seed.toml"
done
"$PODS" bench player random \
    'best --nodes 200 --player tree' 'best --nodes 200 --player alpha-beta' \
    'best --nodes 1000 --player tree' 'best --nodes 1000 --player alpha-beta' \
    'best --nodes 5000 --player tree' 'best --nodes 5000 --player alpha-beta' \
    --board den12 --board results/regret/board101.toml --board results/regret/board102.toml --pods four --hands bdqt \
    --rules standard --rules basic-author --rules advanced --rules advanced-dutch --rules advanced-author --rules very-advanced \
    --orientation 0 --games "${GAMES:-30}" --max-plies 100 --memory 3GiB --threads "${THREADS:-1}" --format csv > results/regret/made
mv results/regret/made results/regret/regret.csv
manifest results/regret/regret.csv "${COMMIT:-$(git rev-parse HEAD)}" scripts/regret.sh \
    '"rules": ["standard", "basic-author", "advanced", "advanced-dutch", "advanced-author", "very-advanced"],
    "seed": "1: openings of 0 to 6 random plies; random boards 101 and 102",
    "methods": ["play of each player against itself, judged by exact values"],
    "verified": [],' \
    boards/den12.toml results/regret/board101.toml results/regret/board102.toml boards/four.pods.toml
