#!/bin/sh
# Makes results/frontier anew: how early in the Standard game of the real size random positions are solved, by ply; the rows
# and a picture of them.
# Some minutes on two cores; the last column is CPU seconds of one thread.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet
rows=$(mktemp -d)
trap 'rm -rf "$rows"' EXIT
measure() {
    ./target/release/pods frontier --ply 14 --ply 12 --ply 10 --count 10 --orientation "$1" --memory 64MiB > "$rows/$1"
    ./target/release/pods frontier --ply 8 --count 5 --max-nodes 60000000 --orientation "$1" --memory 1GiB >> "$rows/$1"
    ./target/release/pods frontier --ply 6 --count 1 --max-nodes 60000000 --orientation "$1" --memory 1GiB >> "$rows/$1"
}
measure 0 & measure 90; wait $!
measure 180 & measure 270; wait $!
mkdir -p results/frontier
{ head -n 1 "$rows/0"; cat "$rows/0" "$rows/90" "$rows/180" "$rows/270" | grep -v '^board,'; } > results/frontier/frontier.csv
./target/release/pods frontier --from results/frontier/frontier.csv --plot results/frontier/frontier.svg
cat > results/frontier/frontier.manifest.json <<END
{
  "format": "pods-manifest",
  "version": 1,
  "program": "$(./target/release/pods --version)",
  "command": "scripts/frontier.sh",
  "commit": "$(git rev-parse HEAD)",
  "rules": ["standard"],
  "seed": "0 to 9, 0 to 4 at ply 8, 0 at ply 6, for each orientation",
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
  "note": "one thread, a table of 64 MiB, 1 GiB at plies 8 and 6; an empty value means that the limit of 30 million nodes (60 million at plies 8 and 6) was reached"
}
END
