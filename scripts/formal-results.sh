#!/usr/bin/env bash
# Lets the verified checkers judge:
#
#   scripts/formal-results.sh certificates [FILE...]  kept certificates, without files all of results/solved: a row for each goes to
#                                                     results/formal/certificates.csv, where rows of files not named stay
#   scripts/formal-results.sh tables [SETUP...]       tables of setups BOARD/PODS/HANDS/RULES, each again with one value changed,
#                                                     twice: prints a CSV row for each; without setups all of
#                                                     results/formal/tables.csv are done, and it is written
#
# Needs GNU time and what scripts/formal.sh has built. PODS names the program; without it a release build is made.
set -euo pipefail
cd "$(dirname "$0")/.."

certificates() {
    checker=${CARGO_TARGET_DIR:-target}/formal/check-proof
    [ -x "$checker" ] || { echo "no $checker: run scripts/formal.sh first" >&2; exit 3; }
    [ $# -gt 0 ] || set -- results/solved/*.proof
    rows=results/formal/certificates.csv
    mkdir -p results/formal
    [ -e "$rows" ] || echo "certificate,answer,lines,listed,cpu_seconds,memory_mib,commit" > "$rows"
    for file; do
        said=$(mktemp) took=$(mktemp)
        /usr/bin/time -f "%U %M" -o "$took" "$checker" "$file" > "$said" || true
        read -r seconds kib < <(tail -1 "$took")
        name=$(basename "$file")
        answer=$(sed 's/:.*//' "$said")
        lines=$(grep -oE '[0-9]+ lines' "$said" | cut -d' ' -f1 || true)
        listed=$(grep -oE '[0-9]+ listed' "$said" | cut -d' ' -f1 || true)
        { head -1 "$rows"; { tail -n +2 "$rows" | grep -v "^$name," || true
          echo "$name,$answer,$lines,$listed,$seconds,$((kib / 1024)),$(git rev-parse HEAD)"; } | sort; } > "$rows.new"
        mv "$rows.new" "$rows"
        rm "$said" "$took"
        tail -n +2 "$rows" | grep "^$name,"
    done
}

tables() {
    . scripts/common.sh
    find_program
    checker=${CARGO_TARGET_DIR:-target}/formal/check-table
    [ -x "$checker" ] || { echo "no $checker: run scripts/formal.sh first" >&2; exit 3; }
    rows=results/formal/tables.csv
    if [ $# = 0 ]; then
        counting "$rows.new" "$(wc -l < "$rows")"
        { echo "board,pods,hands,rules,positions,draws,answer,start,cpu_seconds,memory_mib,changed,refused"
          tail -n +2 "$rows" | cut -d, -f1-4 | tr , / | xargs "$0" tables; } > "$rows.new"
        mv "$rows.new" "$rows"
        exit
    fi
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    # Nobody's stack is too small for a long list.
    ulimit -s unlimited
    for setup; do
        IFS=/ read -r board pods hands rules <<< "$setup"
        named=(--board "$board" --pods "$pods" --hands "$hands" --rules "$rules" --orientation 0)
        rm -f "$work"/*
        "$PODS" table build "$work/table" "${named[@]}" > "$work/built"
        "$PODS" table export "$work/table" > "$work/table.csv"
        "$PODS" match random random --pairs 1 "${named[@]}" --out "$work/game" > "$work/match"
        /usr/bin/time -f "%U %M" -o "$work/took" "$checker" "$work/game" "$work/table.csv" > "$work/said" || true
        read -r seconds kib < <(tail -1 "$work/took")
        positions=$(($(wc -l < "$work/table.csv") - 1))
        refused=0
        for change in 1 2; do
            # One row, a third or two thirds of the way: another distance, or another outcome.
            awk -F, -v OFS=, -v row=$((positions * change / 3 + 1)) -v change=$change 'NR == row {
                if ($2 == "draw") { $2 = change == 1 ? "win" : "loss"; $3 = change } else if (change == 1) $3 += 2; else { $2 = "draw"; $3 = "" }
            } { print }' "$work/table.csv" > "$work/changed.csv"
            "$checker" "$work/game" "$work/changed.csv" > "$work/said-$change" && got=0 || got=$?
            [ "$got" != 1 ] || refused=$((refused + 1))
        done
        start=$(sed -n 's/.*the start is a \([^,]*\),.*/\1/p' "$work/said")
        echo "$board,$pods,$hands,$rules,$positions,$(grep -c ,draw, "$work/table.csv" || true),$(sed 's/:.*//' "$work/said"),$start,$seconds,$((kib / 1024)),2,$refused"
    done
}

case ${1:-} in
    certificates | tables) "$@" ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
