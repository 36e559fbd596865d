#!/usr/bin/env python3
"""Sums up by floor which lines tests reach.

    scripts/coverage/coverage.py LCOV OUT

LCOV is what `llvm-cov export -format=lcov` prints. OUT/coverage.csv gets a row for each floor, OUT/lines.csv one for each run of
lines that nothing reaches. Lines of tests, which all are reached, are not counted: files named tests.rs, folders named
tests, and what follows `#[cfg(test)]` before a module at the end of a file.
"""

import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def code_lines(path):
    """Counts the lines of a file before its tests."""
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines):
        if line == "#[cfg(test)]" and number + 1 < len(lines) and lines[number + 1].startswith("mod "):
            return number
    return len(lines)


def counts(lcov):
    """Returns the number of times that each line was reached, for each file of src."""
    files, here = {}, None
    for line in lcov.read_text().splitlines():
        if line.startswith("SF:"):
            path = pathlib.Path(line[3:])
            inside = path.is_relative_to(ROOT / "src") and path.name != "tests.rs" and "tests" not in path.parts
            here = files.setdefault(path, {}) if inside else None
        elif line.startswith("DA:") and here is not None:
            number, count = line[3:].split(",")[:2]
            here[int(number)] = here.get(int(number), 0) + int(count)
    return {path: {n: c for n, c in lines.items() if n <= code_lines(path)} for path, lines in files.items()}


def runs(numbers):
    """Numbers that follow each other, as first and last."""
    first = last = None
    for number in numbers:
        if last is not None and number == last + 1:
            last = number
            continue
        if last is not None:
            yield first, last
        first = last = number
    if last is not None:
        yield first, last


def main():
    lcov, out = map(pathlib.Path, sys.argv[1:])
    floors = {}
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "lines.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["file", "first", "last"])
        for path, lines in sorted(counts(lcov).items()):
            name = path.relative_to(ROOT / "src")
            floor = floors.setdefault(name.parts[0].removesuffix(".rs"), [0, 0, 0])
            missed = sorted(n for n, count in lines.items() if count == 0)
            for at, more in enumerate([1, len(lines), len(lines) - len(missed)]):
                floor[at] += more
            # Lines without code between two that are missed belong to the run.
            known = sorted(lines)
            place = {number: at for at, number in enumerate(known)}
            for first, last in runs([place[n] for n in missed]):
                writer.writerow([f"src/{name}", known[first], known[last]])
    rows = sorted(floors.items())
    rows.append(("all", [sum(column) for column in zip(*floors.values())]))
    with open(out / "coverage.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["floor", "files", "lines", "reached", "percent"])
        for floor, (files, lines, reached) in rows:
            writer.writerow([floor, files, lines, reached, f"{100 * reached / max(lines, 1):.1f}"])


main()
