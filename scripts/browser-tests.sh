#!/usr/bin/env bash
# Goes through `pods explore` in a real browser: clicks, drags, keys, files, screenshots, accessibility (tests/browser).
#
#   scripts/browser-tests.sh [--pictures] [PROGRAM]     default: target/debug/pods, built if need be
#
# --pictures photographs the page at three sizes instead, light and dark, as it opens and in use, to be looked at.
# Needs Chromium (CHROMIUM names it; Debian: apt-get install chromium), Node.js 20 or later and npm, which fetches playwright-core and
# axe-core at the versions of tests/browser/package-lock.json. Screenshots go to target/browser-tests/pictures.
# ONLY=WORD,WORD runs the flows alone whose names hold a word; ONLY=random RANDOM_SECONDS=900 RANDOM_SEED=1 takes random steps for so long.
# Exit status: 0 all flows went well, 1 one failed, 3 something that is needed is not here.
set -euo pipefail
cd "$(dirname "$0")/.."
missing() {
    echo "browser tests cannot run: $1" >&2
    exit 3
}
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$CHROMIUM" ] || missing "there is no Chromium; on Debian: apt-get install chromium"
command -v node > /dev/null && command -v npm > /dev/null || missing "there is no Node.js with npm; on Debian: apt-get install nodejs npm"
place=target/browser-tests
mkdir -p "$place"
cp tests/browser/package.json tests/browser/package-lock.json "$place/"
npm ci --prefix "$place" --silent --no-audit --no-fund || missing "npm cannot fetch playwright-core and axe-core"
pictures=
[ "${1:-}" != --pictures ] || { pictures=1; shift; }
program=${1:-${CARGO_TARGET_DIR:-target}/debug/pods}
[ $# -gt 0 ] || cargo build --locked
export CHROMIUM
[ -z "$pictures" ] || exec node tests/browser/pictures.mjs "$program" "$PWD/$place" "$PWD/$place/pictures"
# A browser mostly waits, so there are two, each with a server of its own, that share the flows.
CLAIMS=$(mktemp -d)
export CLAIMS
trap 'rm -rf "$CLAIMS"' EXIT
lane() {
    node tests/browser/flows.mjs "$program" "$PWD/$place" "$PWD/$place/pictures"
}
lane &
failed=0
lane || failed=1
wait $! || failed=1
exit $failed
