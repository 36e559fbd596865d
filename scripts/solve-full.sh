#!/bin/sh
# Makes results/solved: openings of the full Standard game on 36 points, each solved by search as the position after it, and
# proven by a certificate. Hours for each: a run gives every opening that it is asked for, and that has no row yet, its share of
# time, and goes on from where the run before ended. An orientation is solved when one opening wins for White, or all 51 lose.
# For other openings or more effort set some of these:
#   OPENINGS="180:b@b3 0:b@a4" TIME=3600 MEMORY=8GiB SIZE=3GiB THREADS=2 KEEP=target/solve-full OUT=results/solved scripts/solve-full.sh
# TIME are the seconds of a run for each opening, SIZE what a checkpoint in KEEP may hold; openings of one orientation share
# one. Certificates stay in KEEP; those of at most 20 MB when compressed are copied to OUT. PODS names another program than the
# one that is built here, COMMIT what that was built from.
set -eu
cd "$(dirname "$0")/.."
if [ -z "${PODS:-}" ]; then
    cargo build --release --quiet
    PODS=target/release/pods
fi
commit=${COMMIT:-$(git rev-parse HEAD)}
memory=${MEMORY:-8GiB}
keep=${KEEP:-target/solve-full}
out=${OUT:-results/solved}
rows=$out/openings.csv
mkdir -p "$keep" "$out"
[ -f "$rows" ] || echo "board,orientation,rules,opening,winner,reply,nodes,cpu_seconds,memory,commit,lines,bytes,sha256,check_seconds,compressed" > "$rows"
# `spent` becomes the user and system CPU seconds of what this shell has waited for since `times > "$keep/begun"`. Both are called
# in the shell itself: a subshell has waited for nothing.
since_begun() {
    times > "$keep/now"
    spent=$(cat "$keep/begun" "$keep/now" |
        awk 'NR % 2 == 0 { gsub("[ms]", " "); sum[NR] = $1 * 60 + $2 + $3 * 60 + $4 } END { printf "%.0f\n", sum[4] - sum[2] }')
}
# The text, or the number, of a key in a line of JSON.
key() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$2"; }
for entry in ${OPENINGS:-180:b@b3 0:b@a4 0:b@b4}; do
    turn=${entry%%:*}
    opening=${entry#*:}
    if grep -q "^cave36,$turn,standard,$opening," "$rows"; then
        continue
    fi
    position=$("$PODS" moves start --orientation "$turn" --format csv | awk -F, -v action="$opening" '$1 == action { print $2 }')
    if [ -z "$position" ]; then
        echo "$entry: no such opening; name one as ORIENTATION:ACTION, such as 180:b@b3" >&2
        exit 2
    fi
    name=$turn-$(echo "$opening" | tr -d '@')
    answer=$keep/$name.json
    limits="--orientation $turn --memory $memory --checkpoint $keep/$turn.search --checkpoint-size ${SIZE:-3GiB}"
    times > "$keep/begun"
    # shellcheck disable=SC2086
    "$PODS" solve "$position" --method search $limits --time "${TIME:-3600}" --threads "${THREADS:-1}" --no-verify \
        --format json > "$answer.new"
    mv "$answer.new" "$answer"
    since_begun
    sum=$(($(cat "$keep/$name.cpu" 2> /dev/null || echo 0) + spent))
    echo "$sum" > "$keep/$name.cpu"
    case $(key value "$answer") in
        win) winner=Black ;;
        loss) winner=White ;;
        *) echo "$entry: open after $(key positions "$answer") nodes and $sum CPU seconds" >&2; continue ;;
    esac
    proof=$keep/$name.jsonl
    # shellcheck disable=SC2086
    "$PODS" prove "$position" --method search $limits --out "$proof" --force > "$keep/$name.proof"
    times > "$keep/begun"
    "$PODS" check-proof "$proof" > /dev/null
    since_begun
    check=$spent
    xz --keep --force -6 "$proof"
    size=$(wc -c < "$proof.xz")
    compressed=
    if [ "$size" -le 20000000 ]; then
        cp "$proof.xz" "$out/"
        compressed=$name.jsonl.xz
    fi
    echo "cave36,$turn,standard,$opening,$winner,$(key wins_by "$answer"),$(key positions "$answer"),$sum,$memory,$commit,$(wc -l < "$proof"),$(wc -c < "$proof"),$(sha256sum "$proof" | cut -d' ' -f1),$check,$compressed" >> "$rows"
done
cat > "$out/solved.manifest.json" <<END
{
  "format": "pods-manifest",
  "version": 1,
  "program": "pods $(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)",
  "command": "scripts/solve-full.sh",
  "commit": "$commit",
  "rules": ["standard"],
  "methods": ["search"],
  "verified": ["pods check-proof: plain rules and lemmas, on the board with the reference engine"],
  "inputs": [
    { "name": "cave36", "sha256": "$(sha256sum boards/cave36.toml | cut -d' ' -f1)" },
    { "name": "pods14", "sha256": "$(sha256sum boards/pods14.toml | cut -d' ' -f1)" }
  ],
  "result": "openings.csv",
  "rows": $(($(wc -l < "$rows") - 1)),
  "sha256": "$(sha256sum "$rows" | cut -d' ' -f1)",
  "note": "a row is an opening of which it is known who wins; reply is the winning reply where Black wins; nodes are those of all runs from the same checkpoint, CPU seconds those that were recorded; lines, bytes and sha256 are of the certificate without compression"
}
END
cat "$rows"
