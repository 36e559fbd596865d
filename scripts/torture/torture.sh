#!/bin/sh
# Attempts to break the program for so many seconds: kills, damage, races, limits, hostile input.
# Usage: scripts/torture/torture.sh [SECONDS [SEED [FOLDER]]], by default 3600 1 results/torture. PODS names another program than the
# release build, and COMMIT what that was built from. Prints what was tried and found; ends with 1 if anything was.
set -eu
cd "$(dirname "$0")/../.."
if [ -z "${PODS:-}" ]; then
    cargo build --release --quiet
    PODS=target/release/pods
fi
exec python3 scripts/torture/torture.py --pods "$PODS" --seconds "${1:-3600}" --seed "${2:-1}" --out "${3:-results/torture}" \
    --commit "${COMMIT:-$(git rev-parse HEAD)}"
