#!/usr/bin/env python3
"""Says who wins after each action of a line of play, in results/solved/lines.csv, and goes on where that is unknown.

A line has the actions from the empty board on. For each action after it the table says how that ends for the side that takes it, what refutes it,
and the nodes of all searches that were asked. What the table does not know yet is asked for, each action with at most --nodes; a second
run with more nodes decides more. The checkpoint in --keep holds what the searches of an orientation have found, for later lines of it.
With --from FILE nothing is searched: the rows are those that `pods solve --every-action --format csv` wrote there.

  scripts/solve-line.py 180 "b@b3 q@a4 o@d5 g@f6" [--nodes 1000000] [--memory 4GiB] [--threads 1] [--like LINE] [--pods target/release/pods] [--keep target/solve-line]
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys

from provenance import ROOT, built_commit, sha256, write_manifest, write_rows

RULES = "standard"
FIELDS = ["board", "orientation", "rules", "line", "action", "value", "reply", "nodes"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("orientation", type=int, choices=[0, 90, 180, 270])
    parser.add_argument("line")
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--memory", default="4GiB")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--size", default="2GiB", help="what the checkpoint may hold")
    parser.add_argument("--pods", default="target/release/pods")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("target/solve-line"))
    parser.add_argument("--table", type=pathlib.Path, default=pathlib.Path("results/solved/lines.csv"))
    parser.add_argument("--like", help="a line of the same orientation in the table: what refuted its actions is tried first")
    parser.add_argument("--from", dest="source", type=pathlib.Path)
    args = parser.parse_args()
    os.chdir(ROOT)
    turn = str(args.orientation)
    setup = ["--orientation", turn, "--rules", RULES]

    def pods(*words):
        done = subprocess.run([args.pods, *map(str, words)], stdout=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"pods {words[0]} ended with {done.returncode}")
        return list(csv.DictReader(done.stdout.splitlines()))

    def after(position):
        return {row["action"]: row["position"] for row in pods("moves", position, *setup, "--format", "csv")}

    position = "start"
    for action in args.line.split():
        legal = after(position)
        if action not in legal:
            sys.exit(f"{action} is illegal after {position}")
        position = legal[action]
    line = " ".join(args.line.split())
    # By orientation and line, in the order in which they were asked for first; then by action.
    table = {}
    if args.table.exists():
        with open(args.table, newline="") as file:
            for row in csv.DictReader(file):
                table.setdefault((row["orientation"], row["line"]), {})[row["action"]] = row
    here = table.setdefault((turn, line), {})
    wanted = [action for action in after(position) if action not in here or here[action]["value"] == "unknown"]
    if args.source:
        with open(args.source, newline="") as file:
            found = [row for row in csv.DictReader(file) if row["action"] in wanted]
    elif wanted:
        args.keep.mkdir(parents=True, exist_ok=True)
        checkpoint = args.keep / f"{args.orientation}.search"
        first = []
        if args.like:
            replies = args.keep / "replies.csv"
            like = table.get((turn, " ".join(args.like.split())))
            if not like:
                sys.exit(f"{args.table} has no line {args.like} at {turn}°")
            write_rows(replies, list(like.values()))
            first = ["--replies", replies]
        found = pods("search", position, *setup, "--every-action", "--only", ",".join(wanted), *first, "--max-nodes", args.nodes,
                     "--threads", args.threads, "--memory", args.memory, "--checkpoint", checkpoint, "--checkpoint-size", args.size, "--checkpoint-every", 600, "--format", "csv")
    else:
        found = []
    for row in found:
        action = row["action"]
        nodes = int(row["positions"]) + int(here[action]["nodes"] if action in here else 0)
        here[action] = dict(zip(FIELDS, ["cave36", turn, RULES, line, action, row["value"], row["reply"], nodes]))
    if found:
        rows = [group[action] for group in table.values() for action in sorted(group)]
        write_rows(args.table, rows)
        manifest = args.table.with_suffix(".manifest.json")
        if manifest.exists():
            write_manifest(manifest, {**json.loads(manifest.read_text()), "rows": len(rows), "sha256": sha256(args.table)})
            print(f"{manifest}: rows and digest are those of the table; this run is of commit {built_commit()}", file=sys.stderr)
    values = [row["value"] for row in here.values()]
    print(f"{len(values)} actions: {values.count('loss')} lose, {values.count('win')} win, {values.count('unknown')} open")


if __name__ == "__main__":
    main()
