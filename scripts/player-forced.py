#!/usr/bin/env python3
"""Makes results/player/forced.csv anew: does `pods best` keep forced wins that it cannot prove in its time?

Late positions of the full game (`pods frontier --hands`) in which the side to move forces a win, found by a long search, within 9
or 11 plies. `pods best` answers within --time seconds, by one thread. Where it does not prove a win, its action is judged: it keeps
the win if every reply leads to a position with a forced win within two plies less than the longest that is looked for. `unknown`
means that the limit of nodes was reached, and is not counted as kept.

  scripts/player-forced.py [--pods target/release/pods] [--count 150] [--time 0.1] [--hands 3]
"""
import argparse
import json
import os
import subprocess

from provenance import ROOT, built_commit, sha256, write_manifest, write_rows

RULES = ["advanced", "advanced-author", "very-advanced"]
LONGEST = 11
NODES = 30_000_000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pods", default="target/release/pods")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--time", type=float, default=0.1)
    parser.add_argument("--hands", type=int, default=3)
    args = parser.parse_args()
    os.chdir(ROOT)

    def pods(*words, given=None):
        done = subprocess.run([args.pods, *map(str, words)], input=given, check=True, capture_output=True, text=True)
        return done.stdout.splitlines()

    def forced(positions, rules, plies):
        lines = pods("solve", "-", "--rules", rules, "--max-plies", plies, "--max-nodes", NODES, "--format", "json",
                     given="".join(position + "\n" for position in positions))
        return [json.loads(line) for line in lines]

    def after(position, rules):
        rows = [line.split(",") for line in pods("moves", position, "--rules", rules, "--format", "csv")[1:]]
        return {row[0]: row[1] for row in rows}

    def judged(position, action, rules):
        """Whether an action keeps a forced win of its side: yes, no or unknown."""
        next_position = after(position, rules)[action]
        replies = list(after(next_position, rules).values())
        seen = forced(replies, rules, LONGEST - 2)
        wins = [one["value"] == "win" for one in seen]
        if all(wins):
            return "yes"
        refuted = [not win and one["not_within"] is not None for win, one in zip(wins, seen)]
        return "no" if any(refuted) else "unknown"

    rows = []
    for rules in RULES:
        for line in pods("frontier", "--hands", args.hands, "--max-plies", LONGEST, "--count", args.count, "--rules", rules)[1:]:
            _, _, _, _, seed, position, answer, nodes, _ = line.split(",")
            if answer not in ("win in 9", "win in 11"):
                continue
            best = json.loads(pods("best", position, "--rules", rules, "--time", args.time, "--threads", 1, "--format", "json")[0])
            proven = best["proven"] == "win"
            rows.append({
                "rules": rules,
                "seed": seed,
                "position": position,
                "forced": answer,
                "nodes_to_find": nodes,
                "action": best["action"],
                "proven": "win" if proven else "",
                "kept": "yes" if proven else judged(position, best["action"], rules),
                "nodes": best["nodes"],
            })
            print(rows[-1], flush=True)
    folder = ROOT / "results" / "player"
    write_rows(folder / "forced.csv", rows)
    write_manifest(folder / "forced.manifest.json", {
        "command": f"scripts/player-forced.py --count {args.count} --time {args.time} --hands {args.hands}",
        "commit": built_commit(),
        "rules": RULES,
        "seed": f"0 to {args.count - 1}, for each rule set",
        "methods": ["forced", "guess"],
        "verified": [],
        "inputs": [{"name": name, "sha256": sha256(ROOT / "boards" / name)} for name in ("cave36.toml", "pods14.toml")],
        "result": "forced.csv",
        "rows": len(rows),
        "sha256": sha256(folder / "forced.csv"),
        "note": f"pods best had {args.time} s of one thread; {os.cpu_count()} cores shared with other work (load "
        f"{os.getloadavg()[1]:.1f}), so it looked at fewer positions than on a quiet machine",
    })
    hard = [row for row in rows if not row["proven"]]
    kept = {value: sum(row["kept"] == value for row in hard) for value in ("yes", "no", "unknown")}
    print(f"{len(rows)} forced wins, {len(rows) - len(hard)} proven by the player; of the others {kept}")


main()
