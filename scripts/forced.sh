#!/bin/sh
# Makes results/forced anew: late positions of the game of the real size, and whether the side to move forces a win within
# 11 plies. Some ten minutes.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet
pods=${CARGO_TARGET_DIR:-target}/release/pods
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
for rules in advanced very-advanced; do
    "$pods" frontier --hands 3 --max-plies 11 --count 40 --rules "$rules" >> "$rows"
done
mkdir -p results/forced
{ head -n 1 "$rows"; grep -v '^board,' "$rows"; } > results/forced/forced.csv
cat > results/forced/forced.manifest.json <<END
{
  "format": "pods-manifest",
  "version": 1,
  "program": "$("$pods" --version)",
  "command": "scripts/forced.sh",
  "commit": "$(git rev-parse HEAD)",
  "rules": ["advanced", "very-advanced"],
  "seed": "0 to 39, for each rule set",
  "methods": ["forced"],
  "verified": [],
  "inputs": [
    { "name": "cave36", "sha256": "$(sha256sum boards/cave36.toml | cut -d' ' -f1)" },
    { "name": "pods14", "sha256": "$(sha256sum boards/pods14.toml | cut -d' ' -f1)" }
  ],
  "result": "forced.csv",
  "rows": $(($(wc -l < results/forced/forced.csv) - 1)),
  "sha256": "$(sha256sum results/forced/forced.csv | cut -d' ' -f1)",
  "note": "one thread, CPU seconds; the answer is unknown where the limit of 30 million nodes was reached"
}
END
