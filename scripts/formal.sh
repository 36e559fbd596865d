#!/usr/bin/env bash
# Builds the rules and proofs of src/formal with Coq, shows what the theorems assume, and makes the programs that are extracted.
#
#   scripts/formal.sh [PODS]      with PODS, the program, the extracted rules are asked by `pods conform` too, for a quarter of a minute,
#                                 and two small tables are checked
#
# Needs Coq 8.16 or later, OCaml and its Yojson; Debian: apt-get install coq libyojson-ocaml-dev. All is built in target/formal, and what
# has not changed is not built again. Exit status: 0 all is proven, 1 something is not, 3 something that is needed is not here.
set -euo pipefail
pods=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.."
missing() {
    echo "the proofs cannot be checked: $1; on Debian: apt-get install coq libyojson-ocaml-dev" >&2
    exit 3
}
command -v coqc > /dev/null && command -v coq_makefile > /dev/null || missing "there is no Coq"
command -v ocamlfind > /dev/null && ocamlfind query yojson > /dev/null 2>&1 || missing "there is no OCaml with findlib and Yojson"

# Nothing is left out and nothing is taken for granted. Comments may say so.
files=$(grep '\.v$' src/formal/_CoqProject)
if (cd src/formal && grep -nwE 'Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Abort|bypass_check' $files); then
    echo "a proof is left out, or something is assumed" >&2
    exit 1
fi
[ "$(cd src/formal && ls ./*.v | sed 's|^\./||' | sort)" = "$(sort <<< "$files")" ] || {
    echo "src/formal/_CoqProject does not name the files that are there" >&2
    exit 1
}

place=${CARGO_TARGET_DIR:-target}/formal
mkdir -p "$place"
# What is the same keeps its time, so that it is not built again.
bring() { for file; do cmp -s "$file" "$place/${file##*/}" || cp "$file" "$place/"; done; }
bring src/formal/_CoqProject src/formal/*.v src/formal/*.ml
cd "$place"
coq_makefile -f _CoqProject -o Makefile > /dev/null
make --no-print-directory -s -j2

# Each theorem by name, with what it assumes.
{
    for file in $files; do echo "From Pods Require ${file%.v}."; done
    for file in $files; do
        { grep -oE '^(Theorem|Corollary) [A-Za-z0-9_]+' "$file" || true; } | while read -r _ theorem; do
            echo "Print Assumptions Pods.${file%.v}.$theorem."
        done
    done
} > assumptions.v
coqc -Q . Pods assumptions.v > assumptions.txt
theorems=$(grep -c '^Print' assumptions.v || true)
closed=$(grep -c '^Closed under the global context' assumptions.txt || true)
echo "$theorems theorems, $closed of them closed under the global context"
# What else stands there has to be of the primitive integers, and is named.
assumed=$(grep -oE '^[A-Za-z0-9_.]+( :|$)' assumptions.txt | sed 's/ ://' | sort -u || true)
[ -z "$assumed" ] || echo "assumed by the others:" $assumed
if [ -n "$assumed" ] && grep -vqE '^(Uint63|PrimInt63)\.' <<< "$assumed"; then
    echo "something that is not of the primitive integers is assumed" >&2
    exit 1
fi

ocamlfind ocamlopt -package yojson -linkpkg rules.mli rules.ml texts.ml engine.ml -o rules-engine
echo "the rules as a program: $place/rules-engine, for pods conform --engine"
[ -z "$pods" ] || "$pods" conform --engine ./rules-engine --positions 500 --constructed 20 --timeout 60 > conform.txt || {
    cat conform.txt
    exit 1
}

ocamlfind ocamlopt -unsafe -inline 200 -package yojson -linkpkg rules.mli rules.ml texts.ml tables.ml -o check-table
echo "the verified checker of tables: $place/check-table GAME TABLE.csv"
# A small table is accepted; with one value changed, whichever, it is not.
small() {
    "$pods" table build small --board ring8 --pods trio --hands bd --rules "$1" --force > small.txt 2>&1
    "$pods" table export small > small.csv 2>> small.txt
    "$pods" match random random --pairs 1 --board ring8 --pods trio --hands bd --rules "$1" --orientation 0 --force --out small.jsonl >> small.txt 2>&1
    ./check-table small.jsonl small.csv || { cat small.txt >&2; return 1; }
    for row in $(seq 2 10 "$(wc -l < small.csv)"); do
        awk -F, -v OFS=, -v row="$row" 'NR == row { if ($2 == "draw") { $2 = "loss"; $3 = 2 } else $3++ } { print }' small.csv > changed.csv
        ./check-table small.jsonl changed.csv > said.txt && got=0 || got=$?
        [ "$got" = 1 ] || { echo "the verified checker of tables ends with $got where the value in line $row is wrong" >&2; return 1; }
    done
}
[ -z "$pods" ] || { small advanced && small very-advanced; } || exit 1

ocamlfind ocamlopt -unsafe -inline 200 -w -a uint63.ml sha256.ml checker.mli checker.ml check_proof.ml -o check-proof
echo "the verified checker of certificates: $place/check-proof FILE"
cd - > /dev/null
for file in tests/corpus/certificates/*.proof; do
    case ${file##*/} in forged-* | damaged*) wanted=1 ;; *) wanted=0 ;; esac
    "$place/check-proof" "$file" > "$place/said.txt" && got=0 || got=$?
    [ "$got" = "$wanted" ] || { echo "the verified checker ends with $got, not $wanted: $file: $(cat "$place/said.txt")" >&2; exit 1; }
done
echo "the verified checker judges $(ls tests/corpus/certificates/*.proof | wc -l) certificates of tests/corpus as it should"
