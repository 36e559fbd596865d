#!/bin/sh
# Makes results/solved: who wins the full Standard game from the empty board of 36 points, for each orientation. Hours: each
# run gives each orientation that is still open its share of time and goes on from where the run before ended, so run it
# again until none is open. For more or less effort set some of these:
#   TIME=3600 MEMORY=6GiB SIZE=1GiB THREADS=1 KEEP=target/solve-full OUT=results/solved scripts/solve-full.sh
# TIME are the seconds of a run for each orientation, SIZE what a checkpoint in KEEP may hold. PODS names another program than
# the one that is built here, COMMIT what that was built from.
set -eu
cd "$(dirname "$0")/.."
if [ -z "${PODS:-}" ]; then
    cargo build --release --quiet
    PODS=target/release/pods
fi
commit=${COMMIT:-$(git rev-parse HEAD)}
SIZE=${SIZE-1GiB}
memory=${MEMORY:-6GiB}
keep=${KEEP:-target/solve-full}
out=${OUT:-results/solved}
mkdir -p "$keep" "$out"
# User and system CPU seconds of all that this shell has waited for.
cpu() {
    times > "$keep/times"
    awk 'NR == 2 { gsub("[ms]", " "); print $1 * 60 + $2 + $3 * 60 + $4 }' "$keep/times"
}
# The text, or the number, of a key in a line of JSON.
key() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$2"; }
for turn in 0 90 180 270; do
    answer=$keep/$turn.json
    if [ "$(key value "$answer" 2> /dev/null)" != win ] && [ "$(key value "$answer" 2> /dev/null)" != loss ]; then
        cpu > "$keep/before"
        "$PODS" solve start --method search --orientation "$turn" --memory "$memory" --time "${TIME:-3600}" \
            --threads "${THREADS:-1}" --checkpoint "$keep/$turn.search" ${SIZE:+--checkpoint-size "$SIZE"} \
            --no-verify --format json > "$answer.new"
        mv "$answer.new" "$answer"
        cpu > "$keep/after"
        before=$(cat "$keep/$turn.cpu" 2> /dev/null || echo 0)
        awk -v sum="$before" 'NR == 1 { begun = $1 } END { printf "%.0f\n", sum + $1 - begun }' \
            "$keep/before" "$keep/after" > "$keep/$turn.cpu"
    fi
done
{
    echo "board,orientation,rules,winner,opening,losing,nodes,cpu_seconds,memory"
    for turn in 0 90 180 270; do
        answer=$keep/$turn.json
        case $(key value "$answer") in
            win) winner=White ;;
            loss) winner=Black ;;
            *) winner= ;;
        esac
        losing=$(sed -n 's/.*"losing":\[\([^]]*\)\].*/\1/p' "$answer" | tr -d '"' | tr ',' ' ')
        echo "cave36,$turn,standard,$winner,$(key wins_by "$answer"),$losing,$(key positions "$answer"),$(cat "$keep/$turn.cpu"),$memory"
    done
} > "$out/solved.csv"
cat > "$out/solved.manifest.json" <<END
{
  "format": "pods-manifest",
  "version": 1,
  "program": "pods $(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)",
  "command": "scripts/solve-full.sh",
  "commit": "$commit",
  "rules": ["standard"],
  "methods": ["search"],
  "verified": [],
  "inputs": [
    { "name": "cave36", "sha256": "$(sha256sum boards/cave36.toml | cut -d' ' -f1)" },
    { "name": "pods14", "sha256": "$(sha256sum boards/pods14.toml | cut -d' ' -f1)" }
  ],
  "result": "solved.csv",
  "rows": 4,
  "sha256": "$(sha256sum "$out/solved.csv" | cut -d' ' -f1)",
  "note": "an empty winner is open: the time was up; losing are the openings that are known to lose; nodes and CPU seconds are those of all runs"
}
END
cat "$out/solved.csv"
