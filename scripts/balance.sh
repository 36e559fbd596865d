#!/bin/sh
# Makes OUT anew, target/results/balance unless it is set (OUT=results/balance replaces the kept one): the built-in suite, solved and verified, as CSV and as a page, with its manifest.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet
mkdir -p target/results
./target/release/pods report --out "${OUT:-target/results/balance}" --commit "$(git rev-parse HEAD)" --format html
