#!/bin/sh
# Makes results/readings/ again: what each single-option difference of the rules changes, per preset and orientation.
# Some minutes on two cores. The table does not depend on the machine; the manifest names the commit.
set -eu
cd "$(dirname "$0")/.."
cargo run --release --quiet -- report --readings --format csv --out results/readings \
    --commit "$(git rev-parse HEAD)" > /dev/null
