#!/usr/bin/env python3
"""Measures how long tables take under each preset and writes results/laboratory/table-times/.

    scripts/table-times.py [FOLDER_FOR_TABLES] [--boards lair16 ...]

Builds the program in release mode first. For each setup below, of these boards or of all, and each preset, all in one run: the
seconds of `pods table plan`, and the CPU seconds (user and system) of `pods table build`, compression and files included, and of
`pods table verify`, by rows with a sample by the engines. One thread, so that CPU seconds mean the same on a busy machine. Small
setups are solved position by position (--plain) too, and larger ones from disk (--stream); the files must be the same, byte for
byte. Larger ones are left out under `standard`: there an empty hand loses, so that all pods may stand on the board.

times.csv has a line for each table, and what it took for one of advanced-author: the same rules without shoves and kicks.
The tables are not kept.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

from provenance import ROOT, built_commit, material, sha256, with_progress, write_manifest, write_rows

PODS = str(ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release" / "pods")
RESULTS = ROOT / "results" / "laboratory" / "table-times"
PRESETS = ["standard", "basic-author", "advanced", "advanced-dutch", "advanced-author", "very-advanced"]
ARGUMENTS = argparse.ArgumentParser(description="How long tables take under each preset.")
ARGUMENTS.add_argument("--boards", nargs="+", help="only setups of these")
ARGUMENTS.add_argument("folder", nargs="?", help="where to keep the tables meanwhile")
ARGS = ARGUMENTS.parse_args()
# Board, pods, white hand, black hand, and whether it is solved position by position too, and from disk.
SETUPS = [
    ("lair16", "trio", "bdt", "bdt", "plain"),
    ("nook9", "four", "bdqt", "bdt", "plain"),
    ("nook9", "four", "bdqt", "bdqt", "stream"),
    ("den12", "four", "bdqt", "bdqt", "stream"),
    ("lair16", "four", "bdqt", "bdt", "stream"),
    ("cave36", "trio", "bdt", "bdt", "stream"),
    ("cave36", "four", "bdqt", "bdt", ""),
]
SETUPS = [setup for setup in SETUPS if setup[0] in (ARGS.boards or [setup[0]])]


def timed(*args):
    """Runs a command; returns its output and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run([PODS, *args], check=True, stdout=subprocess.PIPE, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return said, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def digest(table):
    return sha256(pathlib.Path(f"{table}.pods-table"))


def measure(folder, board, pod_set, white, black, other, rules):
    setup = ["--board", board, "--pods", pod_set, "--rules", rules, "--hands", f"{white}:{black}"]
    threads = ["--threads", "1", "--memory", "20GiB"]
    plan = json.loads(timed("table", "plan", *setup, "--format", "json")[0])
    table = str(folder / "table")
    _, build = timed("table", "build", table, *setup, *threads)
    verified, verify = timed("table", "verify", table, *threads)
    row = {
        "board": board, "pods": pod_set, "white_hand": white, "black_hand": black, "rules": rules,
        "positions": plan["positions"], "planned_two_cores": f"{plan['seconds']:.2f}",
        "build": f"{build:.2f}", "verify": f"{verify:.2f}", "plain": "", "stream": "",
    }
    if other:
        again = str(folder / "again")
        row[other] = f"{timed('table', 'build', again, *setup, *threads, f'--{other}')[1]:.2f}"
        if digest(again) != digest(table):
            sys.exit(f"{board} {rules}: --{other} gives another file")
    for path in folder.iterdir():
        path.unlink()
    return row, verified.strip()


def main():
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet"], check=True, cwd=ROOT)
    commit = built_commit()
    RESULTS.mkdir(parents=True, exist_ok=True)
    rows, said = [], []
    with tempfile.TemporaryDirectory(dir=ARGS.folder) as folder:
        for setup in with_progress(SETUPS, "setups"):
            presets = with_progress(PRESETS if setup[4] == "plain" else PRESETS[1:], f"rule sets of {setup[0]}")
            of_setup = [measure(pathlib.Path(folder), *setup, rules) for rules in presets]
            author = next(float(row["build"]) for row, _ in of_setup if row["rules"] == "advanced-author")
            for row, verified in of_setup:
                row["to_advanced_author"] = f"{float(row['build']) / max(author, 0.01):.2f}"
                rows.append(row)
                said.append({"board": row["board"], "hands": setup[2:4], "rules": row["rules"], "verified": verified})
                print(",".join(map(str, row.values())), flush=True)
    write_rows(RESULTS / "times.csv", rows)
    write_manifest(RESULTS / "manifest.json", {
        "command": "scripts/table-times.py" + (f" --boards {' '.join(ARGS.boards)}" if ARGS.boards else ""),
        "build": "cargo build --release --locked",
        "commit": commit,
        "rules": PRESETS,
        "seed": None,
        "methods": ["table"],
        "verified": ["pods table verify, its words for each run", "equal files by --plain and --stream where measured"],
        "inputs": material((setup[0], setup[1]) for setup in SETUPS),
        "note": "one thread; CPU seconds on a machine with other work; planned_two_cores is what pods table plan says for two cores",
        "runs": said,
        "files": {"times.csv": sha256(RESULTS / "times.csv")},
    })


main()
