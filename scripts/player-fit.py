#!/usr/bin/env python3
"""Fits the weights of the player's evaluation to positions from games, by logistic regression.

    python3 scripts/player-fit.py --out results/player moves=moves.csv placements=placements.csv

Each file is made by the example `player_positions`. Writes weights.csv (name, number, weight), as they stand in
src/answer/best/weights.rs, and fit.csv with the errors on the games that the fit has not seen: every fifth one.
Needs numpy.
"""

import argparse
import csv
import hashlib
import json
import sys
from pathlib import Path

import numpy as np

RIDGE = 1.0


def fit(numbers, points):
    """Runs Newton's method on the likelihood, with a small penalty on weights (of numbers of unit spread)."""
    spread = numbers.std(axis=0) + 1e-6
    scaled = numbers / spread
    weights = np.zeros(numbers.shape[1])
    for _ in range(100):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (chance - points) + RIDGE * weights
        bend = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + RIDGE * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights / spread


def errors(weights, numbers, points):
    """Returns the mean log loss, and the share of decided positions in which the likelier side won."""
    chance = np.clip(1 / (1 + np.exp(-numbers @ weights)), 1e-9, 1 - 1e-9)
    loss = -(points * np.log(chance) + (1 - points) * np.log(1 - chance)).mean()
    decided = points != 0.5
    return loss, ((chance > 0.5) == (points > 0.5))[decided].mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--commit", help="the commit whose player played the games")
    parser.add_argument("sets", nargs="+", metavar="NAME=FILE")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    weight_rows, fit_rows = [], []
    for name, _, path in (entry.partition("=") for entry in arguments.sets):
        with open(path, newline="") as file:
            header = next(csv.reader(file))
            rows = np.loadtxt(file, delimiter=",")
        games, points, numbers = rows[:, 0].astype(int), rows[:, 1], rows[:, 2:]
        unseen = games % 5 == 0
        weights = fit(numbers[~unseen], points[~unseen])
        weight_rows += [(name, column, f"{weight:.3f}") for column, weight in zip(header[2:], weights)]
        for part, chosen in (("fitted", ~unseen), ("unseen", unseen)):
            loss, right = errors(weights, numbers[chosen], points[chosen])
            fit_rows.append((name, part, len(set(games[chosen])), int(chosen.sum()), f"{loss:.4f}", f"{right:.4f}"))
            print(*fit_rows[-1])
    for file_name, header, rows in (
        ("weights.csv", ("rules", "number", "weight"), weight_rows),
        ("fit.csv", ("rules", "part", "games", "positions", "log_loss", "share_right"), fit_rows),
    ):
        with open(arguments.out / file_name, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)
    manifest = {
        "format": "pods-manifest", "version": 1, "program": "scripts/player-fit.py",
        "command": " ".join(sys.argv), "commit": arguments.commit, "rules": [], "seed": None,
        "methods": ["logistic regression on games of the player against itself (scripts/player.sh)"],
        "verified": ["games that the fit has not seen: fit.csv"],
        "inputs": [{"name": Path(path).name, "sha256": digest(path), "source": f"positions for {name}, made by scripts/player.sh"}
                   for name, _, path in (entry.partition("=") for entry in arguments.sets)],
        "result": "weights.csv", "rows": len(weight_rows), "sha256": digest(arguments.out / "weights.csv"),
    }
    (arguments.out / "player.manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
