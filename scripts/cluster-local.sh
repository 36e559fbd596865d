#!/bin/sh
# Builds a table with N processes on this machine, which talk over the loopback interface, each with a limit of its memory:
#   scripts/cluster-local.sh N LIMIT NAME SETUP...
#   scripts/cluster-local.sh 4 400MiB table --board lair16 --pods four --hands :bdt --rules advanced
# LIMIT is in KiB, MiB or GiB: the most addresses of each process (ulimit -v), and some less the memory that it plans with. What
# the processes take, and what each has done, is printed at the end. PODS names the program [target/release/pods].
set -eu
if [ $# -lt 4 ]; then
    sed -n '2,6s/^# //p' "$0" >&2
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
# Each has the limit for itself. Addresses are more than memory: stacks of threads, and arrays of which few pages are used.
ulimit -v "$kib"
# All end with this script.
pids=
trap 'kill $pids 2> /dev/null || true' EXIT
trap 'exit 130' INT TERM
process=$((n - 1))
while [ "$process" -gt 0 ]; do
    "$pods" table build "$@" --processes "$n" --process "$process" --threads 1 --memory "$((kib / 2))KiB" > /dev/null &
    pids="$pids $!"
    process=$((process - 1))
done
"$pods" table build "$@" --processes "$n" --process 0 --threads 1 --memory "$((kib / 2))KiB" &
pids="$pids $!"
wait "$!"
wait
