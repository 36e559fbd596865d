# What the shell scripts that make results share. They read it with `. scripts/common.sh`, from the folder above.

# PODS becomes the program: what it names already, or the release build, made now.
find_program() {
    [ -z "${PODS:-}" ] || return 0
    cargo build --release --quiet
    PODS=${CARGO_TARGET_DIR:-target}/release/pods
}

# The SHA-256 of a file.
digest() { sha256sum "$1" | cut -d' ' -f1; }

# `since_begun FOLDER DIGITS`: `spent` becomes the user and system CPU seconds of what this shell has waited for since
# `times > FOLDER/begun`. Both are called in the shell itself: a subshell has waited for nothing.
since_begun() {
    times > "$1/now"
    spent=$(cat "$1/begun" "$1/now" | awk -v digits="$2" '
        NR % 2 == 0 { gsub("[ms]", " "); sum[NR] = $1 * 60 + $2 + $3 * 60 + $4 }
        END { printf "%." digits "f\n", sum[4] - sum[2] }')
}

# `counting FILE ALL` tells standard error once a minute, until this script ends, how many of ALL lines a file has.
counting() {
    {
        seconds=0
        while sleep 1 && kill -0 $$ 2> /dev/null; do
            seconds=$((seconds + 1))
            [ $((seconds % 60)) = 0 ] && [ -f "$1" ] || continue
            lines=$(wc -l < "$1")
            left=$((seconds * ($2 - lines) / (60 * lines + 1) + 1))
            echo "progress: $lines of $2 lines of $(basename "$1"), some $left min left" >&2
        done
    } &
}

# `manifest TABLE COMMIT COMMAND FIELDS INPUT...` writes the manifest of a table beside it: TABLE is a CSV file, FIELDS are its
# own lines of JSON, such as '"rules": ["standard"],', and each INPUT is a file, named after it without .toml and .pods.
# PODS is the program.
manifest() {
    table=$1 commit_of_table=$2 command=$3 fields=$4
    shift 4
    inputs=
    for input; do
        name=$(basename "$(basename "$input" .toml)" .pods)
        inputs="$inputs${inputs:+,
}    { \"name\": \"$name\", \"sha256\": \"$(digest "$input")\" }"
    done
    cat > "${table%.csv}.manifest.json" <<END
{
  "format": "pods-manifest",
  "version": 1,
  "program": "$("$PODS" --version)",
  "command": "$command",
  "commit": "$commit_of_table",
$(echo "$fields" | sed 's/^ */  /')
  "inputs": [
$inputs
  ],
  "result": "$(basename "$table")",
  "rows": $(($(wc -l < "$table") - 1)),
  "sha256": "$(digest "$table")"
}
END
}
