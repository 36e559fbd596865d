#!/usr/bin/env python3
"""Makes tests/golden/perft.csv anew with the reference engine.

Usage: scripts/golden-perft.py PATH_OF_THE_PODS_PROGRAM > tests/golden/perft.csv

Starting positions and positions after seeded random walks, under every preset. The depth is the largest of 1 to 4 whose
count stays under a limit, so that the reference engine can check the table in seconds.
"""

import csv
import json
import random
import subprocess
import sys

from provenance import with_progress

LIMIT = 150_000
PRESETS = ["standard", "basic-author", "advanced", "advanced-dutch", "advanced-author", "very-advanced"]
SETUPS = [
    ("cave36", "pods14", [0, 3, 9, 16, 22]),
    ("mirror36", "pods14", [2, 12]),
    ("cave25", "mini7", [0, 4, 9]),
    ("den12", "mini5", [0, 3, 6]),
    ("ring8", "four", [0, 2, 5]),
    ("nook9", "trio", [0, 2, 4, 9]),
]


def pods(*arguments):
    run = subprocess.run([sys.argv[1], *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return run.stdout


def main():
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["board", "orientation", "pods", "rules", "position", "depth", "nodes"])
    draw = random.Random(20261120)
    games = [(*setup, preset) for setup in SETUPS for preset in PRESETS]
    for board, pod_set, lengths, preset in with_progress(games, "games"):
        for length in lengths:
            turn = draw.choice(["0", "90", "180", "270"])
            setup = ["--board", board, "--pods", pod_set, "--rules", preset, "--orientation", turn]
            position = "start"
            for _ in range(length):
                moves = json.loads(pods("moves", position, "--format", "json", *setup))
                if not moves["actions"]:
                    break
                position = draw.choice(moves["actions"])["position"]
            position = json.loads(pods("moves", position, "--format", "json", *setup))["position"]
            best = None
            for depth in range(1, 5):
                # The fast engine says how far to go; the reference engine says what stands in the table.
                quick = int(pods("perft", position, "--depth", str(depth), "--engine", "fast", *setup))
                if quick > LIMIT:
                    break
                best = depth
                if quick == 0:
                    break
            nodes = pods("perft", position, "--depth", str(best), "--engine", "reference", *setup).strip()
            rows.writerow([board, turn, pod_set, preset, position, best, nodes])


if __name__ == "__main__":
    main()
