#!/bin/sh
# Makes results/solved: who wins the full Standard game on 36 points, in each orientation.
#   start         where White may open with any pod (standard+opening=any): the empty board, solved and proven
#   random        the same on random boards with random pods of the real make-up, of the seeds SEEDS, 1 2 3 unless told; with
#                 RULES=standard, where a bipod opens, opening by opening with at most NODES nodes for each, 16000000 unless told
#   openings      under `standard`, where a bipod opens: who wins after each of the 51 openings, with at most NODES nodes for each
#   certificates  a certificate for each of OPENINGS, such as OPENINGS="0:start 0:b@c3 90:b@d1"; `start` is the empty board
# Without arguments: start, then openings. Every step keeps the rows that are there, and the manifest too if none is added; to make
# rows again name another folder as OUT. openings asks only for what is unknown in its table, and goes on from its checkpoint, so a
# second run with more NODES decides more. An orientation is solved when one opening wins for White, or all of them lose.
# For other limits set some of these:
#   ORIENTATIONS="0 180" NODES=64000000 MEMORY=8GiB SIZE=3GiB KEEP=target/solve-full OUT=results/solved scripts/solve-full.sh openings
# SIZE is what a checkpoint in KEEP may hold. Certificates stay in KEEP; those of at most COPY bytes, 20 MB unless told, are copied
# to OUT.
# PODS names another program than the one that is built here, COMMIT what that was built from.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
commit=${COMMIT:-$(git rev-parse HEAD)}
memory=${MEMORY:-4GiB}
keep=${KEEP:-target/solve-full}
out=${OUT:-results/solved}
turns=${ORIENTATIONS:-0 90 180 270}
mkdir -p "$keep" "$out"
# The text, or the number, of a key in a line of JSON.
key() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$2"; }
# Proves a position: `prove NAME ORIENTATION RULES POSITION ARGUMENTS...`. `proven` becomes lines, bytes,
# the digests of the trailer and of the file, seconds to check, and the file that is kept in OUT.
prove() {
    name=$1
    proof=$keep/$name.proof
    turn=$2
    rules=$3
    position=$4
    shift 4
    "$PODS" prove "$position" --rules "$rules" --orientation "$turn" --method search --memory "$memory" "$@" --out "$proof" --force \
        > "$keep/$name.said"
    times > "$keep/begun"
    "$PODS" check-proof "$proof" --format json > "$keep/$name.checked"
    since_begun "$keep" 0
    kept=
    if [ "$(wc -c < "$proof")" -le "${COPY:-20000000}" ]; then
        cp "$proof" "$out/"
        kept=$name.proof
    fi
    proven="$(sed -n 's/.*"lines":\([0-9]*\).*/\1/p' "$keep/$name.checked"),$(wc -c < "$proof")"
    proven="$proven,$(key trailer_sha256 "$keep/$name.checked"),$(key file_sha256 "$keep/$name.checked"),$spent,$kept"
}
# Shows a table, after its manifest if this step has `added` rows: `told NAME RULES VERIFIED NOTE`. Its inputs are `boards`, the
# built-in ones unless told.
told() {
    inputs=${boards:-boards/cave36.toml boards/pods14.toml}
    [ -z "$added" ] || manifest "$out/$1.csv" "$commit" "${NODES:+NODES=$NODES }scripts/solve-full.sh $1" \
        "\"rules\": [\"$2\"],
    \"methods\": [\"search\"],
    \"verified\": [$3],
    \"note\": \"$4\"," \
        $inputs
    cat "$out/$1.csv"
}
checked='"pods check-proof: plain rules and lemmas, on the board with the reference engine"'
# Who wins after each opening: `by_openings CHECKPOINT ARGUMENTS...`.
by_openings() {
    checkpoint=$1
    shift
    "$PODS" search start "$@" --memory "$memory" --every-action --max-nodes "${NODES:-16000000}" \
        --checkpoint "$checkpoint" --checkpoint-size "${SIZE:-2GiB}" --checkpoint-every 600 --format csv
}
# A row for the empty board, unless it is there or stays open: `empty_board ROWS BOARD ORIENTATION RULES ARGUMENTS...`; the
# arguments name the board and the pods where they are not the built-in ones.
empty_board() {
    rows=$1 board=$2 turn=$3 rules=$4
    shift 4
    [ -f "$rows" ] || echo "board,orientation,rules,winner,opening,nodes,cpu_seconds,memory,commit,lines,bytes,trailer_sha256,file_sha256,check_seconds,kept" > "$rows"
    if grep -q "^$board,$turn,$rules," "$rows"; then return; fi
    name=start-$turn
    [ "$board" = cave36 ] || name=$board-$turn
    times > "$keep/begun"
    case $rules in
        *opening=any*)
            answer=$keep/$name.json
            "$PODS" search start "$@" --rules "$rules" --orientation "$turn" --memory "$memory" \
                ${NODES:+--max-nodes "$NODES"} --format json > "$answer"
            value=$(key value "$answer")
            opening=$(key wins_by "$answer")
            nodes=$(key positions "$answer")
            ;;
        *)
            name=$name-$rules
            answer=$keep/$name.csv
            by_openings "$keep/$name.search" "$@" --rules "$rules" --orientation "$turn" > "$answer"
            # The proof follows what the table knows.
            set -- "$@" --checkpoint "$keep/$name.search"
            # One opening that wins is enough; for a loss all must lose.
            value=$(awk -F, 'NR > 1 { seen[$2] = 1 } END { print (seen["win"] ? "win" : seen["unknown"] ? "unknown" : "loss") }' "$answer")
            opening=$(awk -F, '$2 == "win" { print $1; exit }' "$answer")
            nodes=$(awk -F, 'NR > 1 { sum += $5 } END { printf "%d\n", sum }' "$answer")
            ;;
    esac
    since_begun "$keep" 0
    solving=$spent
    case $value in
        win) winner=White ;;
        loss) winner=Black ;;
        *) echo "$board, $turn°: open" >&2; return ;;
    esac
    prove "$name" "$turn" "$rules" start "$@"
    added=yes
    echo "$board,$turn,$rules,$winner,$opening,$nodes,$solving,$memory,$commit,$proven" >> "$rows"
}
start() {
    for turn in $turns; do
        empty_board "$out/start.csv" cave36 "$turn" standard+opening=any
    done
    told start standard+opening=any "$checked" \
        "opening is one that wins; lines are those between header and trailer, as pods check-proof counts them; bytes and file_sha256 are of the certificate unpacked, trailer_sha256 is the digest in its last line; kept is its file here"
}
# Draws the board and the pods of a seed: `draw SEED`.
draw() {
    "$PODS" new board --random --seed "$1" > "$keep/board$1.toml"
    "$PODS" new pods --random --seed "$1" > "$keep/pods$1.toml"
}
random() {
    for seed in ${SEEDS:-1 2 3}; do
        draw "$seed"
        for turn in $turns; do
            empty_board "$out/random.csv" "random$seed" "$turn" "${RULES:-standard+opening=any}" \
                --board "$keep/board$seed.toml" --pods "$keep/pods$seed.toml"
        done
    done
    boards=
    for seed in $(sed -n 's/^random\([0-9]*\),.*/\1/p' "$out/random.csv" | sort -nu); do
        draw "$seed"
        boards="$boards $keep/board$seed.toml $keep/pods$seed.toml"
    done
    told random "$(awk -F, 'NR > 1 && !seen[$3]++ { printf "%s%s", comma, $3; comma = "\", \"" }' "$out/random.csv")" "$checked" \
        "board and pods are those of \`pods new board --random --seed N\` and \`pods new pods --random --seed N\`; opening is one that wins; under standard nodes are those of all openings, with at most NODES each; lines are those between header and trailer, as pods check-proof counts them; bytes and file_sha256 are of the certificate unpacked, trailer_sha256 is the digest in its last line; kept is its file here"
    boards=
}
openings() {
    rows=$out/openings.csv
    [ -f "$rows" ] || echo "board,orientation,rules,opening,value,reply,nodes,position" > "$rows"
    [ -f "$out/certificates.csv" ] || : > "$out/certificates.csv"
    for turn in $turns; do
        # What is known is not asked again.
        only=$(awk -F, -v turn="$turn" '$2 == turn && $5 == "unknown" { printf "%s%s", comma, $4; comma = "," }' "$rows")
        if [ -z "$only" ] && grep -q "^cave36,$turn," "$rows"; then continue; fi
        added=yes
        by_openings "$keep/$turn.search" --orientation "$turn" ${only:+--only "$only"} > "$keep/$turn.csv.new"
        mv "$keep/$turn.csv.new" "$keep/$turn.csv"
        # What a certificate says counts where the search did not get so far.
        awk -F, -v OFS=, -v turn="$turn" '
            FNR == 1 { if (FILENAME == ARGV[1]) print; next }
            FILENAME == ARGV[1] { row[$2, $4] = $0; key[++keys] = $2 SUBSEP $4; value[$2, $4] = $5; next }
            FILENAME == ARGV[2] { if ($3 == "standard" && value[$2, $4] == "unknown") { value[$2, $4] = $5 == "White" ? "win" : "loss" } next }
            !((turn, $1) in row) { key[++keys] = turn SUBSEP $1; value[turn, $1] = "unknown" }
            value[turn, $1] == "unknown" { value[turn, $1] = $2; row[turn, $1] = "cave36," turn ",standard," $1 "," $2 "," $4 "," $5 "," $NF }
            END { for (i = 1; i <= keys; i++) { $0 = row[key[i]]; $5 = value[key[i]]; print | "LC_ALL=C sort -t, -k2,2n -k4,4" } }
        ' "$rows" "$out/certificates.csv" "$keep/$turn.csv" > "$rows.new"
        mv "$rows.new" "$rows"
    done
    told openings standard "" \
        "value is for White, who opens, and unknown where the nodes did not settle it; reply wins for Black; nodes are those of the last run that asked for the opening. certificates.csv names the rows that are proven by a certificate"
}
certificates() {
    rows=$out/certificates.csv
    [ -f "$rows" ] || echo "board,orientation,rules,opening,winner,commit,lines,bytes,trailer_sha256,file_sha256,check_seconds,kept" > "$rows"
    for entry in ${OPENINGS:?name openings as ORIENTATION:ACTION, such as 0:b@c3}; do
        turn=${entry%%:*}
        opening=${entry#*:}
        if grep -q "^cave36,$turn,standard,$opening," "$rows"; then continue; fi
        position=start
        [ "$opening" = start ] ||
            position=$("$PODS" moves start --orientation "$turn" --format csv | awk -F, -v action="$opening" '$1 == action { print $2 }')
        if [ -z "$position" ]; then
            echo "$entry: no such opening; name one as ORIENTATION:ACTION, such as 180:b@b3, or ORIENTATION:start" >&2
            exit 2
        fi
        name=$turn-$(echo "$opening" | tr -d '@')
        set --
        if [ "$opening" = start ] || [ -f "$keep/$turn.search" ]; then
            set -- --checkpoint "$keep/$turn.search"
        fi
        # An opening of which it is known that it wins is searched first.
        wins=$(awk -F, -v turn="$turn" '$2 == turn && $5 == "win" { print $4; exit }' results/solved/openings.csv)
        if [ "$opening" = start ] && [ -n "$wins" ]; then
            "$PODS" search start --orientation "$turn" --memory "$memory" --every-action --only "$wins" "$@" \
                --format csv > "$keep/$name.csv"
        fi
        prove "$name" "$turn" standard "$position" "$@"
        winner=$(sed -n 's/^claim *\(win\|loss\) for \(.*\)$/\1 \2/p' "$keep/$name.said")
        case $winner in
            "win Black" | "loss White") winner=Black ;;
            "win White" | "loss Black") winner=White ;;
            *) echo "$entry: no winner is claimed" >&2; exit 1 ;;
        esac
        added=yes
        echo "cave36,$turn,standard,$opening,$winner,$commit,$proven" >> "$rows"
    done
    told certificates standard "$checked" \
        "lines are those between header and trailer, as pods check-proof counts them; bytes and file_sha256 are of the certificate unpacked, trailer_sha256 is the digest in its last line; kept is its file here"
}
for step in ${*:-start openings}; do
    # Whether the step has written rows.
    added=
    case $step in
        start | random | openings | certificates) "$step" ;;
        *) echo "$step: no such step; there are start, random, openings and certificates" >&2; exit 2 ;;
    esac
done
