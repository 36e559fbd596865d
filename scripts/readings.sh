#!/bin/sh
# Makes OUT anew, target/results/readings unless it is set (OUT=results/readings replaces the kept one): what each single-option difference of the rules changes, per preset and orientation.
# Some minutes on two cores. The table does not depend on the machine; the manifest names the commit.
set -eu
cd "$(dirname "$0")/.."
mkdir -p target/results
cargo run --release --quiet -- report readings --format csv --out "${OUT:-target/results/readings}" \
    --commit "$(git rev-parse HEAD)" > /dev/null
