#!/bin/sh
# Makes results/laboratory/coverage anew: which lines of the package tests reach, by floor. Needs the compiler's own LLVM tools:
#     rustup component add llvm-tools
# TESTS are the targets that are run, ARGS what is said to the tests (such as `--skip NAME`). Tests of the command line run the
# program itself, which counts as well. Half an hour.
set -eu
cd "$(dirname "$0")/../.."
tests=${TESTS:---lib --test rules --test values --test tables --test readers --test program}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
tools=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin
work=$target/coverage
out=${OUT:-results/laboratory/coverage}
rm -rf "$work"
mkdir -p "$work"
# Only the package itself counts what it reaches; what it stands on is built once for all.
printf '#!/bin/sh\nexec "$@" -C instrument-coverage\n' > "$work/rustc"
chmod +x "$work/rustc"
export RUSTC_WORKSPACE_WRAPPER="$work/rustc" LLVM_PROFILE_FILE="$work/%8m.profraw"
# shellcheck disable=SC2086
programs=$(cargo test --locked --no-run --message-format json $tests |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | sort -u)
rm -f "$work"/*.profraw
# A test that fails stops it: what it did not reach would count as not tested.
# shellcheck disable=SC2086
cargo test --locked --quiet $tests -- ${ARGS:-} >&2
"$tools/llvm-profdata" merge -sparse "$work"/*.profraw -o "$work/all.profdata"
objects=$(for program in $programs; do printf ' -object %s' "$program"; done)
# shellcheck disable=SC2086
"$tools/llvm-cov" export -format=lcov -instr-profile "$work/all.profdata" $objects > "$work/all.lcov"
scripts/coverage/coverage.py "$work/all.lcov" "$out"
digest() { sha256sum "$1" | cut -d' ' -f1; }
total() { sed -n 's/^all,//p' "$out/coverage.csv" | cut -d, -f"$1"; }
cat > "$out/coverage.manifest.json" <<END
{
  "format": "pods-manifest",
  "version": 1,
  "program": "pods $(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)",
  "command": "scripts/coverage/coverage.sh",
  "commit": "$(git rev-parse HEAD)",
  "methods": ["$(rustc --version), -C instrument-coverage", "cargo test $tests${ARGS:+ -- $ARGS}"],
  "verified": ["all of these tests passed"],
  "inputs": [{ "name": "Cargo.lock", "sha256": "$(digest Cargo.lock)" }],
  "result": "coverage.csv",
  "rows": $(($(wc -l < "$out/coverage.csv") - 1)),
  "sha256": "$(digest "$out/coverage.csv")",
  "lines": $(total 2),
  "reached": $(total 3),
  "note": "lines of src without those of tests; lines.csv names what nothing reached"
}
END
