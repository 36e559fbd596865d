#!/bin/sh
# Feeds damaged input to every reader, for so many minutes in all, each time other cases:
#     scripts/fuzz.sh [MINUTES]
# A reader that panics, or takes something damaged for whole, ends the run; the message has the smallest case and the seed
# (PODS_FUZZ_SEED) that shows it again. Put the case into tests/corpus/readers, or write a test of it.
set -eu
cd "$(dirname "$0")/.."
minutes=${1:-10}
case $minutes in '' | *[!0-9]*) echo "usage: scripts/fuzz.sh [MINUTES]" >&2; exit 2 ;; esac
cargo test --locked --quiet --test readers --no-run
# Targets that look at the time; two of them run at once.
targets=$(cargo test --locked --quiet --test readers -- --list 2> /dev/null | grep -c ': test$')
export PODS_FUZZ_SECONDS=$((minutes * 60 * 2 / targets + 1))
echo "$targets readers, $PODS_FUZZ_SECONDS s each, two at once" >&2
exec cargo test --locked --quiet --test readers -- --test-threads=2
