#!/usr/bin/env python3
"""Makes certificates of version 4 of those of version 2 that results/solved keeps, and puts them in their place.

  scripts/rewrite-solved.py [NAME...]   the files of these names, such as 0-start, or all of version 2
    --pods PROGRAM      another program than the release build
    --commit COMMIT     what that program was built from, HEAD unless told
    --made FOLDER       take NAME.proof from there where it is, and do not make it again

A new file is checked before it takes the place of the old one. The rows of the tables, their manifests and the library's list
(src/answer/proven.toml) get its lines, bytes and digests. scripts/check-solved.py then checks all of it.
"""

import argparse
import csv
import hashlib
import io
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOLVED = ROOT / "results" / "solved"
LIBRARY = ROOT / "src" / "answer" / "proven.toml"


def seconds_of(command):
    """Runs a command; its output as JSON, and the CPU seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def renew(row, args, work):
    old = SOLVED / row["kept"]
    name = row["kept"].removesuffix(".jsonl.xz")
    new = pathlib.Path(work) / f"{name}.proof"
    made = pathlib.Path(args.made or work) / f"{name}.proof"
    if made.is_file():
        shutil.copy(made, new)
    else:
        subprocess.run([args.pods, "check-proof", old, "--rewrite", new], check=True, stdout=subprocess.DEVNULL)
    checked, seconds = seconds_of([args.pods, "check-proof", new, "--format", "json", "--threads", "1"])
    mover = "White" if checked["position"].split()[1] == "w" else "Black"
    winner = mover if checked["value"] == "win" else {"White": "Black", "Black": "White"}[mover]
    if (winner, checked["rules"], str(checked["orientation"])) != (row["winner"], row["rules"], row["orientation"]):
        sys.exit(f"{row['kept']}: the new file is about something else")
    if new.stat().st_size >= old.stat().st_size:
        sys.exit(f"{row['kept']}: the new file is no smaller")
    change = {
        "lines": str(checked["lines"]),
        "bytes": str(new.stat().st_size),
        "trailer_sha256": checked["trailer_sha256"],
        "file_sha256": checked["file_sha256"],
        "check_seconds": f"{seconds:.0f}",
        "kept": new.name,
        "commit": args.commit,
    }
    library = LIBRARY.read_text()
    for column in ["file_sha256", "trailer_sha256"]:
        library = library.replace(f'"{row[column]}"', f'"{change[column]}"')
    library = library.replace(f'kept = "{row["kept"]}"', f'kept = "{new.name}"')
    shutil.copy(new, SOLVED / new.name)
    old.unlink()
    LIBRARY.write_text(library)
    row.update(change)
    print(f"{name}: {change['lines']} lines, {change['bytes']} bytes, {seconds:.1f} CPU seconds")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--pods", metavar="PROGRAM", default=ROOT / "target" / "release" / "pods")
    parser.add_argument("--commit", default=None)
    parser.add_argument("--made", metavar="FOLDER")
    args = parser.parse_args()
    args.commit = args.commit or subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    for table in ["start.csv", "random.csv", "certificates.csv"]:
        with open(SOLVED / table, newline="") as file:
            rows = list(csv.DictReader(file))
        changed = False
        for row in rows:
            name = row["kept"].removesuffix(".jsonl.xz")
            if not row["kept"].endswith(".jsonl.xz") or args.names and name not in args.names:
                continue
            with tempfile.TemporaryDirectory() as work:
                renew(row, args, work)
            changed = True
            text = io.StringIO()
            writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            (SOLVED / table).write_text(text.getvalue())
        if changed:
            path = SOLVED / table.replace(".csv", ".manifest.json")
            manifest = json.loads(path.read_text())
            said = hashlib.sha256((SOLVED / table).read_bytes()).hexdigest()
            path.write_text(path.read_text().replace(manifest["sha256"], said))


if __name__ == "__main__":
    main()
