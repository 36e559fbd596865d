#!/usr/bin/env bash
# Plays the player of `pods best` against the one of an earlier commit, both with the same number of nodes an action, so that the
# games are the same in every run: results/player/by-nodes*; or with the same time, on a machine that should have a core to spare:
# results/player/by-time*. cave36 and four random boards that the weights were not learned from, in all orientations. A build of
# the earlier commit comes first.
#
#   scripts/player-strength.sh [COMMIT]
#
#   RULES=advanced PAIRS=57 scripts/player-strength.sh                   what is in results/player
#   NODES=20000 BEFORE=/path/to/an/earlier/pods scripts/player-strength.sh
#   TIME=0.2 RULES=advanced scripts/player-strength.sh                   seconds an action; also there, 400 games in 40 minutes
set -euo pipefail
cd "$(dirname "$0")/.."
commit=${1:-9d35176}
budget="--nodes ${NODES:-20000}" name=by-nodes
# The program that plays against this one may not be late: it has no time to keep to, and others may be busy beside it.
timeout=600
if [ -n "${TIME:-}" ]; then budget="--time $TIME" name=by-time timeout=10; fi
work=$(mktemp -d)
trap 'git worktree remove --force "$work/source" 2> /dev/null || true; rm -rf "$work"' EXIT
cargo build --release --locked --bin pods
pods=$(realpath "${CARGO_TARGET_DIR:-target}/release/pods")
if [ -n "${BEFORE:-}" ]; then
    ln -s "$(realpath "$BEFORE")" "$work/pods-before"
else
    git worktree add --detach "$work/source" "$commit"
    (cd "$work/source" && CARGO_TARGET_DIR="$work/target" cargo build --release --locked --bin pods)
    mv "$work/target/release/pods" "$work/pods-before"
fi
out=$PWD/${OUT:-results/player}
cd "$work"
boards=(--board cave36)
for seed in 11 12 13 14; do
    "$pods" new board 6x6 --random --seed "$seed" > "random$seed.toml"
    boards+=(--board "random$seed.toml")
done
for rules in ${RULES:-advanced advanced-dutch advanced-author very-advanced standard}; do
    "$pods" match "best $budget" "program $budget ./pods-before engine --engine fast" --rules "$rules" \
        "${boards[@]}" --pairs "${PAIRS:-200}" --seed 31 --timeout "$timeout" --threads "${THREADS:-1}" \
        --out "$name-$rules.jsonl" --format csv > "$rules.csv"
    "$pods" replay "$name-$rules.jsonl"
done
# The rows of all setups together, which name no board.
{ head -qn 1 ./*.csv | head -n 1; for rules in ${RULES:-advanced advanced-dutch advanced-author very-advanced standard}; do
    tail -n 1 "$rules.csv" | sed "s/^,,,,,,/,,,,,$rules,/"; done; } > "$out/$name.csv"
cp "$name"-*.jsonl "$out"
cd - > /dev/null
. scripts/common.sh
PODS=$pods
quoted=$(printf '"%s", ' ${RULES:-advanced advanced-dutch advanced-author very-advanced standard})
manifest "$out/$name.csv" "${COMMIT:-$(git rev-parse HEAD)}" \
    "${TIME:+TIME=$TIME }${NODES:+NODES=$NODES }${RULES:+RULES='$RULES' }${PAIRS:+PAIRS=$PAIRS }scripts/player-strength.sh${1:+ $1}" \
    "\"rules\": [${quoted%, }],
    \"seed\": 31,
    \"methods\": [\"matches on seeded openings, each played with both colours; ${budget#--} an action, against commit $commit\"],
    \"verified\": [\"pods replay: every action by the reference engine\"],
    \"note\": \"the games are in $name-*.jsonl\"," \
    boards/cave36.toml boards/pods14.toml
