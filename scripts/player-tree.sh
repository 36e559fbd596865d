#!/bin/sh
# Plays the two players of `pods best` against each other, tree search and alpha-beta, with the same number of nodes an
# action, so that the games are the same in every run: results/player/tree*. cave36 and four random boards that the weights were
# not learned from, in all orientations, 400 games for each rule set; some two minutes of one core each.
#   MATCHES="advanced:4000 very-advanced:4000" PAIRS=200 scripts/player-tree.sh
# PODS names another program than the one that is built here, COMMIT what that was built from.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
out=${OUT:-results/player}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
boards="--board cave36"
for seed in 11 12 13 14; do
    "$PODS" new board 6x6 --random --seed "$seed" > "$work/random$seed.toml"
    boards="$boards --board $work/random$seed.toml"
done
for match in ${MATCHES:-advanced:4000 advanced-dutch:4000 advanced-author:4000 very-advanced:4000}; do
    rules=${match%%:*}
    nodes=${match#*:}
    # shellcheck disable=SC2086
    "$PODS" match "best --nodes $nodes --player tree" "best --nodes $nodes --player alpha-beta" --rules "$rules" $boards \
        --pairs "${PAIRS:-200}" --seed 31 --threads "${THREADS:-1}" --out "$out/tree-$rules-$nodes.jsonl" --force \
        --format csv > "$work/$rules-$nodes.csv"
    "$PODS" replay "$out/tree-$rules-$nodes.jsonl"
    # The last row is of all setups together, and names no rules.
    tail -n 1 "$work/$rules-$nodes.csv" | cut -d, -f7-15 | sed "s/^/$rules,/" >> "$work/rows"
done
echo "rules,first,second,games,wins,draws,losses,score,score_low,score_high" > "$out/tree.csv"
cat "$work/rows" >> "$out/tree.csv"
manifest "$out/tree.csv" "${COMMIT:-$(git rev-parse HEAD)}" scripts/player-tree.sh \
    '"rules": ["advanced", "advanced-dutch", "advanced-author", "very-advanced"],
    "seed": 31,
    "methods": ["matches on seeded openings, each played with both colours"],
    "verified": ["pods replay: every action by the reference engine"],
    "note": "the games are in tree-*.jsonl; pods match tells the intervals of the scores",' \
    boards/cave36.toml boards/pods14.toml
cat "$out/tree.csv"
