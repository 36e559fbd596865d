#!/usr/bin/env python3
"""Attempts to break the program: kills, damage, races, limits, hostile input. Run it by scripts/torture/torture.sh.

Every campaign takes its turns until the time is up. A turn draws what it does from the seed, so that a finding can be made
again; how often each campaign comes and when a process is killed depends on the machine. What is found goes to
findings.jsonl, what was tried to torture.csv, and how to torture.manifest.json.
"""

import argparse
import csv
import hashlib
import json
import os
import platform
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from torture_attacks import Attacks
from torture_ends import Ends
from torture_large import Large
from torture_tools import PATIENCE, Finding, damaged, files, read, write

SETUPS = [
    ["--board", "ring8", "--pods", "trio", "--rules", "advanced"],
    ["--board", "ring8", "--pods", "duo", "--rules", "very-advanced"],
    ["--board", "nook9", "--pods", "duo", "--rules", "standard"],
    ["--board", "nook9", "--pods", "trio", "--rules", "advanced-author"],
]


class Torture(Attacks, Ends, Large):
    def __init__(self, pods, seed, folder):
        self.pods, self.seed, self.folder = pods, seed, folder
        self.counts = {}
        self.findings = []
        self.made = {}

    # Running the program.

    def run(self, args, stdin=b"", limits=(), cwd=None, timeout=PATIENCE):
        def limit():
            for what, soft in limits:
                resource.setrlimit(what, (soft, soft))

        try:
            ran = subprocess.run([self.pods, *args], input=stdin, capture_output=True, cwd=cwd, timeout=timeout,
                                 preexec_fn=limit, check=False)
        except subprocess.TimeoutExpired as late:
            raise Finding(f"no end within {timeout:.0f} s: {args}") from late
        error = ran.stderr.decode(errors="replace")
        if (ran.returncode == -signal.SIGABRT and "memory allocation of" in error and "panicked" not in error
                and any(what == resource.RLIMIT_AS for what, _ in limits)):
            # Where the system gives no memory the program ends, and says so; what it has written is looked at.
            return 2, ran.stdout, error
        if ran.returncode not in (0, 1, 2) or "panicked" in error:
            raise Finding(f"status {ran.returncode}: {args}: {error[:500]}")
        if ran.returncode == 2 and not error.strip():
            raise Finding(f"status 2 without a message: {args}")
        return ran.returncode, ran.stdout, error

    def start(self, args):
        return subprocess.Popen([self.pods, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def note(self, campaign, what):
        counts = self.counts.setdefault(campaign, {})
        counts[what] = counts.get(what, 0) + 1

    # What campaigns start from, made once.

    def table(self, i):
        """Builds a whole table; returns the bytes of its file, and the time that it took."""
        if ("table", i) not in self.made:
            name = os.path.join(self.folder, f"whole{i}")
            begun = time.monotonic()
            code, _, error = self.run(["table", "build", name, *SETUPS[i]])
            if code != 0:
                raise Finding(f"no table: {error}")
            self.made["table", i] = (files(name), time.monotonic() - begun)
        return self.made["table", i]

    def certificate(self, i, exact):
        if ("certificate", i, exact) not in self.made:
            name = os.path.join(self.folder, f"proof{i}{exact}.jsonl")
            args = ["prove", "start", "--out", name, *SETUPS[i]] + (["--exact"] if exact else [])
            code, _, error = self.run(args)
            if code != 0:
                raise Finding(f"no certificate: {error}")
            self.made["certificate", i, exact] = read(name)
        return self.made["certificate", i, exact]

    # The campaigns.

    def killed_builds(self, random, at):
        """Checks that a build that is killed at random moments goes on to the same bytes."""
        i = random.randrange(len(SETUPS))
        whole, seconds = self.table(i)
        name = os.path.join(at, "t")
        args = ["table", "build", name, *SETUPS[i], "--checkpoint", "0"] + random.choice([[], ["--stream"]])
        for _ in range(random.randrange(1, 4)):
            child = self.start(args)
            try:
                child.wait(seconds * random.random() * 1.2)
            except subprocess.TimeoutExpired:
                child.kill()
                self.note("killed builds", "kills")
            error = child.communicate()[1].decode()
            if child.returncode not in (0, -signal.SIGKILL):
                raise Finding(f"{args}: {error}")
        code, _, error = self.run(args)
        if code != 0 or files(name) != whole:
            raise Finding(f"other bytes after kills: {args}: {error}")
        if sorted(os.listdir(at)) != ["t.pods-table"]:
            raise Finding(f"left behind: {os.listdir(at)}")

    def corrupted_tables(self, random, at):
        """A damaged table is found by verify, and probes give the right answer or none."""
        i = random.randrange(len(SETUPS))
        whole, _ = self.table(i)
        name = os.path.join(at, "t")
        for ending, good in whole:
            write(f"{name}.{ending}", damaged(random, good))
        if files(name) == whole:
            return
        code, _, _ = self.run(["table", "verify", name, "--every", "0", "--reference-every", "0"])
        if code == 0:
            keep = shutil.copytree(at, os.path.join(self.folder, "kept"), dirs_exist_ok=True)
            raise Finding(f"verify finds nothing in {keep}")
        self.note("corrupted tables", "found by verify")
        good = self.run(["table", "probe", os.path.join(self.folder, f"whole{i}"), "start"])[1]
        code, said, _ = self.run(["table", "probe", name, "start"])
        if code == 0 and said != good:
            raise Finding(f"a wrong probe: {said[:200]} instead of {good[:200]}")
        self.note("corrupted tables", "probed" if code == 0 else "probe refused")

    def forged_certificates(self, random, at):
        """A changed certificate is refused, or is about another setup, or proves what the good one proves."""
        i = random.randrange(len(SETUPS))
        good = self.certificate(i, random.random() < 0.5)
        path = os.path.join(at, "c.jsonl")
        forged = forge(random, good)
        write(path, forged)
        code, _, _ = self.run(["check-proof", path])
        if code != 0:
            self.note("forged certificates", "refused")
            return
        # Of another setup the claim may be true as well.
        about, said, _ = self.run(["check-proof", path, "--about", "start", *SETUPS[i], "--format", "json"])
        self.note("forged certificates", "about another setup" if about else "accepted")
        value, plies = claim(good)
        if about == 0 and (json.loads(said)["value"] != value or claim(forged) not in [(value, None), (value, plies)]):
            raise Finding(f"accepted with another claim: {forged.splitlines()[0][:600]}")

    def checkpoints(self, random, at):
        """A search that is killed goes on; a damaged file is refused and left as it is."""
        path = os.path.join(at, "s.search")
        args = ["search", "start", "--memory", "16MiB", "--checkpoint", path,
                "--checkpoint-every", "0.01", "--max-nodes", str(random.randrange(20_000, 400_000))]
        child = self.start(args)
        try:
            child.wait(random.random() * 1.5)
        except subprocess.TimeoutExpired:
            child.kill()
            self.note("checkpoints", "kills")
        child.communicate()
        code, _, error = self.run(args)
        if code != 0:
            raise Finding(f"does not go on after a kill: {error}")
        if os.listdir(at) != ["s.search"]:
            raise Finding(f"left behind: {os.listdir(at)}")
        good = read(path)
        for _ in range(5):
            bad = damaged(random, good)
            if bad == good:
                continue
            write(path, bad)
            code, _, _ = self.run(args)
            self.note("checkpoints", "damaged and refused" if code else "damaged and accepted")
            if code == 0 or read(path) != bad:
                raise Finding(f"a damaged checkpoint was taken or changed: status {code}")

    def concurrent_builds(self, random, at):
        """Builds of one name at once: one has it, the others say who; no bytes are wrong."""
        name = os.path.join(at, "t")
        kinds = random.sample(range(len(SETUPS)), random.choice([1, 2]))
        wholes = [self.table(i)[0] for i in kinds]
        running = [self.start(["table", "build", name, *SETUPS[random.choice(kinds)], "--checkpoint", "0"])
                   for _ in range(random.randrange(2, 6))]
        errors = [(child.communicate(timeout=PATIENCE)[1].decode(), child.returncode) for child in running]
        for error, code in errors:
            known = "is at work on this table" in error or "another setup" in error
            if code != 0 and not (code == 2 and known):
                raise Finding(f"{code}: {error}")
            self.note("concurrent builds", "refused" if code else "done")
        if all(code != 0 for _, code in errors):
            raise Finding(f"none was done: {errors}")
        if files(name) not in wholes or len(os.listdir(at)) != 1:
            raise Finding(f"wrong bytes or something left: {os.listdir(at)}")

    def limited(self, random, at):
        """Files that may not grow and memory that ends: a message and status 2, nothing half-written."""
        i = random.randrange(len(SETUPS))
        whole, _ = self.table(i)
        name, proof = os.path.join(at, "t"), os.path.join(at, "c.jsonl")
        args = random.choice([
            ["table", "build", name, *SETUPS[i]],
            ["table", "build", name, *SETUPS[i], "--stream"],
            ["prove", "start", "--out", proof, *SETUPS[i]],
            ["solve", "start", *SETUPS[i]],
            ["search", "start", "--memory", "64MiB", "--max-nodes", "20000", "--checkpoint", proof],
            ["report", "--board", "ring8", "--pods", "duo", "--out", at],
            ["oracle", "export", "--board", "ring8", "--pods", "duo", "--count", "1", "--out", at],
        ])
        if random.random() < 0.5:
            what, limit = resource.RLIMIT_FSIZE, random.choice([0, 100, 512, 4096, 20_000, random.randrange(200_000)])
        else:
            what, limit = resource.RLIMIT_AS, random.randrange(24 << 20, 400 << 20)
        try:
            code, _, _ = self.run(args, limits=[(what, limit)])
        except Finding as found:
            # Before the program has begun, the loader has its own words for what does not fit.
            if what == resource.RLIMIT_AS and "error while loading shared libraries" in str(found):
                return
            raise Finding(f"limit {what} {limit}: {found}") from found
        kind = "file size" if what == resource.RLIMIT_FSIZE else "memory"
        self.note("limits", f"{kind}: {'refused' if code else 'done'}")
        for ending, good in whole:
            path = f"{name}.{ending}"
            if os.path.exists(path) and read(path) != good:
                raise Finding(f"half-written: {path}")

    def fuzzed_files(self, random, at):
        """Board and pod files, rows and manifests with random damage: read or refused."""
        board = b"name = 'a board with a name'\nsource = 'drawn on the back of an envelope, and copied twice since'\npoints = '''\no-o o\n|\\|/|\no-o-o\n|X| |\no-o-o\n'''\n"
        pods = b"name = 'pods with a name'\nsource = 'cut out of the same envelope with a pair of scissors'\n[[pod]]\nid = 'b'\nlegs = 'w E'\ncount = 2\n[[pod]]\nid = 't'\nlegs = 'n sw se'\n"
        path = os.path.join(at, "f")
        good, args = random.choice([
            (board, ["check", path]),
            (pods, ["check", path]),
            (board, ["moves", "start", "--pods", "duo", "--board", path]),
            (pods, ["solve", "start", "--board", "ring8", "--max-nodes", "20000", "--pods", path]),
        ])
        write(path, damaged(random, damaged(random, good) if random.random() < 0.5 else good))
        code, _, _ = self.run(args)
        self.note("fuzzed files", "refused" if code else "read")

    def hostile_lines(self, random, at):
        """Lines that a protocol partner or a pipe may send."""
        del at
        lines = []
        game = json.dumps({"board": "ring8"}).encode()
        seeds = [b'{"id":1,"ask":"moves","position":"3/3/3 w bt bt open"}', b'{"protocol":"pods","version":1}', game,
                 b"3/3/3 w bt bt open", b"start", b"", b"null", b"[" * 2000, b'{"a":' * 500, b"\xff\xfe", b"9" * 70_000]
        for _ in range(random.randrange(1, 40)):
            line = random.choice(seeds)
            lines.append(damaged(random, line).replace(b"\n", b" ") if random.random() < 0.7 else line)
        stdin = b"\n".join(lines) + random.choice([b"", b"\n"])
        args = random.choice([["engine"], ["moves", "-", "--board", "ring8", "--pods", "duo"],
                              ["solve", "-", "--board", "ring8", "--pods", "duo"],
                              ["table", "probe", os.path.join(self.folder, "whole1"), "-"]])
        self.table(1)
        code, _, _ = self.run(args, stdin=stdin)
        self.note("hostile lines", "refused" if code else "answered")
        self.counts["hostile lines"]["lines"] = self.counts["hostile lines"].get("lines", 0) + len(lines)

    def endless_lines(self, random, at):
        """One line without an end, a device without an end."""
        del at
        args = random.choice([["moves", "-"], ["solve", "-"], ["engine"], ["check-proof", "-"], ["check", "/dev/zero"],
                              ["moves", "start", "--board", "/dev/zero"]])
        code, _, _ = self.run(args, stdin=bytes([random.choice(b"a{ 9")]) * (24 << 20), limits=[(resource.RLIMIT_AS, 1 << 30)])
        self.note("endless lines", "refused" if code else "answered")

    def outputs(self, random, at):
        """What stands where something is to be written is kept."""
        path = os.path.join(at, "o")
        kind = random.choice(["letter", "read-only", "link", "dangling", "fifo"])
        letter = bytes(random.randrange(32, 127) for _ in range(200))
        if kind in ("letter", "read-only", "link"):
            write(os.path.join(at, "target") if kind == "link" else path, letter)
        if kind in ("link", "dangling"):
            os.symlink("target", path)
        if kind == "read-only":
            os.chmod(path, 0o444)
        if kind == "fifo":
            os.mkfifo(path)
        i = random.randrange(len(SETUPS))
        code, _, error = self.run(["prove", "start", "--out", path, *SETUPS[i]])
        self.note("outputs", f"{kind}: {'refused' if code else 'written'}")
        if kind in ("letter", "read-only", "link"):
            if code != 2 or read(path) != letter:
                raise Finding(f"{kind}: status {code}: {error}")
        # A certificate is read again, so it goes into a plain file.
        elif code != 2 or os.path.exists(os.path.join(at, "target")):
            raise Finding(f"{kind}: status {code}: {error}")


def forge(random, good):
    """Returns a certificate changed somewhere, with a trailer that fits: damage alone would be too easy."""
    if random.random() < 0.3:
        return damaged(random, good)
    lines = good.split(b"\n")
    at = random.randrange(len(lines) - 2)
    match random.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines[at] = damaged(random, lines[at])
        case 2:
            numbers = list(re.finditer(rb"\d+", lines[at]))
            if numbers:
                number = random.choice(numbers)
                new = str(int(number[0]) + random.choice([-2, -1, 1, 2])).encode()
                lines[at] = lines[at][:number.start()] + new + lines[at][number.end():]
        case 3:
            other = random.randrange(1, len(lines) - 1)
            if at:
                lines[at] = re.sub(rb'"action":"[^"]*"',
                                   lambda _: (re.findall(rb'"action":"[^"]*"', lines[other]) or [b'"action":"b@a1"'])[0],
                                   lines[at])
        case 4:
            words = [(b"win", b"loss"), (b"loss", b"win"), (b"draw", b"win"), (b"null", b"5"), (b" w ", b" b "),
                     (b"on", b"off"), (b"never", b"every-turn"), (b"n ", b"s "), (b"made for", b"drawn for")]
            old, new = random.choice(words)
            lines[0] = lines[0].replace(old, new, 1)
        case 5:
            lines[at], lines[at - 1] = lines[at - 1], lines[at]
    body = b"\n".join(lines[:-2]) + b"\n" if len(lines) > 2 else b""
    trailer = {"lines": max(0, len(lines) - 3), "sha256": hashlib.sha256(body).hexdigest()}
    return body + json.dumps(trailer, separators=(",", ":")).encode() + b"\n"


def claim(certificate):
    """Returns the claim of the header: the winner, and the plies if it has them."""
    head = json.loads(certificate.split(b"\n")[0])
    return head["value"], head["plies"]


class State:
    """What was tried so far, in a file from which a later run goes on."""

    def __init__(self, path, whose):
        self.path, self.whose = path, whose
        self.tried, self.spent, self.counts, self.findings, self.seconds = {}, {}, {}, [], 0.0
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                known = json.load(file)
            if known.pop("whose") != whose:
                sys.exit(f"{path} is of another program or seed: remove it, or name another folder")
            self.__dict__.update(known)

    def save(self):
        known = {name: value for name, value in self.__dict__.items() if name != "path"}
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(known, file)
        os.replace(self.path + ".new", self.path)


def key_of(name):
    """Returns the name of a campaign in the table."""
    return {"limited": "limits"}.get(name, name.replace("_", " "))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pods", required=True, help="the program")
    parser.add_argument("--seconds", type=float, required=True, help="time of this run and those before it that it goes on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True, help="folder for the result")
    parser.add_argument("--commit", help="to be named in the manifest")
    parser.add_argument("--only", help="campaigns by name, with commas between")
    args = parser.parse_args()
    os.nice(10)
    os.makedirs(args.out, exist_ok=True)
    pods = os.path.abspath(args.pods)
    state = State(os.path.join(args.out, "torture.state.json"), [hashlib.sha256(read(pods)).hexdigest(), args.seed])
    # Ended by a signal, a run goes on from its last turn.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    # Started by nohup or in the background of a script, a run ignores these; the commands that it starts must not inherit that.
    for ignored in (signal.SIGHUP, signal.SIGINT):
        if signal.getsignal(ignored) == signal.SIG_IGN:
            signal.signal(ignored, lambda *_: None)
    with tempfile.TemporaryDirectory() as folder:
        torture = Torture(pods, args.seed, folder)
        torture.counts, torture.findings = state.counts, state.findings
        os.environ["TORTURED"] = torture.pods
        campaigns = [torture.killed_builds, torture.corrupted_tables, torture.forged_certificates, torture.checkpoints,
                     torture.concurrent_builds, torture.limited, torture.fuzzed_files, torture.hostile_lines,
                     torture.endless_lines, torture.outputs, torture.full_disks, torture.harmful_parts, torture.memory, torture.little_memory, torture.hostile_engines,
                     torture.large_certificates, torture.closed_streams, torture.signals, torture.limits_everywhere, torture.two_runs,
                     torture.cut_inputs, torture.python_calls]
        if args.only:
            campaigns = [c for c in campaigns if c.__name__ in args.only.split(",")]
        tried, spent = state.tried, state.spent
        print(f"seed {args.seed}, {len(campaigns)} campaigns, {state.seconds:.0f} of {args.seconds:.0f} s done", file=sys.stderr)
        turn, told = 0, time.monotonic()
        while state.seconds < args.seconds:
            # The campaign that has had the least time so far.
            campaign = min(campaigns, key=lambda c: spent.get(c.__name__, 0.0))
            name = campaign.__name__
            draw = random.Random(f"{args.seed} {name} {tried.get(name, 0)}")
            at = os.path.join(folder, f"turn{turn}")
            os.mkdir(at)
            since = time.monotonic()
            try:
                campaign(draw, at)
            except Finding as found:
                what = str(found).replace(folder, "FOLDER")
                torture.findings.append({"campaign": name, "turn": tried.get(name, 0), "seed": args.seed, "what": what})
                print(f"found: {name}, turn {tried.get(name, 0)}: {what}", file=sys.stderr)
            tried[name] = tried.get(name, 0) + 1
            took = time.monotonic() - since
            spent[name] = spent.get(name, 0.0) + took
            state.seconds += took
            state.save()
            shutil.rmtree(at, ignore_errors=True)
            turn += 1
            if time.monotonic() - told > 60:
                told = time.monotonic()
                counts = ", ".join(f"{key_of(c.__name__)} {tried.get(c.__name__, 0)}" for c in campaigns)
                print(f"{state.seconds:.0f} of {args.seconds:.0f} s, {len(torture.findings)} found, turns: {counts}", file=sys.stderr)
    seconds = state.seconds
    rows = [["campaign", "turns", "seconds", "detail", "found"]]
    for campaign in campaigns:
        name = campaign.__name__
        key = key_of(name)
        detail = "; ".join(f"{what} {count}" for what, count in sorted(torture.counts.get(key, {}).items()))
        found = sum(finding["campaign"] == name for finding in torture.findings)
        rows.append([key, tried.get(name, 0), f"{spent.get(name, 0.0):.0f}", detail, found])
    with open(os.path.join(args.out, "torture.csv"), "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    with open(os.path.join(args.out, "findings.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(finding) + "\n" for finding in torture.findings)
    version = subprocess.run([args.pods, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    manifest = {
        "format": "pods-manifest", "version": 1, "program": version, "commit": args.commit,
        "program_sha256": hashlib.sha256(read(args.pods)).hexdigest(),
        "command": f"scripts/torture/torture.sh {args.seconds:.0f} {args.seed}", "seed": args.seed,
        "seconds": round(seconds), "cores": os.cpu_count(), "system": f"{platform.system()} {platform.machine()}",
        "result": "torture.csv", "sha256": hashlib.sha256(read(os.path.join(args.out, "torture.csv"))).hexdigest(),
        "findings": len(torture.findings),
    }
    with open(os.path.join(args.out, "torture.manifest.json"), "w", encoding="utf-8") as file:
        json.dump(manifest, file, indent=2)
        file.write("\n")
    os.remove(state.path)
    for row in rows:
        print(f"{row[0]:20} {row[1]:>7} {row[2]:>8} {row[4]:>6}  {row[3]}")
    sys.exit(1 if torture.findings else 0)


if __name__ == "__main__":
    main()
