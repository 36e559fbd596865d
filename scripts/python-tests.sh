#!/usr/bin/env bash
# Builds the Python package, installs it into a fresh environment, and runs its tests: types, tests/python, notebooks.
#
#   scripts/python-tests.sh [PYTHON]       default: python3
#
# The wheel is built with the crates of `cargo test`, and this one not optimized, which takes a fifth of the time; PROFILE=release builds it
# as users get it. Exit status 3: there is no Python, and the tests are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' 2> /dev/null; then
    echo "no Python 3.9 with venv here: the tests of the Python package are left out" >&2
    exit 3
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/env"
# uv installs the same packages in a tenth of the time.
"$work/env/bin/pip" install --quiet --disable-pip-version-check uv
export VIRTUAL_ENV="$work/env" PATH="$work/env/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
export MATURIN_PEP517_ARGS="--profile ${PROFILE:-dev} --config profile.dev.package.pods.opt-level=0"
uv pip install --quiet '.[data,openspiel]' ipykernel matplotlib mypy nbclient pytest tqdm
# From another folder, so that what is installed is tested and not what lies in src/python.
tests="$PWD/tests/python" config="$PWD/pyproject.toml"
python -m mypy --config-file "$config" src/python/podsgame
cd "$work"
# Rust cannot say that a class has no subclasses, and mypy does not look into OpenSpiel.
echo 'podsgame\.openspiel\.Pods(Game|State)' > allowed
python -m mypy.stubtest podsgame --mypy-config-file "$config" --ignore-missing-stub --ignore-disjoint-bases --allowlist allowed
python -m pytest --quiet -p no:cacheprovider "$tests"
