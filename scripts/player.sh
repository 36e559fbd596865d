#!/usr/bin/env bash
# Plays games of the player against itself and fits weights to them, as results/player has them. Some 2,200 games; PART=8 plays
# an eighth of them, to see that all works.
#
#   scripts/player.sh [FOLDER]
#   PART=8 OUT=weights scripts/player.sh
#
# The games are played by the player as it is, so weights that were learned before play for those that are learned now. The weights
# in results/player were not made by this script: they come from other games, as their manifest says, which this script cannot play
# again. Without numpy the fit is not made; the positions stay in FOLDER.
set -euo pipefail
cd "$(dirname "$0")/.."
work=${1:-$(mktemp -d)}
out=${OUT:-results/player}
part=${PART:-1}
mkdir -p "$work" "$out"
cargo build --release --locked --bin pods --example player_positions
built=${CARGO_TARGET_DIR:-target}/release
pods=$built/pods
for seed in 1 2 3 4 5 6; do
    "$pods" new board 6x6 --random --seed "$seed" > "$work/board$seed.toml"
    "$pods" new pods --random --seed "$seed" > "$work/pods$seed.toml"
done
# Rules, pairs of games on cave36 in all orientations, pairs on each random board; openings of 3, 8 and 13 plies.
play() {
    local rules=$1 pairs=$((($2 + part - 1) / part)) each=$((($3 + part - 1) / part))
    for plies in 3 8 13; do
        "$pods" match 'best --nodes 3000' 'best --nodes 3000' --rules "$rules" --pairs "$pairs" --opening-plies "$plies" \
            --seed "$plies" --out "$work/$rules-cave36-$plies.jsonl" > /dev/null
        for seed in 1 2 3 4 5 6; do
            "$pods" match 'best --nodes 3000' 'best --nodes 3000' --rules "$rules" --pairs "$each" --opening-plies "$plies" \
                --seed "$plies" --board "$work/board$seed.toml" --pods "$work/pods$seed.toml" --orientation 0 \
                --out "$work/$rules-random$seed-$plies.jsonl" > /dev/null
        done
    done
}
play advanced 48 8
play advanced-dutch 16 3
play advanced-author 16 3
play very-advanced 24 4
play standard 64 10
play basic-author 16 3
"$built/examples/player_positions" "$work"/advanced*.jsonl "$work"/very-advanced*.jsonl > "$work/moves.csv"
"$built/examples/player_positions" "$work"/standard*.jsonl "$work"/basic-author*.jsonl > "$work/placements.csv"
python3 scripts/player-fit.py --out "$out" --commit "$(git rev-parse HEAD)" "moves=$work/moves.csv" "placements=$work/placements.csv"
