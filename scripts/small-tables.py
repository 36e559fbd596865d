#!/usr/bin/env python3
"""Solves small variants completely and writes what their tables say to results/tables/small/.

    scripts/small-tables.py [FOLDER_FOR_TABLES] [--keep] [--set SET] [--orientations 0 90 180 270]

Builds the program in release mode first. For each variant, in all those orientations of the board: builds the table,
verifies every position, a sample with both engines, and writes
- summary.csv: outcomes with White and with Black to start, numbers of openings by value, wins, losses and draws over all
  positions that the table holds (those with blocked pods are not held where no action leads to one), the longest forced
  win;
- NAME.csv: the counts of each tier, with an example of the longest win and loss each, and the line of the win;
- longest.txt: the longest forced win of each variant with a line of best play;
- manifest.json: program, command, commit (and that of each run), rules, method, how it was verified, and the SHA-256 of the board and pod files,
  of all files written here and of the tables.
The tables themselves are not kept, unless --keep says so: then they lie in the folder, with what was found, and a run that was ended
goes on from there. Each variant is written when it is done. MEMORY is what tables may take [20GiB];
five pods each need 10GiB for the verification, which keeps the values of all positions held.

With --large, or --set large, the same is done for 36 points with 4 and 3 pods, 1.36 billion positions in each
orientation, and written to results/tables/large/; that takes 2.2 GiB of memory and about a minute each.
--set large-very-advanced is the same with shoves and kicks. --set large-4x4 and large-5x5 take 16 and 25 points with 4 pods each:
0.39 and 6.28 billion positions, and 1 and 14 GiB. --set large-4x4-5 takes 16 points with 5 pods each, 85 billion positions: hours in each
orientation, 10 GiB of memory and 40 GB of disk, so give it a folder and --keep.

--set crowded takes boards as full as 28 pods make 36 points, 0.67 to 0.89 pods a point, under every preset, and writes to
results/tables/crowded/. --set crowded-5x5 takes 12 points with 5 pods each, 6.7 billion positions in each orientation, and writes to
results/tables/crowded-5x5/: half an hour or more each, under the preset of --rules. --set crowded-5x5-very-advanced is the same with shoves
and kicks.
"""

import argparse
import contextlib
import csv
import json
import os
import pathlib
import subprocess
import tempfile

from provenance import ROOT, built_commit, material, sha256, with_progress, write_manifest, write_rows

PODS = str(ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release" / "pods")
ARGUMENTS = argparse.ArgumentParser(description="Statistics of tables of small variants.")
PRESETS = ["standard", "basic-author", "advanced", "advanced-dutch", "advanced-author", "very-advanced"]
# Board, pods, white hand, black hand; by set.
SMALL = [
    ("ring8", "duo", "bt", "bt"),
    ("nook9", "duo", "bt", "bt"),
    ("nook9", "trio", "bdt", "bdt"),
    ("den12", "trio", "bdt", "bdt"),
    ("cave16", "trio", "bdt", "bdt"),
    ("lair16", "trio", "bdt", "bdt"),
]
LARGE = {
    "large": [("cave36", "four", "bdqt", "bdt")],
    "large-very-advanced": [("cave36", "four", "bdqt", "bdt")],
    "large-4x4": [("lair16", "four", "bdqt", "bdqt")],
    "large-5x5": [("cave25", "four", "bdqt", "bdqt")],
    "large-4x4-5": [("lair16", "mini5", "bdoqt", "bdoqt")],
    "crowded": [
        ("nook9", "four", "bdqt", "bdt"),
        ("nook9", "four", "bdt", "bdqt"),
        ("nook9", "four", "bdqt", "bdqt"),
        ("den12", "four", "bdqt", "bdqt"),
    ],
    "crowded-5x5": [("den12", "mini5", "bdoqt", "bdoqt")],
    "crowded-5x5-very-advanced": [("den12", "mini5", "bdoqt", "bdoqt")],
}
ARGUMENTS.add_argument("--set", choices=["small", *LARGE], default="small", help="which variants")
ARGUMENTS.add_argument("--large", dest="set", action="store_const", const="large", help="the same as --set large")
ARGUMENTS.add_argument("--orientations", nargs="+", type=int, choices=[0, 90, 180, 270], default=[0, 90, 180, 270])
ARGUMENTS.add_argument("--rules", nargs="+", choices=PRESETS, help="in place of those that a set has of itself")
ARGUMENTS.add_argument("--keep", action="store_true", help="keep the tables in the folder, and go on from what is there")
ARGUMENTS.add_argument("folder", nargs="?", help="where to keep the tables meanwhile")
ARGS = ARGUMENTS.parse_args()
if ARGS.keep and not ARGS.folder:
    ARGUMENTS.error("--keep needs a folder")
RESULTS = ROOT / "results" / "tables" / ARGS.set
REFERENCE_EVERY = {"small": "200", "crowded": "10000", "large-4x4-5": "1000000"}.get(ARGS.set, "100000")
MEMORY = os.environ.get("MEMORY", "20GiB")
OF_ITSELF = {
    "small": PRESETS,
    "crowded": PRESETS,
    "large-very-advanced": ["very-advanced"],
    "crowded-5x5-very-advanced": ["very-advanced"],
}.get(ARGS.set, ["advanced"])
SETUPS = SMALL if ARGS.set == "small" else LARGE[ARGS.set]
VARIANTS = [(*setup, rules) for setup in SETUPS for rules in ARGS.rules or OF_ITSELF]


def pods(*args):
    return subprocess.run([PODS, *args], check=True, stdout=subprocess.PIPE, text=True).stdout


def probe(table, position):
    return json.loads(pods("table", "probe", table, position, "--format", "json"))


def line_of_play(table, position):
    """Actions of best play, the first by notation among equals, up to the end or 200 plies."""
    line = []
    while len(line) < 200:
        found = probe(table, position)
        best = [a for a in found["actions"] if a["action"] in found["best"]]
        if not best:
            break
        line.append(best[0]["action"])
        position = best[0]["position"]
    return line


def variant(folder, commit, board, pod_set, white, black, rules, orientation):
    name = f"{board}-{orientation}-{pod_set}-{white}-{black}-{rules}"
    table = str(folder / name)
    found = folder / f"{name}.json"
    if ARGS.keep and found.exists():
        kept = json.loads(found.read_text())
        (RESULTS / f"{name}.csv").write_text(kept["stats"])
        return kept["summary"], kept["text"], kept["run"]
    setup = ["--board", board, "--orientation", str(orientation), "--pods", pod_set, "--rules", rules]
    setup += ["--hands", f"{white}:{black}"]
    if not (ARGS.keep and (folder / f"{name}.pods-table").exists()):
        pods("table", "build", table, *setup, "--memory", MEMORY)
    verified = pods("table", "verify", table, "--reference-every", REFERENCE_EVERY, "--memory", MEMORY).strip()
    stats = pods("table", "stats", table, "--format", "csv")
    (RESULTS / f"{name}.csv").write_text(stats)
    rows = list(csv.DictReader(stats.splitlines()))
    total = {k: sum(int(r[k]) for r in rows) for k in ["positions", "wins", "losses", "draws"]}
    start = probe(table, "start")
    empty, mover, *rest = start["position"].split(" ")
    black_first = probe(table, " ".join([empty, "b", *rest]))
    longest = max((r for r in rows if r["longest_win"]), key=lambda r: int(r["longest_win"]))
    line = longest["longest_win_line"]
    opening = line_of_play(table, start["position"])
    summary = {
        "board": board, "orientation": orientation, "pods": pod_set, "white_hand": white, "black_hand": black,
        "rules": rules,
        "white_first": start["value"], "white_first_plies": start["plies"],
        "black_first": black_first["value"], "black_first_plies": black_first["plies"],
        "winning_openings": sum(a["value"] == "win" for a in start["actions"]),
        "drawing_openings": sum(a["value"] == "draw" for a in start["actions"]),
        "losing_openings": sum(a["value"] == "loss" for a in start["actions"]),
        **total,
        "longest_win": longest["longest_win"],
    }
    text = f"{name}\n  start: {start['value']} in {start['plies']}: {' '.join(opening)}\n" if start["plies"] is not None \
        else f"{name}\n  start: {start['value']}\n"
    text += f"  longest win in {longest['longest_win']}: {longest['longest_win_position']}\n    {line}\n"
    files = {p.name: sha256(p) for p in sorted(folder.glob(f"{name}.pods-*"))}
    run = {"setup": setup, "commit": commit, "verified": verified, "tables": files}
    if ARGS.keep:
        write_whole(found, json.dumps({"summary": summary, "text": text, "run": run, "stats": stats}))
    else:
        for path in folder.glob(f"{name}.pods-*"):
            path.unlink()
    return summary, text, run


def write_whole(path, text):
    """Writes a file that is there whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(text)
    part.replace(path)


def write_results(commit, rows, texts, runs):
    """Writes what there is: after each variant, so that a run that is ended keeps those that are done."""
    write_rows(RESULTS / "summary.csv", rows)
    (RESULTS / "longest.txt").write_text("".join(texts))
    files = {p.name: sha256(p) for p in sorted(RESULTS.iterdir()) if p.name != "manifest.json"}
    write_manifest(RESULTS / "manifest.json", {
        "command": f"scripts/small-tables.py {'FOLDER --keep ' if ARGS.keep else ''}--set {ARGS.set} --orientations {' '.join(map(str, ARGS.orientations))}"
        + (f" --rules {' '.join(ARGS.rules)}" if ARGS.rules else ""),
        "build": "cargo build --release --locked",
        "commit": commit,
        "rules": sorted({row["rules"] for row in rows}),
        "seed": None,
        "methods": ["table"],
        "verified": [f"pods table verify --reference-every {REFERENCE_EVERY}, its words for each run"],
        "inputs": material((row["board"], row["pods"]) for row in rows),
        "runs": runs,
        "files": files,
    })


def main():
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet"], check=True, cwd=ROOT)
    commit = built_commit()
    RESULTS.mkdir(parents=True, exist_ok=True)
    for old in RESULTS.iterdir():
        old.unlink()
    rows, texts, runs = [], [], []
    kept = contextlib.nullcontext(ARGS.folder) if ARGS.keep else tempfile.TemporaryDirectory(dir=ARGS.folder)
    with kept as folder:
        turned = [(*setup, orientation) for setup in VARIANTS for orientation in ARGS.orientations]
        for setup in with_progress(turned, "tables"):
            row, text, run = variant(pathlib.Path(folder), commit, *setup)
            rows.append(row)
            texts.append(text)
            runs.append(run)
            write_results(commit, rows, texts, runs)
            print(text, end="", flush=True)


main()
