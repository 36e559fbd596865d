#!/usr/bin/env python3
"""Checks results/solved: tables, manifests and kept certificates agree with each other and with the program's library.

  scripts/check-solved.py                 counts, digests, claims
  scripts/check-solved.py --tables        the tables alone, and no certificate is read
  scripts/check-solved.py --pods PROGRAM  runs `PROGRAM check-proof` on each kept certificate too

Exit status: 0 all agrees, 1 something does not.
"""

import argparse
import csv
import hashlib
import json
import lzma
import pathlib
import subprocess
import sys
import tomllib

from provenance import with_progress

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOLVED = ROOT / "results" / "solved"
TABLES = ["certificates.csv", "start.csv", "random.csv"]
COUNTED = ["lines", "bytes", "trailer_sha256", "file_sha256", "check_seconds", "kept"]

wrong = []


def expect(what, found, said):
    if found != said:
        wrong.append(f"{what}: {found!r}, and {said!r} is said")


def rows_of(name):
    with open(SOLVED / name, newline="") as file:
        return list(csv.DictReader(file))


def check_manifest(name):
    manifest = json.loads((SOLVED / name.replace(".csv", ".manifest.json")).read_text())
    text = (SOLVED / name).read_bytes()
    expect(f"{name}: sha256", hashlib.sha256(text).hexdigest(), manifest["sha256"])
    expect(f"{name}: rows", len(rows_of(name)), manifest["rows"])


def check_kept(name, row, program):
    """Reads a kept certificate once, in blocks."""
    what = f"{name}, {row['kept']}"
    whole, lines, size, last, first = hashlib.sha256(), 0, 0, b"", b""
    unpacked = lzma.open if row["kept"].endswith(".xz") else open
    with unpacked(SOLVED / row["kept"], "rb") as file:
        first = file.readline()
        file.seek(0)
        while block := file.read(1 << 20):
            whole.update(block)
            lines += block.count(b"\n")
            size += len(block)
            last = (last + block)[-4096:]
    trailer = json.loads(last[last.rfind(b'{"lines":'):])
    header = json.loads(first)
    if header["version"] < 4:
        expect(f"{what}: lines", str(lines - 2), row["lines"])
    expect(f"{what}: lines of the trailer", str(trailer["lines"]), row["lines"])
    expect(f"{what}: bytes", str(size), row["bytes"])
    expect(f"{what}: file_sha256", whole.hexdigest(), row["file_sha256"])
    expect(f"{what}: trailer_sha256", trailer["sha256"], row["trailer_sha256"])
    mover = "White" if header["position"].split()[1] == "w" else "Black"
    other = "Black" if mover == "White" else "White"
    expect(f"{what}: winner", mover if header["value"] == "win" else other, row["winner"])
    expect(f"{what}: orientation", str(header["board"]["orientation"]), row["orientation"])
    expect(f"{what}: rules", header["rules"]["name"], row["rules"])
    if program:
        command = [program, "check-proof", SOLVED / row["kept"], "--format", "json"]
        checked = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        for column in ["lines", "trailer_sha256", "file_sha256"]:
            expect(f"{what}: {column} of check-proof", str(checked[column]), row[column])


def check_library(tables):
    """Checks that the compiled list has the certificates of the built-in board, and says nothing else of them."""
    listed = tomllib.loads((ROOT / "src" / "answer" / "proven.toml").read_text())["certificate"]
    said = {}
    for row in tables["certificates.csv"]:
        said[row["file_sha256"]] = (row, row["opening"])
    for row in tables["start.csv"]:
        said[row["file_sha256"]] = (row, "start")
    expect("certificates of the library", sorted(one["file_sha256"] for one in listed), sorted(said))
    for one in listed:
        row, opening = said.get(one["file_sha256"], ({}, None))
        for column in ["board", "rules", "winner"]:
            expect(f"library, {one['file_sha256'][:12]}: {column}", one[column], row.get(column))
        expect(f"library, {one['file_sha256'][:12]}: orientation", str(one["orientation"]), row.get("orientation"))
        expect(f"library, {one['file_sha256'][:12]}: opening", one["opening"], opening)
        for column in ["trailer_sha256", "kept"]:
            expect(f"library, {one['file_sha256'][:12]}: {column}", one.get(column, ""), row.get(column))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", action="store_true", help="read no certificate")
    parser.add_argument("--pods", metavar="PROGRAM", help="check each kept certificate with this program")
    args = parser.parse_args()
    tables = {name: rows_of(name) for name in TABLES}
    there = []
    for name, rows in tables.items():
        check_manifest(name)
        expect(f"{name}: the columns of certificates", [c for c in rows[0] if c in COUNTED], COUNTED)
        for row in rows:
            if not row["kept"]:
                continue
            expect(f"{name}: {row['kept']} is there", (SOLVED / row["kept"]).is_file(), True)
            if not args.tables and (SOLVED / row["kept"]).is_file():
                there.append((name, row))
    for name, row in with_progress(there, "certificates"):
        check_kept(name, row, args.pods)
    kept = {row["kept"] for rows in tables.values() for row in rows if row["kept"]}
    files = [file.name for pattern in ["*.xz", "*.proof"] for file in SOLVED.glob(pattern)]
    expect("certificates in the folder", sorted(files), sorted(kept))
    check_library(tables)
    for fault in wrong:
        print(fault, file=sys.stderr)
    if not wrong:
        print(f"{sum(map(len, tables.values()))} rows agree; {len(there)} certificates were read")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
