"""What the scripts that make results share: where a result comes from, as its manifest says it, rows as CSV, and progress."""

import csv
import hashlib
import json
import math
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def shell(*args):
    return subprocess.run(args, check=True, capture_output=True, text=True, cwd=ROOT).stdout.strip()


def built_commit():
    """Returns the sources that are built: the last commit, marked if something beside the results was changed since."""
    commit = shell("git", "rev-parse", "HEAD")
    changed = shell("git", "status", "--porcelain", "--", "src", "boards", "Cargo.toml", "Cargo.lock")
    return commit + " and changes" if changed else commit


def material(setups):
    """Returns the files of boards and pod sets, as inputs of a manifest; setups are pairs of their names."""
    names = sorted({name for board, pods in setups for name in (f"{board}.toml", f"{pods}.pods.toml")})
    return [{"name": name, "sha256": sha256(ROOT / "boards" / name)} for name in names]


def write_rows(path, rows):
    with open(path, "w", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_manifest(path, fields):
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M).group(1)
    head = {"format": "pods-manifest", "version": 1, "program": f"pods {version}"}
    path.write_text(json.dumps({**head, **fields}, indent=1) + "\n")


def with_progress(items, what):
    """Yields the items; once a minute standard error is told how many are done, and what time the others may take."""
    items, begun = list(items), time.monotonic()
    told = begun
    for done, item in enumerate(items):
        now = time.monotonic()
        if done and now - told >= 60:
            told, left = now, (now - begun) / done * (len(items) - done)
            print(f"progress: {done} of {len(items)} {what}, some {math.ceil(left / 60)} min left", file=sys.stderr, flush=True)
        yield item
