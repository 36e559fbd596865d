#!/bin/sh
# Makes results/full-advanced: how often the first player wins the full game by play of two strengths, under every preset
# and in each orientation, from the same openings. A quarter of an hour of one core; after a kill, run it again and it goes on. The
# games do not depend on the number of threads. At the end the reference engine plays all games again. For more or less effort
# set some of these:
#   STRENGTHS="500:400 4000:400" THREADS=2 OUT=results/full-advanced scripts/full-advanced.sh
# More games go on from fewer.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet
pods=${CARGO_TARGET_DIR:-target}/release/pods
out=${OUT:-results/full-advanced}
strengths=
for strength in ${STRENGTHS:-500:400 4000:400}; do strengths="$strengths --strength $strength"; done
# The first rules are those with which the others are compared.
# shellcheck disable=SC2086
"$pods" report play --rules advanced --rules advanced-dutch --rules advanced-author --rules very-advanced \
    --rules standard --rules basic-author $strengths --threads "${THREADS:-1}" --out "$out" \
    --commit "${COMMIT:-$(git rev-parse HEAD)}" --format html
for games in "$out"/games-*.jsonl; do "$pods" replay "$games"; done
