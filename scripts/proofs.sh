#!/bin/sh
# Makes results/proofs anew: a certificate for every position of results/laboratory/frontier and for one after four strong placements, each
# made from a search and checked without one; a row says how large it is. A value that differs ends the script with 1.
# Some minutes on two cores. PODS names another program than the release build; the certificates themselves go to
# a temporary folder, but for the one that is kept. COMMIT is what that program was built from.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to=results/proofs
mkdir -p "$to"
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }
# board orientation rules ply position value nodes file
prove() {
    made=$("$PODS" prove "$5" --board "$1" --orientation "$2" --rules "$3" --method search --out "$8" --format json)
    checked=$("$PODS" check-proof "$8" --format json)
    value=$(echo "$checked" | field value)
    if [ -n "$6" ] && [ "$value" != "$6" ]; then
        echo "$5 at $2: results/laboratory/frontier says $6, the certificate proves $value" >&2
        exit 1
    fi
    echo "$1,$2,$3,$4,$5,$value,$7,$(echo "$checked" | field lines),$(echo "$checked" | field answers),$(echo "$made" | field bytes),$(echo "$made" | field file_sha256)"
}
counting "$work/proofs.csv" "$(($(wc -l < results/laboratory/frontier/frontier.csv) + 1))"
{
    echo "board,orientation,rules,ply,position,value,frontier_nodes,lines,replies,bytes,sha256"
    tail -n +2 results/laboratory/frontier/frontier.csv | while IFS=, read -r board orientation rules ply _ position value nodes _; do
        rm -f "$work/proof"
        prove "$board" "$orientation" "$rules" "$ply" "$position" "$value" "$nodes" "$work/proof"
    done
    rm -f "$to/ply-4.jsonl"
    prove cave36 0 standard 4 '6/5O/4o1/2B3/6/g5 w cdfghjkpqtvy bcdfhjkpqtvy -' win '' "$to/ply-4.jsonl"
} > "$work/proofs.csv"
# A pipe hides what ended the loop: every position must have its row.
[ "$(wc -l < "$work/proofs.csv")" = "$(($(wc -l < results/laboratory/frontier/frontier.csv) + 1))" ]
mv "$work/proofs.csv" "$to/proofs.csv"
manifest "$to/proofs.csv" "${COMMIT:-$(git rev-parse HEAD)}" scripts/proofs.sh \
    '"rules": ["standard"],
    "seed": "that of results/laboratory/frontier",
    "methods": ["search"],
    "verified": ["pods check-proof: plain rules and lemmas, on the board with the reference engine"],
    "certificates": [{ "file": "ply-4.jsonl", "sha256": "'"$(digest "$to/ply-4.jsonl")"'" }],' \
    boards/cave36.toml boards/pods14.toml results/laboratory/frontier/frontier.csv
