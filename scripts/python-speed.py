#!/usr/bin/env python3
"""Measures the Python package against `pods engine` by pipe, and writes a CSV file with --out.

Legal actions of many positions at once and one by one, and probing of many positions at once and one by one. Each figure is the best of
three runs. PODS names the program.
"""

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Iterator, List, Tuple

import podsgame
from podsgame import Positions, Setup

Row = Tuple[str, str, str, int, float]


def best_of_three(work: Callable[[], Any]) -> float:
    """Returns the seconds of the fastest run."""
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def played(setup: Setup, count: int) -> Positions:
    """Returns positions of random games, always the same ones."""
    draw = random.Random(7)
    positions: List[Any] = []
    while len(positions) < count:
        position = setup.start()
        for _ in range(40):
            positions.append(position)
            numbers = position.legal_numbers()
            if not numbers:
                break
            position = position.play_number(draw.choice(numbers))
    return Positions(setup, positions[:count])


def by_pipe(setup: Setup, texts: List[str]) -> float:
    """Returns the seconds in which `pods engine` answers the same questions by pipe."""
    program = os.environ.get("PODS", "pods")
    record = json.loads(setup._record())
    requests = [{"id": 0, "type": "game", **record}, *({"id": 1, "type": "moves", "position": text} for text in texts)]
    data = "".join(json.dumps(request) + "\n" for request in requests)
    command = [program, "engine", "--engine", "fast"]
    return best_of_three(lambda: [json.loads(line) for line in subprocess.run(
        command, input=data, capture_output=True, text=True, check=True).stdout.splitlines()])


def legal_actions(count: int) -> Iterator[Row]:
    for board, pods, rules in [("nook9", "four", "standard"), ("ring8", "trio", "advanced"), ("cave36", "pods14", "standard"),
                               ("cave36", "pods14", "advanced"), ("cave36", "pods14", "very-advanced")]:
        setup = Setup(board, pods, rules)
        name = f"{board} {pods} {rules}"
        many = played(setup, count)
        yield name, "legal_actions", "many at once", count, best_of_three(many.legal_actions)
        few = list(many)[:count // 20]
        yield name, "legal_actions", "one by one", len(few), best_of_three(lambda: [one.legal_actions() for one in few])
        texts = [str(one) for one in few]
        yield name, "legal_actions", "pods engine by pipe", len(few), by_pipe(setup, texts)


def probing(count: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        for board, pods, rules in [("ring8", "trio", "advanced"), ("lair16", "trio", "advanced")]:
            setup = Setup(board, pods, rules)
            podsgame.build_table(setup, Path(folder) / board)
            tables = podsgame.Tablebase(folder)
            positions = played(setup, min(count, 50_000))
            positions = Positions(setup, (list(positions) * (count // len(positions) + 1))[:count])
            name = f"{board} {pods} {rules}"
            yield name, "probe", "many at once", count, best_of_three(lambda: podsgame.probe_many(tables, positions))
            few = list(positions)[:2000]
            yield name, "probe", "one by one", len(few), best_of_three(lambda: [tables.probe(one) for one in few])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200_000, help="positions")
    parser.add_argument("--out", type=Path, help="the CSV file to write")
    arguments = parser.parse_args()
    rows = []
    for name, what, how, count, seconds in [*legal_actions(arguments.count), *probing(arguments.count)]:
        rows.append((name, what, how, count, round(seconds, 4), round(count / seconds)))
        print(*rows[-1], sep=",", file=sys.stderr)
    out = open(arguments.out, "w", newline="") if arguments.out else sys.stdout
    csv.writer(out).writerows([("setup", "what", "how", "positions", "seconds", "positions_per_second"), *rows])
    return 0


if __name__ == "__main__":
    sys.exit(main())
