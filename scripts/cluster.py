#!/usr/bin/env python3
"""Makes results/cluster anew: tables built by one process and by several on this machine, side by side.

Each setup is built in memory, from disk, and by 2, 3 and 4 processes of one thread, in turn, as often as --rounds says; of each way
the least time counts. The two large setups are built in memory and by 2 processes only. CPU seconds are those of all its
processes. All files must be the same to the byte.

  scripts/cluster.py [--pods target/release/pods] [--rounds 3] [--folder /tmp]
"""
import argparse
import hashlib
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import time

from provenance import ROOT, built_commit, material, sha256, with_progress, write_manifest, write_rows

SETUPS = [
    ("lair16 4+3 advanced", "lair16", "four", ["--hands", ":bdt"], "advanced"),
    ("den12 4+3 standard", "den12", "four", ["--hands", ":bdt"], "standard"),
    ("cave36 3+2 advanced", "cave36", "trio", ["--hands", ":bd"], "advanced"),
]
WAYS = [
    ("memory", 1, ["--threads", "1"]),
    ("memory", 1, ["--threads", "2"]),
    ("disk", 1, ["--threads", "1", "--stream"]),
    ("disk", 1, ["--threads", "2", "--stream"]),
    ("processes", 2, ["--threads", "1"]),
    ("processes", 3, ["--threads", "1"]),
    ("processes", 4, ["--threads", "1"]),
]
# Larger ones, in fewer ways.
LARGE = [
    ("lair16 4+4 advanced", "lair16", "four", [], "advanced"),
    ("cave36 4+3 advanced", "cave36", "four", ["--hands", ":bdt"], "advanced"),
]
WAYS_OF_LARGE = [way for way in WAYS if way[0] == "memory" or way[1] == 2]


def run(pods, setup, processes, extra, folder):
    name, board, pod_set, hands, rules = setup
    with tempfile.TemporaryDirectory(dir=folder) as work:
        table = pathlib.Path(work) / "t"
        command = [pods, "table", "build", table, "--board", board, "--pods", pod_set, *hands, "--rules", rules, *extra]
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        of_process = [["-n", str(processes), "-p", str(process)] for process in range(processes)] if processes > 1 else [[]]
        started = [subprocess.Popen([*command, *more], stdout=subprocess.PIPE, text=True) for more in of_process]
        said = [process.communicate()[0] for process in started][0]
        assert not any(process.returncode for process in started), f"{name}: a process failed"
        wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        digest = hashlib.sha256()
        for file in sorted(pathlib.Path(work).glob("t.pods-*")):
            digest.update(file.read_bytes())
        return wall, cpu, said, digest.hexdigest()


def number(pattern, text):
    found = re.search(pattern, text)
    return found.group(1).replace(",", "") if found else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pods", default="target/release/pods")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", default=None)
    args = parser.parse_args()
    os.chdir(ROOT)
    rows = []
    for setup in SETUPS + LARGE:
        best, digests = {}, set()
        runs = (WAYS_OF_LARGE if setup in LARGE else WAYS) * args.rounds
        for way, processes, extra in with_progress(runs, f"builds of {setup[0]}"):
            wall, cpu, said, digest = run(os.path.abspath(args.pods), setup, processes, extra, args.folder)
            digests.add(digest)
            key = (way, processes, extra[1])
            old = best.get(key, (wall, cpu, said))
            best[key] = (min(wall, old[0]), min(cpu, old[1]), said)
        assert len(digests) == 1, f"{setup[0]}: the files differ"
        for (way, processes, threads), (wall, cpu, said) in best.items():
            rows.append({
                "setup": setup[0],
                "way": way,
                "processes": processes,
                "threads": threads,
                "positions": number(r"([\d,]+) positions in", said),
                "together": number(r"processes, ([\d,]+) positions", said),
                "seconds": f"{wall:.2f}",
                "cpu_seconds": f"{cpu:.2f}",
                "bits": number(r"exchanged, ([\d.]+) bits", said),
                "balance_positions": number(r"share is ([\d.]+) of the mean", said),
                "balance_time": number(r"by positions, ([\d.]+) by time", said),
            })
            print(rows[-1], flush=True)
    folder = ROOT / "results" / "cluster"
    folder.mkdir(parents=True, exist_ok=True)
    write_rows(folder / "cluster.csv", rows)
    write_manifest(folder / "cluster.manifest.json", {
        "command": f"scripts/cluster.py --rounds {args.rounds}",
        "build": "cargo build --release",
        "commit": built_commit(),
        "rules": sorted({setup[4] for setup in SETUPS + LARGE}),
        "seed": None,
        "methods": ["table"],
        "verified": ["equal files of all ways"],
        "inputs": material(setup[1:3] for setup in SETUPS + LARGE),
        "result": "cluster.csv",
        "rows": len(rows),
        "sha256": sha256(folder / "cluster.csv"),
        "note": f"{os.cpu_count()} cores, load {os.getloadavg()[1]:.1f} at the end (by itself some 2): beside other work seconds "
        "say little, CPU seconds more; of each way the least of the rounds, in turn; the exchange goes over the loopback interface",
    })


main()
