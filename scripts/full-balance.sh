#!/bin/sh
# Makes results/full: how often the first player wins positions of the full Standard game, drawn by random and by strong
# play and solved exactly, for each orientation. Openings that results/solved knows are taken from there. Some minutes
# with two threads; after a kill, run it again and it goes on. The rows do not depend on the number of threads. For more or
# less effort set some of these:
#   COUNT=250 PLIES="10 12" NODES=3000000 OPENING_NODES=100000 OPENINGS=results/solved/openings.csv THREADS=2 OUT=results/full \
#       scripts/full-balance.sh
# Other plies, limits or openings make other rows: move results/full away first. A larger COUNT goes on from a smaller one.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet
plies=
for ply in ${PLIES:-10 12}; do plies="$plies --ply $ply"; done
# shellcheck disable=SC2086
exec ./target/release/pods report --full $plies --count "${COUNT:-250}" --max-nodes "${NODES:-3000000}" \
    --opening-nodes "${OPENING_NODES:-100000}" --openings "${OPENINGS:-results/solved/openings.csv}" \
    --threads "${THREADS:-2}" --out "${OUT:-results/full}" --commit "$(git rev-parse HEAD)" --format text
