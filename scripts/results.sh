#!/bin/sh
# Makes kept results anew which one command of the program makes:
#
#   scripts/results.sh balance        the built-in suite, solved and verified, as CSV and as a page
#   scripts/results.sh readings       what each single-option difference of the rules changes; some minutes on two cores
#   scripts/results.sh measures       measures of play on nine points, with three and (crowded/, with pictures) four pods a side
#   scripts/results.sh full-advanced  who wins the full game by play of two strengths; a quarter of an hour of one core
#   scripts/results.sh oracle         the oracle sets, one a preset, which are checked then
#   scripts/results.sh drawings       pictures of positions
#
# balance and readings go into target/results, the others to where they are kept; OUT names another folder. PODS names another
# program than the release build, COMMIT what it was built from. What is made does not depend on the machine or on THREADS.
# full-advanced goes on after a kill; STRENGTHS="500:400 4000:400" sets its effort, and more games go on from fewer.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh

balance() {
    mkdir -p target/results
    "$PODS" report --out "${OUT:-target/results/balance}" --commit "$commit" --format html
}

readings() {
    mkdir -p target/results
    "$PODS" report readings --format csv --out "${OUT:-target/results/readings}" --commit "$commit" > /dev/null
}

measure() {
    folder=$1
    shift
    "$PODS" report measures --board nook9 --pods four "$@" --strength 500:50 --max-plies 40 --memory 1GiB \
        --threads "${THREADS:-1}" --out "$folder" --commit "$commit" --format text > /dev/null
}

measures() {
    measure "${OUT:-results/measures}" --hands bdt --rules standard --rules basic-author --rules advanced \
        --rules advanced-dutch --rules advanced-author --rules very-advanced
    measure "${OUT:-results/measures}/crowded" --hands bdqt --rules advanced --orientation 0 --orientation 90 --pictures
}

full_advanced() {
    out=${OUT:-results/full-advanced}
    strengths=
    for strength in ${STRENGTHS:-500:400 4000:400}; do strengths="$strengths --strength $strength"; done
    # The first rules are those with which the others are compared.
    # shellcheck disable=SC2086
    "$PODS" report play --rules advanced --rules advanced-dutch --rules advanced-author --rules very-advanced \
        --rules standard --rules basic-author $strengths --threads "${THREADS:-1}" --out "$out" --commit "$commit" --format html
    # The reference engine plays all games again.
    for games in "$out"/games-*.jsonl; do "$PODS" replay "$games"; done
}

export_set() { # name, then setup arguments
    name=$1
    shift
    "$PODS" oracle export --out "${OUT:-results/oracle}/$name" --seed 1 --count 7 --solve 20000 "$@"
}

oracle() {
    export_set standard --board nook9 --orientation 0 --pods four --hands bdt --rules standard
    export_set basic-author --board den12 --orientation 90 --pods four --rules basic-author
    export_set advanced --board ring8 --orientation 0 --pods four --rules advanced
    export_set advanced-dutch --board nook9 --orientation 180 --pods trio --rules advanced-dutch
    export_set advanced-author --board lair16 --orientation 270 --pods mini5 --rules advanced-author
    export_set very-advanced --board cave16 --orientation 0 --pods mini5 --rules very-advanced
    "$PODS" oracle check "${OUT:-results/oracle}"/*
}

drawings() {
    folder=${OUT:-results/laboratory/drawings}
    mkdir -p "$folder"
    # A game on the reconstructed board, after three plies.
    "$PODS" show '6/5O/4o1/2B3/6/6 b cdfghjkpqtvy bcdfghjkpqtvy -' --format svg > "$folder/attacks.svg"
    # The position of the README's tour.
    "$PODS" show '3/1B1/2q w dt bt -' --board nook9 --pods four --format svg > "$folder/tour.svg"
}

case ${1:-} in
    balance | readings | measures | oracle | drawings) what=$1 ;;
    full-advanced) what=full_advanced ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
find_program
commit=${COMMIT-$(git rev-parse HEAD)}
"$what"
