#!/bin/sh
# Makes results/balance anew: the built-in suite, solved and verified, with its manifest.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet
./target/release/pods report --out results/balance --commit "$(git rev-parse HEAD)" --format text
