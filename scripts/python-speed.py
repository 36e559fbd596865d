#!/usr/bin/env python3
"""Measures the Python package against calls of Rust and against the program by pipe.

Legal actions and values from a table: of arrays of positions, of many positions at once, one by one, by one call of Rust, and by lines to
`pods engine` and `pods table probe` with their answers read. Figures are CPU seconds of all threads and processes, of the fastest of three
runs. PODS names the program; without it nothing is asked by pipe. Writes CSV to standard output; with --out FOLDER it writes speed.csv
and manifest.json there.
"""

import argparse
import csv
import hashlib
import io
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterator, List, Tuple

import numpy
import podsgame
from podsgame import Positions, Setup

COLUMNS = ("setup", "what", "how", "positions", "cpu_seconds", "per_cpu_second")

SETUPS = [("nook9", "four", "standard"), ("ring8", "trio", "advanced"), ("cave36", "pods14", "standard"),
          ("cave36", "pods14", "advanced"), ("cave36", "pods14", "very-advanced")]

TABLES = [("ring8", "trio", "advanced"), ("lair16", "four", "advanced")]

ROOT = Path(__file__).resolve().parents[1]

Row = Tuple[str, str, str, int, float]


def spent() -> float:
    """Returns the CPU seconds of this process and of those it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def fastest(work: Callable[[], Any]) -> float:
    """Returns the CPU seconds of the fastest of three runs."""
    times = []
    for _ in range(3):
        begun = spent()
        work()
        times.append(spent() - begun)
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


def rows_of(positions: Positions) -> Any:
    """Returns positions as rows of an array."""
    return numpy.frombuffer(positions.to_bytes(), "uint8").reshape(-1, positions.width)


def by_pipe(command: List[str], lines: List[str]) -> float:
    """Returns the CPU seconds in which the program answers lines by JSON, which is read."""
    program = os.environ["PODS"]

    def ask() -> None:
        ran = subprocess.run([program, *command], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
        for line in ran.stdout.splitlines():
            json.loads(line)

    return fastest(ask)


def legal_actions(count: int) -> Iterator[Row]:
    for board, pods, rules in SETUPS:
        setup = Setup(board, pods, rules)
        name, what = f"{board} {pods} {rules}", "legal actions"
        many = played(setup, count)
        data = rows_of(many).tobytes()
        yield name, what, "array", count, fastest(lambda: Positions.from_bytes(setup, data).legal_actions().numbers())
        yield name, what, "many at once", count, fastest(lambda: many.legal_actions().numbers())
        few = list(many)[:count // 20]
        yield name, what, "one by one", len(few), fastest(lambda: [one.legal_actions() for one in few])
        start, depth, asked = setup.start(), 0, 0
        while asked < count // 10:
            asked, depth = asked + start.perft(depth), depth + 1
        yield name, what, "Rust: perft, which plays too", asked, fastest(lambda: start.perft(depth))
        if "PODS" in os.environ:
            game = json.dumps({"id": 0, "type": "game", **json.loads(setup._record())})
            lines = [game, *(json.dumps({"id": 1, "type": "moves", "position": str(one)}) for one in few)]
            yield name, what, "pods engine by pipe", len(few), by_pipe(["engine", "--engine", "fast"], lines)


def stored(table: podsgame.Table, count: int) -> Any:
    """Returns rows of an array: positions of a table in random order, always the same ones."""
    draw = numpy.random.default_rng(7)
    parts = []
    for tier in table.tiers():
        rows = rows_of(tier.positions)
        parts.append(rows[draw.integers(0, len(rows), min(len(rows), count // 4))] if len(rows) else rows)
    rows = numpy.concatenate(parts)
    return rows[draw.integers(0, len(rows), count)]


def probing(count: int) -> Iterator[Row]:
    for board, pods, rules in TABLES:
        with tempfile.TemporaryDirectory() as folder:
            setup = Setup(board, pods, rules)
            file = Path(folder) / board
            table = podsgame.build_table(setup, file)
            tables = podsgame.Tablebase(folder)
            rows = stored(table, count)
            positions = Positions.from_bytes(setup, rows.tobytes())
            name, what = f"{board} {pods} {rules}", "values"
            yield name, what, "array", count, fastest(lambda: podsgame.probe_array(tables, setup, rows))
            yield name, what, "many at once", count, fastest(lambda: podsgame.probe_many(tables, positions))
            few = list(positions[number] for number in range(count // 50))
            yield name, what, "one by one", len(few), fastest(lambda: [tables.probe(one) for one in few])
            if "PODS" in os.environ:
                command = ["table", "probe", str(file), "-", "--format", "json"]
                lines = [str(one) for one in few[:len(few) // 10]]
                yield name, what, "pods table probe by pipe", len(lines), by_pipe(command, lines)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def manifest(arguments: argparse.Namespace, file: Path, rows: int) -> Any:
    """Returns the manifest of a file of results."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = {name for setup in SETUPS + TABLES for name in setup[:2]}
    files = {path.name for name in names for path in (ROOT / "boards").glob(f"{name}.*toml")}
    return {
        "format": "pods-manifest",
        "version": 1,
        "program": f"podsgame {podsgame.__version__}",
        "command": f"scripts/python-speed.py --count {arguments.count} --out {arguments.out}",
        "commit": commit.stdout.strip(),
        "rules": sorted({setup[2] for setup in SETUPS + TABLES}),
        "seed": 7,
        "methods": ["table"],
        "verified": ["tests/python: arrays, many at once and one by one give the same"],
        "inputs": [{"name": name, "sha256": digest(ROOT / "boards" / name)} for name in sorted(files)],
        "note": f"CPython {sys.version.split()[0]}, numpy {numpy.__version__}, a release wheel; CPU seconds of all threads and processes, "
                "fastest of three",
        "result": file.name,
        "rows": rows,
        "sha256": digest(file),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000, help="positions")
    parser.add_argument("--out", type=Path, help="the folder for speed.csv and manifest.json")
    arguments = parser.parse_args()
    rows = []
    for name, what, how, count, seconds in [*legal_actions(arguments.count // 5), *probing(arguments.count)]:
        rows.append((name, what, how, count, round(seconds, 4), round(count / seconds / 100) * 100))
        print(*rows[-1], sep=",", file=sys.stderr)
    file = arguments.out / "speed.csv" if arguments.out else None
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows([COLUMNS, *rows])
    if file:
        file.write_text(table.getvalue())
        (arguments.out / "manifest.json").write_text(json.dumps(manifest(arguments, file, len(rows)), indent=1) + "\n")
    else:
        print(table.getvalue(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
