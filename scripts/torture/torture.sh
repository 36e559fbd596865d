#!/bin/sh
# Attempts to break the program for so many seconds: kills, damage, races, limits, hostile input.
# Usage: scripts/torture/torture.sh [SECONDS [SEED [FOLDER]]], by default 3600 1 results/torture. PODS names another program than the
# release build, COMMIT what that was built from, and PYTHON one that has podsgame. Prints the turns of each campaign once a minute, and in
# the end what was tried and found; ends with 1 if anything was. Ended early, the same command goes on (FOLDER/torture.state.json).
# PATIENCE and AFTER_SIGNAL are the seconds that a command may take, and after a signal, on a machine that is busy with other work.
set -eu
cd "$(dirname "$0")/../.."
if [ -z "${PODS:-}" ]; then
    cargo build --release --quiet
    PODS=target/release/pods
fi
exec python3 scripts/torture/torture.py --pods "$PODS" --seconds "${1:-3600}" --seed "${2:-1}" --out "${3:-results/torture}" \
    --commit "${COMMIT:-$(git rev-parse HEAD)}"
