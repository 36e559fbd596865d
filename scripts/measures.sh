#!/bin/sh
# Makes results/measures anew: measures of play on nine points with three pods a side under all presets in all orientations, and
# with four pods a side (crowded/, with pictures), each with its manifest. A minute of one core, 1 GiB of memory. The rows do not
# depend on the machine or on THREADS. PODS names another program than the release build, COMMIT what it was built from.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
measure() {
    folder=$1
    shift
    "$PODS" report measures --board nook9 --pods four "$@" --strength 500:50 --max-plies 40 --memory 1GiB \
        --threads "${THREADS:-1}" --out "$folder" --commit "${COMMIT:-$(git rev-parse HEAD)}" --format text > /dev/null
}
measure results/measures --hands bdt --rules standard --rules basic-author --rules advanced --rules advanced-dutch \
    --rules advanced-author --rules very-advanced
measure results/measures/crowded --hands bdqt --rules advanced --orientation 0 --orientation 90 --pictures
