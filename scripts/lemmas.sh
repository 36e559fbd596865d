#!/bin/sh
# Makes results/lemmas anew: tries each lemma of `pods rules lemmas` as it is stated there over all positions of small games, board
# after board of a size, and counts the cases. A lemma that does not hold ends the script with 1. SECONDS_FOR_ALL says for how
# long, 3600 unless told; a longer run has all cases of a shorter one. PODS names another program than the release build, TEST a
# built test program of the library.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
to=results/lemmas
mkdir -p "$to"
test=the_lemmas_hold_on_all_small_boards
export PODS_LEMMAS_SECONDS="${SECONDS_FOR_ALL:-3600}" PODS_LEMMAS_FILE="$PWD/$to/lemmas.csv"
if [ -n "${TEST:-}" ]; then
    "$TEST" "$test" --ignored
else
    cargo test --release --quiet --lib "$test" -- --ignored
fi
manifest "$to/lemmas.csv" "${COMMIT:-$(git rev-parse HEAD)}" "SECONDS_FOR_ALL=$PODS_LEMMAS_SECONDS scripts/lemmas.sh" \
    '"rules": ["standard", "standard+placement-liberty=off", "standard+attack-through=on", "standard+empty-hand=wins"],
    "seed": "1, 2, 3: one for each size of boards",
    "methods": ["exhaustive"],
    "verified": ["the rules of the walk were compared with the reference engine on one of 199 positions"],'
