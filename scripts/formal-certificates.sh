#!/usr/bin/env bash
# Lets the verified checker judge the kept certificates and writes a row for each to results/formal/certificates.csv.
#
#   scripts/formal-certificates.sh [FILE...]     (without files: all of results/solved)
#
# Needs GNU time and what scripts/formal.sh has built. Rows of files that are not named stay as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
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
