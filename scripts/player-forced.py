#!/usr/bin/env python3
"""Makes results/player/forced.csv anew: does `pods best` keep forced wins that it cannot prove in its time?

Late positions of the full game (the example `late_positions`) in which the side to move forces a win, found by a long search, within 9
plies or more, and at most --longest. `pods best` answers within --time seconds, by one thread. Where it does not prove a win, its action
is judged: it keeps the win if it is that of the long search, or if every reply leads to a position with a forced win within two plies
less than the longest that is looked for. `unknown` means that the limit of nodes was reached first, and is not counted as kept; `no`, that a reply leads to no win within these plies.

With --more the rows that are there stay, and those of FILE come behind them: rows as that example writes them, with a comma between
as many files; without a seed for a position that comes from elsewhere. --best-nodes gives `pods best` so many nodes in place of --time: on a
busy machine a tenth of a second by the clock is any number of them.

  scripts/player-forced.py [--pods target/release/pods] [--count 150] [--time 0.1] [--hands 3] [--longest 11]
  scripts/player-forced.py --more FILE [--pods …] [--time …] [--longest …]
"""
import argparse
import csv
import json
import os
import subprocess
import sys

from provenance import ROOT, built_commit, sha256, write_manifest, write_rows

RULES = ["advanced", "advanced-author", "very-advanced"]
NODES = 30_000_000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pods", default="target/release/pods")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--time", type=float, default=0.1)
    parser.add_argument("--hands", type=int, default=3)
    parser.add_argument("--longest", type=int, default=11)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--best-nodes", type=int)
    parser.add_argument("--more")
    args = parser.parse_args()
    os.chdir(ROOT)

    def pods(*words):
        done = subprocess.run([args.pods, *map(str, words)], check=True, capture_output=True, text=True)
        return done.stdout.splitlines()

    def forced(position, rules, plies):
        return json.loads(pods("solve", position, "--rules", rules, "--max-plies", plies, "--max-nodes", args.nodes, "--memory", "2GiB",
                               "--format", "json")[0])

    def after(position, rules):
        rows = [line.split(",") for line in pods("moves", position, "--rules", rules, "--format", "csv")[1:]]
        return {row[0]: row[1] for row in rows}

    def judged(position, action, rules):
        """Returns whether an action keeps a forced win of its side: yes, no or unknown."""
        if forced(position, rules, args.longest)["best"] == [action]:
            return "yes"
        next_position = after(position, rules)[action]
        for reply in after(next_position, rules).values():
            seen = forced(reply, rules, args.longest - 2)
            if seen["value"] != "win":
                return "no" if seen["not_within"] >= args.longest - 2 else "unknown"
        return "yes"

    def measured():
        for rules in RULES:
            late = ["cargo", "run", "--release", "--quiet", "--example", "late_positions", rules, args.hands, args.longest, args.count]
            done = subprocess.run([str(word) for word in late], check=True, capture_output=True, text=True)
            yield from csv.DictReader(done.stdout.splitlines())

    limit = ["--max-nodes", args.best_nodes] if args.best_nodes else ["--time", args.time]
    folder = ROOT / "results" / "player"
    rows, found, notes = [], measured(), ""
    if args.more:
        with open(folder / "forced.csv", newline="") as there:
            rows = list(csv.DictReader(there))
        earlier = json.loads((folder / "forced.manifest.json").read_text())
        notes = f"the first {len(rows)} rows by {earlier['command']} of {earlier['commit']}: {earlier['note']}; then: "
        found = [row for name in args.more.split(",") for row in csv.DictReader(open(name, newline=""))]
    for row in found:
        rules, position, answer = row["rules"], row["position"], row["answer"]
        if not answer.startswith("win in ") or int(answer[7:]) < 9 or position in (row["position"] for row in rows):
            continue
        best = json.loads(pods("best", position, "--rules", rules, *limit, "--threads", 1, "--format", "json")[0])
        proven = best["value"] == "win"
        rows.append({
            "rules": rules,
            "hands": row["hands"],
            "seed": row["seed"],
            "position": position,
            "forced": answer,
            "nodes_to_find": row["nodes"],
            "action": best["action"],
            "proven": "win" if proven else "",
            "kept": "yes" if proven else judged(position, best["action"], rules),
            "nodes": best["nodes"],
        })
        print(rows[-1], flush=True)
    write_rows(folder / "forced.csv", rows)
    write_manifest(folder / "forced.manifest.json", {
        "command": "scripts/player-forced.py " + " ".join(sys.argv[1:]),
        "commit": os.environ.get("COMMIT") or built_commit(),
        "rules": RULES,
        "seed": f"0 to {args.count - 1}, for each rule set",
        "methods": ["forced", "guess"],
        "verified": [],
        "inputs": [{"name": name, "sha256": sha256(ROOT / "boards" / name)} for name in ("cave36.toml", "pods14.toml")],
        "result": "forced.csv",
        "rows": len(rows),
        "sha256": sha256(folder / "forced.csv"),
        "note": notes + (f"pods best had {args.best_nodes} nodes" if args.best_nodes else f"pods best had {args.time} s") + f" of one thread; "
        f"{os.cpu_count()} cores shared with other work (load {os.getloadavg()[1]:.1f})",
    })
    hard = [row for row in rows if not row["proven"]]
    kept = {value: sum(row["kept"] == value for row in hard) for value in ("yes", "no", "unknown")}
    print(f"{len(rows)} forced wins, {len(rows) - len(hard)} proven by the player; of the others {kept}")


main()
