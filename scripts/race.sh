#!/bin/sh
# Makes results/laboratory/race anew: who wins Snort on grids, by the search of pods and by published solvers, in one run.
# Some minutes; the peers are built by this script only.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
limit=${LIMIT:-20}
target=${CARGO_TARGET_DIR:-benches/peers/target}
cargo build --release --quiet --manifest-path benches/peers/Cargo.toml --target-dir "$target"
mkdir -p results/laboratory/race
counting results/laboratory/race/race.csv.new "$(wc -l < results/laboratory/race/race.csv)"
"$target/release/race" --limit "$limit" --format csv > results/laboratory/race/race.csv.new
mv results/laboratory/race/race.csv.new results/laboratory/race/race.csv
cat > results/laboratory/race/race.manifest.json <<END
{
  "format": "pods-manifest",
  "version": 1,
  "program": "pods $(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)",
  "command": "scripts/race.sh",
  "commit": "$(git rev-parse HEAD)",
  "rules": ["standard+placement-liberty=off+opening=any"],
  "methods": ["search", "minimax 0.6.0", "game-solver 0.1.0"],
  "verified": ["equal answers of all that finish"],
  "inputs": [
    { "name": "snort", "sha256": "$(sha256sum boards/snort.pods.toml | cut -d' ' -f1)" },
    { "name": "benches/peers/Cargo.lock", "sha256": "$(sha256sum benches/peers/Cargo.lock | cut -d' ' -f1)" }
  ],
  "result": "race.csv",
  "rows": $(($(wc -l < results/laboratory/race/race.csv) - 1)),
  "sha256": "$(sha256sum results/laboratory/race/race.csv | cut -d' ' -f1)",
  "note": "one thread, a process for each entry; CPU seconds without setting up the tables of 512 MiB (game-solver: a hash map without limit); an empty winner means that $limit CPU seconds did not suffice"
}
END
