#!/usr/bin/env python3
"""Measures the search for the winner on the positions of results/search/positions.csv: nodes, CPU seconds, what was left open.

    cargo build --release && scripts/search-bench.py
    scripts/search-bench.py --program other/pods    another program beside it, to compare
    scripts/search-bench.py --most 400000000        also the large ones, on cave36 at 270 degrees
    scripts/search-bench.py --empty 201-220 --rules standard+opening=any --limit 30000000     the empty random boards of seeds instead

One thread and a table of 1 GiB each (another with --memory), so nodes are the same on every machine. Boards and pods are cave36 with
pods14, or those of `pods new board --random --seed N` and `pods new pods --random --seed N`; positions come from strong play with some
noise. Writes rows to standard output, and sums to standard error: nodes in all, and the geometric mean of nodes to those of the file.
"""

import argparse
import csv
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

from provenance import ROOT, with_progress

POSITIONS = ROOT / "results" / "search" / "positions.csv"


def setup(program, row, folder, more=()):
    """Returns the arguments for board and pods of a row; `more` are those of the drawing."""
    arguments = ["--orientation", row["orientation"], "--rules", row["rules"]]
    if row["seed"] == "":
        return arguments
    for material in ("board", "pods"):
        path = pathlib.Path(folder) / f"{material}-{row['seed']}.toml"
        if not path.exists():
            made = [program, "new", material, "--random", *more, "--seed", row["seed"]]
            path.write_bytes(subprocess.run(made, check=True, stdout=subprocess.PIPE).stdout)
        arguments += [f"--{material}", str(path)]
    return arguments


def solve(program, row, folder, limit, memory="1GiB", more=()):
    """Returns the winner of a row's position, nodes, and CPU seconds."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    question = [program, "solve", row["position"], "--method", "search", "--winner", "--no-verify", "--format", "json"]
    question += ["--threads", "1", "--memory", memory, "--max-nodes", str(limit), *setup(program, row, folder, more)]
    run = subprocess.run(question, stdout=subprocess.PIPE, text=True)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime
    if run.returncode not in (0, 2):
        raise SystemExit(run.returncode)
    answer = json.loads(run.stdout) if run.stdout else {}
    value = answer.get("value")
    return None if value == "unknown" else value, answer.get("positions"), seconds


def empty_boards(arguments):
    """Asks who wins from the empty boards of seeds; a row for each, with the nodes of those left open too."""
    first, _, last = arguments.empty.partition("-")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["seed", "orientation", "rules", "value", "nodes", "seconds"])
    known = []
    more = ["--captions"] if arguments.captions else []
    with tempfile.TemporaryDirectory() as folder:
        for seed in with_progress(range(int(first), int(last or first) + 1), "boards"):
            row = {"seed": str(seed), "orientation": "0", "rules": arguments.rules, "position": "start"}
            value, nodes, seconds = solve(arguments.program, row, folder, arguments.limit, arguments.memory, more)
            known += [nodes] if value else []
            writer.writerow([seed, 0, arguments.rules, value or "unknown", nodes, f"{seconds:.2f}"])
            sys.stdout.flush()
    median = sorted(known)[len(known) // 2] if known else None
    print(f"{len(known)} solved, median of these {median} nodes", file=sys.stderr)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", default=str(ROOT / "target" / "release" / "pods"))
    arguments.add_argument("--most", type=int, default=1_000_000, help="only positions that took at most as many nodes")
    arguments.add_argument("--limit", type=int, default=400_000_000, help="nodes for a position")
    arguments.add_argument("--empty", metavar="FIRST-LAST", help="the empty boards of these seeds")
    arguments.add_argument("--rules", default="standard", help="the rules of --empty")
    arguments.add_argument("--captions", action="store_true", help="those that agree with the rules texts, as in results/survey")
    arguments.add_argument("--memory", default="1GiB", help="the tables of --empty")
    arguments = arguments.parse_args()
    if arguments.empty:
        return empty_boards(arguments)
    with open(POSITIONS, newline="") as file:
        rows = [row for row in csv.DictReader(file) if int(row["nodes"]) <= arguments.most]
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["seed", "orientation", "rules", "position", "value", "before", "nodes", "seconds"])
    total, spent, left_open, logarithms = 0, 0.0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for row in with_progress(rows, "positions"):
            value, nodes, seconds = solve(arguments.program, row, folder, arguments.limit)
            spent += seconds
            if value is None:
                left_open += 1
                nodes = ""
            else:
                if value != row["value"]:
                    raise SystemExit(f"{row['position']}: {value}, and {row['value']} before")
                total += nodes
                logarithms.append(math.log(nodes / int(row["nodes"])))
            written = [row[name] for name in ("seed", "orientation", "rules", "position", "value", "nodes")]
            writer.writerow([*written, nodes, f"{seconds:.2f}"])
            sys.stdout.flush()
    mean = math.exp(sum(logarithms) / len(logarithms)) if logarithms else math.nan
    print(f"{total} nodes, {spent:.1f} CPU seconds, {left_open} open; geometric mean {mean:.3f}", file=sys.stderr)


if __name__ == "__main__":
    main()
