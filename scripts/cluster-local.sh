#!/bin/sh
# Builds a table with N processes on this machine, which talk over the loopback interface, each with a limit of its memory:
#   scripts/cluster-local.sh N LIMIT NAME SETUP...
#   scripts/cluster-local.sh 4 400MiB table --board lair16 --pods four --black-hand bdt --rules advanced
# Of one process from disk the set of the next line takes 126 MiB, more than half of LIMIT; of each of four 101 MiB:
#   scripts/cluster-local.sh 4 220MiB table --board lair16 --pods four --black-hand bdt --rules standard
# By the plan, the set of the next line takes 769 MiB of one process from disk, and 148 MiB of each of four:
#   scripts/cluster-local.sh 4 400MiB table --board lair16 --pods four --rules standard
# LIMIT is in KiB, MiB or GiB: the most addresses of each process (ulimit -v), and some less the memory that it plans with. What
# the processes take, and what each has done, is printed at the end. PODS names the program [target/release/pods].
set -eu
if [ $# -lt 4 ]; then
    sed -n '2,10s/^# //p' "$0" >&2
    exit 2
fi
n=$1 limit=$2
shift 2
number=${limit%[KMG]iB}
case $limit in
    *KiB) kib=$number ;;
    *MiB) kib=$((number * 1024)) ;;
    *GiB) kib=$((number * 1024 * 1024)) ;;
    *) echo "LIMIT must be like 400MiB: $limit" >&2; exit 2 ;;
esac
pods=${PODS:-$(dirname "$0")/../target/release/pods}
# The others are started by process 0, and have its limit, each for itself.
ulimit -v "$kib"
# Addresses are more than memory: stacks of threads, and arrays of which few pages are used.
exec "$pods" table build "$@" --processes "$n" --memory "$((kib / 2))KiB"
