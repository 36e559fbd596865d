#!/bin/sh
# Makes results/laboratory/drawings anew: pictures of positions, for people who look at the project.
#
#   scripts/drawings.sh [PROGRAM [FOLDER]]     default: target/release/pods, built if need be, and results/laboratory/drawings
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || cargo build --release --quiet
pods=${1:-./target/release/pods}
folder=${2:-results/laboratory/drawings}
mkdir -p "$folder"
# A game on the reconstructed board, after three plies.
"$pods" show '6/5O/4o1/2B3/6/6 b cdfghjkpqtvy bcdfghjkpqtvy -' --format svg > "$folder/attacks.svg"
# The position of the README's tour.
"$pods" show '3/1B1/2q w dt bt -' --board nook9 --pods four --format svg > "$folder/tour.svg"
