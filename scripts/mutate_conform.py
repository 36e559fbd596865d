#!/usr/bin/env python3
"""Plants twenty wrong readings of the rules in the example engine, one at a time, and lets
`pods conform` look for each. Writes mutations.csv and its manifest.

    python3 scripts/mutate_conform.py [--pods PROGRAM] [--out results/conformance] [--commit HASH]
"""

import argparse
import csv
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
SEED, POSITIONS = 1, 20000

# Clause, what is wrong, the text of the engine that is replaced, by what.
MUTATIONS = [
    ("R4", "Black's legs are not turned", 'if owner == "w":\n        return legs', "if owner:\n        return legs"),
    ("R5", "a long leg stops before the first occupied point",
     '            yield target\n            if target in pieces and not self.on("attack-through"):\n                return\n',
     '            if target in pieces and not self.on("attack-through"):\n                return\n            yield target\n'),
    ("R5", "attacks always go through pods", 'if target in pieces and not self.on("attack-through"):', "if False:"),
    ("R5", "attack-through is ignored", ' and not self.on("attack-through")', ""),
    ("R7", "an unjoined neighbour is a liberty",
     "for neighbour in self.board.line[point][leg.direction][:1]:\n                if neighbour not in pieces:",
     "for neighbour in self.board.grid[point][leg.direction][:1]:\n                if neighbour not in pieces:"),
    ("R9", "a pod with one leg opens too", "len(legs[pod]) == 2", "len(legs[pod]) <= 2"),
    ("R9", "the opening binds Black's answer too",
     "opening=False)  # (R8, R9)", "opening=position.opening)  # (R8, R9)"),
    ("R11", "a placed pod may attack",
     "if self.attacks_a_foe(pieces, placed, point):", "if False:"),
    ("R12", "a placed pod may be attacked", "if point in attacked_by_foe:", "if False:"),
    ("R13", "a placed pod always needs a liberty",
     'return self.on("placement-liberty") and self.is_blocked', "return self.is_blocked"),
    ("R17", "a long leg jumps over pods",
     "                if target in pieces:\n                    break\n                yield Action(f\"{point}-{target}\"",
     "                if target in pieces:\n                    continue\n                yield Action(f\"{point}-{target}\""),
    ("R18", "blocked pods are taken off one after the other",
     "        for point in self.captured(pieces, action):                  # (R18)\n            piece = pieces.pop(point)",
     "        for point in self.captured(pieces, action):                  # (R18)\n"
     "            if not self.is_captured(pieces, point):\n                continue\n            piece = pieces.pop(point)"),
    ("R18", "captures=after-moves is read as every-turn",
     "return action.pod is None      # shoves and kicks are moves too", "return True"),
    ("R18", "captured own pods are out of the game",
     'hands[mover] = "".join(sorted(hands[mover] + "".join(returned)))', "pass"),
    ("R15", "a player who is stuck has not lost (R20 where pods move)",
     "if winner is None and self.is_stuck(position):", "if False:"),
    ("R22", "a shove pushes one pod only",
     "            if point not in pieces:\n                return tuple(",
     "            if point not in pieces and count < 2:\n                return tuple("),
    ("R23", "shove-after-run is always on", 'if run == 0 or self.on("shove-after-run"):', "if True:"),
    ("R24", "kick-gaps=last-step is read as every-step",
     'return self.rules["kick-gaps"] == "every-step" or distance <= lines + 1', "return True"),
    ("R27", "shove-liberty is ignored",
     'self.shoves_exist() and self.on("shove-liberty") and', "False and"),
    ("R30", "the player to move is asked first whether the hand is empty",
     "for side in (OTHER[position.to_move], position.to_move):", "for side in (position.to_move, OTHER[position.to_move]):"),
]

HEADER = ["mutation", "clause", "what", "found", "clauses_named", "clause_among_them", "games_before", "positions_before",
          "pods_on_board", "pods_in_hand", "points", "position", "seconds"]


def run(pods, engine):
    """What `pods conform` says of an engine, and how long it takes."""
    command = [pods, "conform", "--engine", f"{sys.executable} {engine}", "--seed", str(SEED),
               "--positions", str(POSITIONS)]
    since = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    return done, time.monotonic() - since


def field(output, name):
    """The rest of the line that begins with a name."""
    found = re.search(rf"^{name} +(.*)$", output, re.MULTILINE)
    return found.group(1) if found else ""


def hands(position):
    """How many pods the two hands of a position's text have."""
    total = 0
    for hand in position.split(" ")[2:4]:
        total += sum(int(count or 1) for _, count in re.findall(r"([a-z])([0-9]*)", hand))
    return total


def row(number, clause, what, done, seconds):
    out = done.stdout
    named = re.findall(r"R[0-9]+", field(out, "clause"))
    position = field(out, "position")
    pods, points = re.match(r"([0-9]+) pods in play, ([0-9]+) points", field(out, "smallest")).groups() \
        if done.returncode == 1 else ("", "")
    on_board = sum(letter.isalpha() for letter in position.split(" ")[0]) if position else ""
    return [number, clause, what, {0: "no", 1: "yes"}[done.returncode], " ".join(named),
            ("yes" if clause in named else "no") if named else "", field(out, "games"), field(out, "positions"),
            on_board, hands(position) if position else "", points, position, f"{seconds:.1f}"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pods", default="target/release/pods")
    arguments.add_argument("--out", type=Path, default=Path("results/conformance"))
    arguments.add_argument("--commit")
    options = arguments.parse_args()
    engine = (HERE / "conform_engine.py").read_text(encoding="utf-8")
    rows = []
    for number, (clause, what, old, new) in enumerate(MUTATIONS, start=1):
        if engine.count(old) != 1:
            sys.exit(f"mutation {number}: its text is {engine.count(old)} times in the engine, not once: {old!r}")
        with tempfile.TemporaryDirectory() as folder:
            mutant = Path(folder) / "conform_engine.py"
            mutant.write_text(engine.replace(old, new), encoding="utf-8")
            done, seconds = run(options.pods, mutant)
        if done.returncode not in (0, 1):
            sys.exit(f"mutation {number} ({what}): {done.stderr}")
        rows.append(row(number, clause, what, done, seconds))
        print(*rows[-1], sep="; ", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    table = options.out / "mutations.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        writer.writerows(rows)
    version = subprocess.run([options.pods, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    manifest = {
        "format": "pods-manifest", "version": 1, "program": version,
        "command": "python3 scripts/mutate_conform.py", "commit": options.commit,
        "rules": ["all presets and random rule sets"], "seed": SEED,
        "methods": [f"pods conform, {POSITIONS} positions, against mutants of scripts/conform_engine.py"],
        "verified": [], "inputs": [{"name": "scripts/conform_engine.py",
                                    "sha256": hashlib.sha256(engine.encode()).hexdigest(),
                                    "source": "written from RULES.md alone"}],
        "result": "mutations.csv", "rows": len(rows), "sha256": hashlib.sha256(table.read_bytes()).hexdigest(),
    }
    (options.out / "mutations.manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    print(f"{sum(r[3] == 'yes' for r in rows)} of {len(rows)} found")


if __name__ == "__main__":
    main()
