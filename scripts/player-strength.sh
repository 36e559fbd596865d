#!/usr/bin/env bash
# Plays the player of `pods best` against the one of an earlier commit, both with the same number of nodes an action, so that the
# games are the same in every run: results/player/by-nodes*. cave36 and four random boards that the weights were not learned
# from, in all orientations. A build of the earlier commit comes first.
#
#   scripts/player-strength.sh [COMMIT]
#
#   RULES=advanced PAIRS=57 scripts/player-strength.sh                   what is in results/player
#   NODES=20000 BEFORE=/path/to/an/earlier/pods scripts/player-strength.sh
set -euo pipefail
cd "$(dirname "$0")/.."
commit=${1:-9d35176}
nodes=${NODES:-20000}
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
out=$PWD/results/player
cd "$work"
boards=(--board cave36)
for seed in 11 12 13 14; do
    "$pods" new board 6x6 --random --seed "$seed" > "random$seed.toml"
    boards+=(--board "random$seed.toml")
done
for rules in ${RULES:-advanced advanced-dutch advanced-author very-advanced standard}; do
    # The program that plays against this one may not be late: it has no time to keep to, and others may be busy beside it.
    "$pods" match "best --nodes $nodes" "program --nodes $nodes ./pods-before engine --engine fast" --rules "$rules" \
        "${boards[@]}" --pairs "${PAIRS:-200}" --seed 31 --timeout 600 --threads "${THREADS:-1}" \
        --out "by-nodes-$rules.jsonl" --format csv > "$rules.csv"
    "$pods" replay "by-nodes-$rules.jsonl"
done
# The rows of all setups together, which name no board.
{ head -qn 1 ./*.csv | head -n 1; for rules in ${RULES:-advanced advanced-dutch advanced-author very-advanced standard}; do
    tail -n 1 "$rules.csv" | sed "s/^,,,,,,/,,,,,$rules,/"; done; } > "$out/by-nodes.csv"
cp by-nodes-*.jsonl "$out"
