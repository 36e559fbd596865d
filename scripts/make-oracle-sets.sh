#!/bin/sh
# Makes the oracle sets of results/oracle again, one per preset, and checks them.
#     scripts/make-oracle-sets.sh [PROGRAM]
set -eu
pods=${1:-target/release/pods}
out=results/oracle

export_set() { # name, then setup arguments
    name=$1
    shift
    "$pods" oracle export --out "$out/$name" --seed 1 --count 7 --solve 20000 "$@"
}

export_set standard --board nook9 --orientation 0 --pods four --hands bdt --rules standard
export_set basic-author --board den12 --orientation 90 --pods four --rules basic-author
export_set advanced --board ring8 --orientation 0 --pods four --rules advanced
export_set advanced-dutch --board nook9 --orientation 180 --pods trio --rules advanced-dutch
export_set advanced-author --board lair16 --orientation 270 --pods mini5 --rules advanced-author
export_set very-advanced --board cave16 --orientation 0 --pods mini5 --rules very-advanced
"$pods" oracle check "$out"/*
