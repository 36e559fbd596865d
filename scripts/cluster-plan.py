#!/usr/bin/env python3
"""Makes results/cluster/plan.csv anew: what `pods table plan` says of sets that one machine does not solve, on 1 to 256 machines.

Nothing is built. Hours of sweeps are those of the plan, with two cores a machine.

  scripts/cluster-plan.py [--pods target/release/pods]
"""
import argparse
import json
import os
import subprocess

from provenance import ROOT, built_commit, material, sha256, write_manifest, write_rows

SETUPS = [
    ("cave36 4+4", ["--board", "cave36", "--pods", "four"], "standard"),
    ("cave36 4+4", ["--board", "cave36", "--pods", "four"], "advanced"),
    ("lair16 5+5", ["--board", "lair16", "--pods", "mini5"], "advanced"),
    ("cave25 5+5", ["--board", "cave25", "--pods", "mini5"], "advanced"),
]
MACHINES = [2, 16, 64, 256]
GIB = 1 << 30


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pods", default="target/release/pods")
    args = parser.parse_args()
    os.chdir(ROOT)
    rows = []
    for name, setup, rules in SETUPS:
        for machines in MACHINES:
            command = [args.pods, "table", "plan", *setup, "--rules", rules, "-n", str(machines), "--format", "json"]
            need = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
            rows.append({
                "setup": name,
                "rules": rules,
                "machines": machines,
                "positions": need["shared"],
                "memory_gib": f"{need['memory'] / GIB:.1f}",
                "memory_of_first_gib": f"{need['memory_of_first'] / GIB:.1f}",
                "scratch_gib": f"{need['scratch'] / GIB:.1f}",
                "balance": f"{need['balance']:.2f}",
                "sweep_hours": f"{need['seconds'] / 3600:.2f}",
            })
    folder = ROOT / "results" / "cluster"
    write_rows(folder / "plan.csv", rows)
    write_manifest(folder / "plan.manifest.json", {
        "command": "scripts/cluster-plan.py",
        "build": "cargo build" if "debug" in args.pods else "cargo build --release",
        "commit": built_commit(),
        "rules": sorted({rules for _, _, rules in SETUPS}),
        "seed": None,
        "methods": ["pods table plan --processes N"],
        "verified": [],
        "inputs": material((setup[1], setup[3]) for _, setup, _ in SETUPS),
        "result": "plan.csv",
        "rows": len(rows),
        "sha256": sha256(folder / "plan.csv"),
        "note": "a calculation from rates measured on small sets; nothing of it was built",
    })


main()
