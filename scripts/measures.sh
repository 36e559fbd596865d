#!/bin/sh
# Makes results/measures anew: measures of play of the built-in suite, and of nine points with four pods a side (crowded/), each
# with its manifest. Some minutes of one core, 2 GiB of memory. The rows do not depend on the machine or on THREADS. PODS names
# another program than the release build, COMMIT what it was built from.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
measure() {
    folder=$1
    shift
    "$PODS" report --measures "$@" --strength 500:50 --memory 2GiB --max-positions 3000000 --threads "${THREADS:-1}" \
        --out "$folder" --commit "${COMMIT:-$(git rev-parse HEAD)}" --format text > /dev/null
}
measure results/measures --max-plies 40
measure results/measures/crowded --board nook9 --pods four --hands bdqt --orientation 0 --orientation 90 \
    --rules advanced --rules advanced-author --max-plies 60
