#!/bin/sh
# Makes results/lemmas/situations.csv anew: tries each lemma of `pods rules lemmas` as it is stated there over all situations of small
# games, game after game of a list, and counts the cases. A lemma that does not hold ends the script with 1. SECONDS_FOR_ALL says for how
# long, 3600 unless told; a run that is stopped keeps the rows that are done. PODS names another program than the release build, TEST a
# built test program of the library.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
to=results/lemmas
mkdir -p "$to"
test=the_lemmas_hold_on_all_small_boards
export PODS_LEMMAS_SECONDS="${SECONDS_FOR_ALL:-3600}" PODS_LEMMAS_FILE="$PWD/$to/situations.csv"
counting "$PODS_LEMMAS_FILE" "$(wc -l < "$PODS_LEMMAS_FILE")"
if [ -n "${TEST:-}" ]; then
    "$TEST" "$test" --ignored
else
    cargo test --release --quiet --lib "$test" -- --ignored
fi
manifest "$to/situations.csv" "${COMMIT:-$(git rev-parse HEAD)}" "SECONDS_FOR_ALL=$PODS_LEMMAS_SECONDS scripts/lemmas.sh" \
    '"rules": ["standard", "and with each combination of placement-liberty=off, attack-through=on, empty-hand=wins"],
    "seed": "1 for the order of games, the number of its row for random pods",
    "methods": ["exhaustive"],
    "verified": ["the rules of the walk were compared with the reference engine on one of 199 situations"],'
