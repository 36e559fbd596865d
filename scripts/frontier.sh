#!/bin/sh
# Makes results/frontier anew: how early in the Standard game of the real size random positions are solved, by ply; the rows
# and a picture of them.
# Some minutes; leave the machine alone meanwhile, the last column is elapsed seconds of one thread.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
for turn in 0 90 180 270; do
    for run in "--ply 14 --ply 12 --ply 10 --count 10" "--ply 8 --count 2 --max-nodes 8000000"; do
        # shellcheck disable=SC2086
        ./target/release/pods frontier $run --orientation "$turn" --memory 64MiB >> "$rows"
    done
done
mkdir -p results/frontier
{ head -n 1 "$rows"; grep -v '^board,' "$rows"; } > results/frontier/frontier.csv
./target/release/pods frontier --from results/frontier/frontier.csv --plot results/frontier/frontier.svg
cat > results/frontier/frontier.manifest.json <<END
{
  "format": "pods-manifest",
  "version": 1,
  "program": "$(./target/release/pods --version)",
  "command": "scripts/frontier.sh",
  "commit": "$(git rev-parse HEAD)",
  "rules": ["standard"],
  "seed": "0 to 9, 0 to 1 at ply 8, for each orientation",
  "methods": ["search"],
  "verified": [],
  "inputs": [
    { "name": "cave36", "sha256": "$(sha256sum boards/cave36.toml | cut -d' ' -f1)" },
    { "name": "pods14", "sha256": "$(sha256sum boards/pods14.toml | cut -d' ' -f1)" }
  ],
  "result": "frontier.csv",
  "rows": $(($(wc -l < results/frontier/frontier.csv) - 1)),
  "sha256": "$(sha256sum results/frontier/frontier.csv | cut -d' ' -f1)",
  "picture": "frontier.svg",
  "note": "one thread, a table of 64 MiB; an empty value means that the limit of 30 million nodes (8 million at ply 8) was reached"
}
END
