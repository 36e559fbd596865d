#!/bin/sh
# Makes results/balance anew: the built-in suite, solved and verified, as CSV and as a page, with its manifest.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet
./target/release/pods report --out results/balance --commit "$(git rev-parse HEAD)" --format html
