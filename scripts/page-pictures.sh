#!/usr/bin/env bash
# Photographs the page of `pods explore` at three sizes, light and dark, as it opens and in use, to be looked at.
#
#   scripts/page-pictures.sh [PROGRAM]     default: target/debug/pods, which must have been built
#
# Pictures go to target/browser-tests/pictures. SCENES, SIZES (laptop, desk, phone) and SCHEMES (light, dark) name some of them,
# with commas between; PAGE=src/explore/page shows scripts and styles as they are in the sources. Needs what scripts/browser-tests.sh needs.
set -euo pipefail
cd "$(dirname "$0")/.."
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
place=target/browser-tests
mkdir -p "$place"
if [ ! -d "$place/node_modules" ]; then
    cp tests/browser/package.json tests/browser/package-lock.json "$place/"
    npm ci --prefix "$place" --silent --no-audit --no-fund
fi
CHROMIUM=$CHROMIUM exec node tests/browser/pictures.mjs "${1:-target/debug/pods}" "$PWD/$place" "$PWD/$place/pictures"
