#!/bin/sh
# Makes results/jobs: positions decided by several workers (`pods jobs`) beside the same by one search, and the joined certificate checked.
# Some minutes. WORKERS are the workers of each run, FIRST the nodes that a job gets first, and CASES what is searched, each with
# board:orientation:pods:depth:probe, and :rules where these are others than standard. PODS names another program than the release build,
# COMMIT what that was built from. A value that differs ends the script with 1.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
find_program
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to=results/jobs
mkdir -p "$to"
cases=${CASES:-cave16:0:mini7:1:1000 cave16:0:mini7:2:100 cave25:0:pods14:1:10000 cave36:0:pods14:1:10000 cave36:270:pods14:1:1000:standard+opening=any}
counts=${WORKERS:-1 4}
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }
# board orientation pods position depth workers value nodes seconds probe rules; value, nodes and seconds are those of one search
measure() {
    setup="--board $1 --orientation $2 --pods $3 --rules ${11}"
    rm -rf "$work/jobs"
    # shellcheck disable=SC2086
    "$PODS" jobs split "$4" $setup --depth "$5" --probe "${10}" --out "$work/jobs" --format json > "$work/split"
    times > "$work/begun"
    seq "$6" | xargs -P "$6" -I {} "$PODS" jobs run "$work/jobs" --worker {} --wait --first-nodes "${FIRST:-100000}" --memory 1GiB \
        > /dev/null 2> "$work/ended"
    since_begun "$work" 1
    seq "$6" | xargs -P "$6" -I {} "$PODS" jobs run "$work/jobs" --worker {} --wait --memory 1GiB --proofs > /dev/null 2> "$work/ended"
    rm -f "$work/proof"
    "$PODS" jobs merge "$work/jobs" --certificate "$work/proof" --format json > "$work/merged"
    # shellcheck disable=SC2086
    "$PODS" check-proof "$work/proof" --about "$4" $setup --format json > "$work/checked"
    for file in merged checked; do
        if [ "$(field value < "$work/$file")" != "$7" ]; then
            echo "$4 at $2: one search says $7, see $file: $(cat "$work/$file")" >&2
            exit 1
        fi
    done
    decisions=$(grep -L '"proof":"' "$work/jobs/results"/*.json | xargs cat | sed 's/.*"nodes":\([0-9]*\).*/\1/' | awk '{ sum += $1 } END { print sum }')
    echo "$1,$2,$3,${11},$4,$7,$8,$9,$5,${10},$(field jobs < "$work/split"),$(field nodes < "$work/split"),$6,$(field decided < "$work/merged"),$(field results < "$work/merged"),$decisions,$spent,$(field lines < "$work/merged")"
}
{
    echo "board,orientation,pods,rules,position,value,single_nodes,single_seconds,depth,probe,jobs,split_nodes,workers,decided,results,nodes,cpu_seconds,lines"
    for case in $cases; do
        board=${case%%:*} rest=${case#*:}
        turn=${rest%%:*} rest=${rest#*:}
        pods=${rest%%:*} rest=${rest#*:}
        depth=${rest%%:*} rest=${rest#*:}
        probe=${rest%%:*} rules=standard
        [ "$probe" = "$rest" ] || rules=${rest#*:}
        position=start
        [ "$board:$rules" != cave36:standard ] || position='6/5O/4o1/2B3/6/6 b cdfghjkpqtvy bcdfghjkpqtvy -'
        times > "$work/begun"
        "$PODS" solve "$position" --board "$board" --orientation "$turn" --pods "$pods" --rules "$rules" --method search --memory 1GiB --no-verify \
            --format json > "$work/single"
        since_begun "$work" 1
        single=$spent
        for workers in $counts; do
            measure "$board" "$turn" "$pods" "$position" "$depth" "$workers" "$(field value < "$work/single")" \
                "$(field positions < "$work/single")" "$single" "$probe" "$rules"
        done
    done
} > "$work/jobs.csv"
# A pipe hides what ended the loop: every case must have its rows.
expected=$(($(echo "$cases" | wc -w) * $(echo "$counts" | wc -w) + 1))
[ "$(wc -l < "$work/jobs.csv")" = "$expected" ]
mv "$work/jobs.csv" "$to/jobs.csv"
manifest "$to/jobs.csv" "${COMMIT:-$(git rev-parse HEAD)}" scripts/jobs.sh \
    '"rules": ["standard", "standard+opening=any"],
    "methods": ["search"],
    "verified": ["one search; pods check-proof of the joined certificates"],
    "note": "nodes and CPU seconds are those of the workers until it was known who wins, split_nodes came before; the certificates were made after that; results and decided count both; workers take what is most promising at the moment, so their nodes differ from run to run",' \
    boards/cave16.toml boards/cave25.toml boards/cave36.toml boards/mini7.pods.toml boards/pods14.toml
cat "$to/jobs.csv"
