#!/usr/bin/env python3
"""Makes results/survey: who wins the full Standard game on random boards that agree with everything the rules texts say.

    cargo build --release && scripts/survey.py                    25 setups, four orientations, standard+opening=any
    scripts/survey.py --rules standard --limit 200000000          under another rule set
    scripts/survey.py --seeds 1-3 --out target/survey             others, elsewhere
    scripts/survey.py --orientations 0,90                         some orientations first

Boards and pods are those of `pods new board --random --captions --seed N` and `pods new pods` with the same options: each pair agrees
with every caption of the texts that can be checked (`pods check --captions`). One thread searches the empty board in each orientation,
with at most so many nodes; what it decides is proven by a certificate, checked as it is written, of which the digest is kept. Rows that
are there already are kept, so a second run with a larger limit asks for what is open only. Prints the summary of the README.
"""

import argparse
import collections
import csv
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

from provenance import ROOT, built_commit, sha256, write_manifest, write_rows

PODS = str(ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release" / "pods")
ORIENTATIONS = (0, 90, 180, 270)
COLUMNS = ["seed", "orientation", "rules", "winner", "opening", "nodes", "limit", "lines", "bytes", "sha256", "cpu_seconds"]


def said(program, *arguments):
    """The JSON that a question is answered with, and the CPU seconds that it took."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([program, *arguments, "--format", "json"], stdout=subprocess.PIPE, text=True)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 0:
        raise SystemExit(run.returncode)
    return json.loads(run.stdout), ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime


def drawn(program, seed, folder):
    """The files of the board and the pods of a seed."""
    files = []
    for material in ("board", "pods"):
        path = folder / f"{material}-{seed}.toml"
        made = [program, "new", material, "--random", "--captions", "--seed", str(seed)]
        path.write_bytes(subprocess.run(made, check=True, stdout=subprocess.PIPE).stdout)
        files.append(str(path))
    return files


def row(arguments, seed, files, orientation, folder):
    """Who wins from the empty board, and the certificate that proves it."""
    question = ["start", "--board", files[0], "--pods", files[1], "--orientation", str(orientation), "--rules", arguments.rules]
    question += ["--threads", "1", "--memory", arguments.memory, "--checkpoint", str(folder / "search")]
    # The proof goes on from all that the search knows, written once; the file keeps its size.
    kept = ["--checkpoint-size", arguments.memory, "--checkpoint-every", "86400"]
    answer, seconds = said(arguments.program, "search", *question, *kept, "--max-nodes", str(arguments.limit))
    cells = dict.fromkeys(COLUMNS, "")
    cells |= {"seed": seed, "orientation": orientation, "rules": arguments.rules, "limit": arguments.limit}
    cells |= {"nodes": answer["positions"], "cpu_seconds": f"{seconds:.1f}"}
    if answer["value"] != "unknown":
        wins = answer["value"] == "win"
        # What was decided within the limit may take more to prove.
        proof = folder / "proof"
        proven, more = said(arguments.program, "prove", *question, "--method", "search", "--out", str(proof), "--force")
        cells |= {"winner": "White" if wins else "Black", "opening": answer["wins_by"] if wins else ""}
        cells |= {"lines": proven["lines"], "bytes": proof.stat().st_size, "sha256": sha256(proof)}
        cells |= {"cpu_seconds": f"{seconds + more:.1f}"}
    (folder / "search").unlink(missing_ok=True)
    return cells


def interval(wins, games):
    """The 95 % Wilson interval of a share."""
    z, share = 1.96, wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - half, middle + half


def summary(rows):
    """The sentences of the README: what the rows of each rule set say."""
    for rules in dict.fromkeys(row["rules"] for row in rows):
        here = [row for row in rows if row["rules"] == rules]
        decided = [row for row in here if row["winner"]]
        white = sum(row["winner"] == "White" for row in decided)
        print(f"{rules}: {len(here)} boards in an orientation, {len(decided)} decided, White wins {white}", end="")
        if decided:
            print(" ({:.1%} to {:.1%})".format(*interval(white, len(decided))), end="")
            nodes = [int(row["nodes"]) for row in decided]
            print(f"; nodes of the decided: median {statistics.median(nodes):,.0f}, most {max(nodes):,}", end="")
        winners = collections.defaultdict(list)
        for row in here:
            winners[row["seed"]].append(row["winner"])
        whole = [found for found in winners.values() if len(found) == len(ORIENTATIONS) and "" not in found]
        turned = sum(len(set(found)) > 1 for found in whole)
        print(f"; of {len(whole)} boards decided in all orientations a turn changes the winner of {turned}")


def picture(rows):
    """A grid as SVG for each rule set: a column a seed, a row an orientation, a cell who wins."""
    cell, left, line = 26, 150, 20
    fills = {"White": "#f4e3b8", "Black": "#3b3b3b", "": "#ffffff"}
    drawn, top, width = [], 0, 0

    def write(x, y, text, anchor="middle"):
        drawn.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>')

    for rules in dict.fromkeys(row["rules"] for row in rows):
        here = {(int(row["seed"]), int(row["orientation"])): row["winner"] for row in rows if row["rules"] == rules}
        seeds = sorted({seed for seed, _ in here})
        write(4, top + 14, rules, "start")
        for x, seed in enumerate(seeds):
            write(left + (x + 0.5) * cell, top + line + 14, seed)
        for y, orientation in enumerate(ORIENTATIONS):
            write(left - 8, top + 2 * line + y * cell + 18, f"{orientation}°", "end")
            for x, seed in enumerate(seeds):
                if (seed, orientation) in here:
                    at = f'x="{left + x * cell}" y="{top + 2 * line + y * cell}" width="{cell - 2}" height="{cell - 2}"'
                    drawn.append(f'<rect {at} fill="{fills[here[seed, orientation]]}" stroke="#777"/>')
        width = max(width, left + len(seeds) * cell)
        top += 3 * line + 4 * cell
    for x, (winner, fill) in enumerate(fills.items()):
        drawn.append(f'<rect x="{left + 110 * x}" y="{top}" width="14" height="14" fill="{fill}" stroke="#777"/>')
        write(left + 110 * x + 20, top + 12, f"{winner} wins" if winner else "open", "start")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top + line}" font-family="sans-serif" font-size="12">'
    title = "<title>Who wins the full Standard game on random boards that agree with the rules texts, by seed and orientation</title>"
    back = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return "\n".join([head, title, back, *drawn, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PODS)
    parser.add_argument("--seeds", default="1-25", metavar="FIRST-LAST")
    parser.add_argument("--orientations", default=",".join(map(str, ORIENTATIONS)), metavar="DEGREES,...")
    parser.add_argument("--rules", default="standard+opening=any")
    parser.add_argument("--limit", type=int, default=100_000_000, help="nodes for each empty board [100,000,000]")
    parser.add_argument("--memory", default="4GiB")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "results" / "survey")
    parser.add_argument("--commit", help="what the program was built from [the last commit]")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    table = arguments.out / "survey.csv"
    rows = list(csv.DictReader(table.open())) if table.exists() else []
    first, _, last = arguments.seeds.partition("-")
    for seed in range(int(first), int(last or first) + 1):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            files = None
            for orientation in map(int, arguments.orientations.split(",")):
                key = [str(seed), str(orientation), arguments.rules]
                known = [row for row in rows if [row["seed"], row["orientation"], row["rules"]] == key]
                if any(row["winner"] or int(row["limit"]) >= arguments.limit for row in known):
                    continue
                files = files or drawn(arguments.program, seed, folder)
                cells = {name: str(cell) for name, cell in row(arguments, seed, files, orientation, folder).items()}
                rows = [row for row in rows if row not in known] + [cells]
                rows.sort(key=lambda row: (row["rules"], int(row["seed"]), int(row["orientation"])))
                write_rows(table, rows)
                print(*cells.values(), sep=",", file=sys.stderr, flush=True)
    table.with_suffix(".svg").write_text(picture(rows))
    write_manifest(table.with_suffix(".manifest.json"), {
        "command": "scripts/survey.py",
        "commit": arguments.commit or built_commit(),
        "rules": sorted({row["rules"] for row in rows}),
        "seed": f"boards and pods {arguments.seeds}",
        "methods": ["search"],
        "verified": ["certificates, checked as they were written; their digests are in the rows"],
        "pictures": [{"file": "survey.svg", "sha256": sha256(table.with_suffix(".svg"))}],
        "result": table.name,
        "rows": len(rows),
        "sha256": sha256(table),
    })
    summary(rows)


if __name__ == "__main__":
    main()
