#!/bin/sh
# Makes results/mutants anew: small faults planted in engine, solver, table and certificate, and the tests that find them. Hours;
# it goes on where it was stopped, as long as the sources are the same.
#     scripts/mutants.sh [MORE OPTIONS OF scripts/mutants]
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}/mutants
sample=${SAMPLE:-420}
seed=${SEED:-1}
cargo build --release --locked --quiet --manifest-path scripts/mutants/Cargo.toml --target-dir "$target/tool"
mkdir -p results/mutants
"$target/tool/release/pods-mutants" --work "$target" --out results/mutants/mutants.csv --sample "$sample" --seed "$seed" "$@"
found() { awk -F, -v what="$1" 'NR > 1 && $7 == what' results/mutants/mutants.csv | wc -l; }
cat > results/mutants/mutants.manifest.json <<END
{
  "format": "pods-manifest",
  "version": 1,
  "program": "pods $(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)",
  "command": "scripts/mutants.sh",
  "commit": "${COMMIT:-$(git rev-parse HEAD)}",
  "seed": $seed,
  "methods": ["one build with a switch for each fault; tests in order, until one fails"],
  "verified": ["a test counts if it passes without a fault"],
  "inputs": [
    { "name": "scripts/mutants/Cargo.lock", "sha256": "$(sha256sum scripts/mutants/Cargo.lock | cut -d' ' -f1)" }
  ],
  "result": "mutants.csv",
  "rows": $(($(wc -l < results/mutants/mutants.csv) - 1)),
  "sha256": "$(sha256sum results/mutants/mutants.csv | cut -d' ' -f1)",
  "note": "found by a test: $(found yes); by its time: $(found slow); by none: $(found no)"
}
END
