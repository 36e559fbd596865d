#!/bin/sh
# Makes results/mutants anew: small faults planted in engine, solver, table and certificate, and the tests that find them. Hours;
# it goes on where it was stopped, as long as the sources are the same. Why some faults live is written in
# scripts/mutants/reasons.csv; faults that live without a reason are named at the end. A reason begins with `equivalent` if nothing
# that the program does is changed, with `cost only` if no more than time or memory is, with `open` if a test is
# missing, with `since` if a later change of tests or sources settles it.
#     scripts/mutants/mutants.sh [MORE OPTIONS OF scripts/mutants]
# PACKAGE is the package and COMMIT its commit, OUT the folder for the results, SAMPLE how many faults, SEED which. A run may go on
# with tests that were added since: TESTS is the commit that has them.
set -eu
cd "$(dirname "$0")/../.."
package=${PACKAGE:-.}
out=${OUT:-results/mutants}
target=${CARGO_TARGET_DIR:-target}/mutants
sample=${SAMPLE:-420}
seed=${SEED:-1}
commit=${COMMIT:-$(git rev-parse HEAD)}
cargo build --release --locked --quiet --manifest-path scripts/mutants/Cargo.toml --target-dir "$target/tool"
mkdir -p "$out"
"$target/tool/release/pods-mutants" --package "$package" --work "${WORK:-$target}" --out "$out/mutants.csv" \
    --reasons scripts/mutants/reasons.csv --sample "$sample" --seed "$seed" --again "$@"
# The row of all floors: floor, faults, test, cost, not_reached, no, unknown.
count() { awk -F, -v column="$1" '$1 == "all" { print $column }' "$out/summary.csv"; }
# How many faults live for a reason that begins so, which a person has found by reading.
reasons() { grep -c ",\"\{0,1\}$1" "$out/mutants.csv" || true; }
share() { awk -v found="$1" -v of="$2" 'BEGIN { printf "%.1f %%", 100 * found / of }'; }
digest() { sha256sum "$1" | cut -d' ' -f1; }
cat > "$out/mutants.manifest.json" <<END
{
  "format": "pods-manifest",
  "version": 1,
  "program": "pods $(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)",
  "command": "scripts/mutants/mutants.sh",
  "commit": "$commit",
  "tests_of": "${TESTS:-$commit}",
  "seed": $seed,
  "methods": [
    "one build with a switch for each fault",
    "each test once without a fault: what it reaches, what it costs",
    "for each fault the tests that reach it, the cheapest first, until one fails"
  ],
  "verified": ["a test that fails is run again alone, and passes without a fault"],
  "inputs": [
    { "name": "scripts/mutants/Cargo.lock", "sha256": "$(digest scripts/mutants/Cargo.lock)" },
    { "name": "scripts/mutants/reasons.csv", "sha256": "$(digest scripts/mutants/reasons.csv)" }
  ],
  "result": "mutants.csv",
  "rows": $(count 2),
  "sha256": "$(digest "$out/mutants.csv")",
  "tried": $(($(count 2) - $(count 7))),
  "found_by_a_test": $(count 3),
  "found_by_its_cost": $(count 4),
  "not_reached": $(count 5),
  "not_found": $(count 6),
  "not_tried_to_the_end": $(count 7),
  "argued_equivalent": $(reasons equivalent),
  "argued_cost_only": $(reasons 'cost only'),
  "found_of_all": "$(share $(($(count 3) + $(count 4))) "$(count 2)")",
  "found_of_those_not_argued_equivalent": "$(share $(($(count 3) + $(count 4))) $(($(count 2) - $(reasons equivalent))))"
}
END
