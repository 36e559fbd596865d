#!/bin/sh
# Makes kept results anew:
#
#   scripts/results.sh balance        the built-in suite, solved and verified, as CSV and as a page
#   scripts/results.sh readings       what each single-option difference of the rules changes; some minutes on two cores
#   scripts/results.sh measures       measures of play on nine points, with three and (crowded/, with pictures) four pods a side
#   scripts/results.sh full-advanced  who wins the full game by play of two strengths; a quarter of an hour of one core
#   scripts/results.sh oracle         the oracle sets, one a preset, which are checked then
#   scripts/results.sh drawings       pictures of positions
#   scripts/results.sh balance-play   the first player's share in games of a stronger player, as many as there is time for
#   scripts/results.sh measures-full  measures by play of the game of full size, without rows by ply; some minutes of one core
#   scripts/results.sh forced         late positions of full size, and whether a win is forced within 11 plies; ten minutes
#
# balance and readings go into target/results, the others to where they are kept; OUT names another folder. PODS names another
# program than the release build, COMMIT what it was built from. Nothing but seconds depends on the machine or on THREADS.
# full-advanced goes on after a kill; STRENGTHS="500:400 4000:400" sets its effort, and more games go on from fewer. balance-play
# plays GAMES of each start with NODES an action (400 and 240000: 0.1 s of a free core an action, 24 games a minute); after Ctrl-C
# it writes the report of the games that were played, and the next run goes on from there.
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

balance_play() {
    out=${OUT:-results/balance/play}
    nodes=${NODES:-240000}
    mkdir -p "$out"
    code=0
    "$PODS" report play --rules advanced --rules advanced-dutch --rules advanced-author --rules very-advanced \
        --rules standard --rules basic-author --strength "$nodes:${GAMES:-400}" --threads 1 --out "$out" --commit "$commit" \
        --format csv > "$out/made" || code=$?
    mv "$out/made" "$out/played-$nodes.csv"
    manifest "$out/played-$nodes.csv" "$commit" "scripts/results.sh balance-play" \
        '"rules": ["advanced", "advanced-dutch", "advanced-author", "very-advanced", "standard", "basic-author"],
        "seed": 0,
        "methods": ["play"],
        "verified": [],' \
        boards/cave36.toml boards/pods14.toml
    exit "$code"
}

measures_full() {
    folder=${OUT:-results/measures/full}
    made=$(mktemp -d)
    trap 'rm -rf "$made"' EXIT
    mkdir -p "$folder"
    for rules in standard basic-author advanced advanced-dutch advanced-author very-advanced; do
        "$PODS" report measures --board cave36 --pods pods14 --rules "$rules" --strength 125:100 --strength 1000:100 \
            --count 100 --max-plies 300 --memory 64MiB --threads "${THREADS:-1}" --pictures --out "$made/$rules" \
            --format text > /dev/null
        # `ply` is the ninth column, and no cell before it has a comma.
        awk -F, '$9 == "" || $9 == "ply"' "$made/$rules/measures.csv" >> "$made/whole"
    done
    awk 'NR == 1 { head = $0; print } $0 != head' "$made/whole" > "$folder/measures.csv"
    cp "$made/standard/01-cave36-0-standard-plies.svg" "$made/advanced/01-cave36-0-advanced-plies.svg" \
        "$made/advanced/01-cave36-0-advanced-points.svg" "$folder"
    pictures=
    for picture in "$folder"/*.svg; do
        pictures="$pictures${pictures:+, }{ \"file\": \"$(basename "$picture")\", \"sha256\": \"$(digest "$picture")\" }"
    done
    manifest "$folder/measures.csv" "$commit" "scripts/results.sh measures-full" \
        '"rules": ["standard", "basic-author", "advanced", "advanced-dutch", "advanced-author", "very-advanced"],
        "seed": 0,
        "methods": ["sampled", "estimated"],
        "verified": [],
        "horizon": 300,
        "repetitions": 3,
        "opening_plies": 2,
        "strengths": [[125, 100], [1000, 100]],
        "pictures": ['"$pictures"'],
        "note": "rows by ply are left out",' \
        boards/cave36.toml boards/pods14.toml
}

forced() {
    cargo build --release --quiet --example late_positions
    late=${CARGO_TARGET_DIR:-target}/release/examples/late_positions
    folder=${OUT:-results/laboratory/forced}
    rows=$(mktemp)
    trap 'rm -f "$rows"' EXIT
    counting "$rows" 82
    for rules in advanced very-advanced; do
        "$late" "$rules" 3 11 40 >> "$rows"
    done
    mkdir -p "$folder"
    { head -n 1 "$rows"; grep -v '^board,' "$rows"; } > "$folder/forced.csv"
    manifest "$folder/forced.csv" "$commit" "scripts/results.sh forced" \
        '"rules": ["advanced", "very-advanced"],
        "seed": "0 to 39, for each rule set",
        "methods": ["forced"],
        "verified": [],
        "note": "one thread, seconds of the clock; the answer is unknown where the limit of 30 million nodes was reached",' \
        boards/cave36.toml boards/pods14.toml
}

case ${1:-} in
    balance | readings | measures | oracle | drawings | forced) what=$1 ;;
    full-advanced | balance-play | measures-full) what=$(echo "$1" | tr - _) ;;
    *) sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
find_program
commit=${COMMIT-$(git rev-parse HEAD)}
"$what"
