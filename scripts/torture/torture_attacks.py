"""Campaigns of torture.py against files in the making and full disks; and what each command does when memory ends."""

import json
import os
import resource
import subprocess
import sys
import time

from torture_tools import BESIDE, Finding, damaged, files, read, write

PROOF = ["--board", "cave16", "--pods", "mini7"]
BUILD = ["--board", "nook9", "--pods", "trio", "--rules", "advanced"]
SMALL = ["--board", "ring8", "--pods", "duo"]


# Runs a command and prints its status and the most memory it took. A process begins with the peak of the one that it was forked from,
# which for a program started from here would be that of all campaigns.
MEASURE = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
print(child.returncode, usage.ru_maxrss)
"""


class Attacks:
    """Mixed into Torture, which runs the program and counts."""

    def good(self, args, **how):
        code, out, error = self.run(args, **how)
        if code != 0:
            raise Finding(f"{args}: {error[:500]}")
        return out

    def full_disks(self, random, at):
        """A disk that is full, at any step of builds and certificates; with room again the same command goes on."""
        disk = os.path.join(at, "disk")
        os.mkdir(disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={random.randrange(4, 400)}k", "tmpfs", disk],
                                 capture_output=True, check=False)
        if mounted.returncode != 0:
            self.note("full disks", "no file system may be mounted here")
            time.sleep(0.1)
            return
        try:
            self.on_full_disk(random, disk)
        finally:
            subprocess.run(["umount", "-l", disk], check=False)

    def on_full_disk(self, random, disk):
        name = os.path.join(disk, "t")
        kind = random.choice(["table", "stream", "certificate"])
        if kind == "certificate":
            args = ["prove", "start", *PROOF, "--method", "search", "--memory", "16MiB", "--out", os.path.join(disk, "c.jsonl")]
        else:
            args = ["table", "build", name, *BUILD, "--checkpoint", "0"] + (["--stream"] if kind == "stream" else [])
        code = self.run(args)[0]
        self.note("full disks", f"{kind}: {'full' if code else 'done'}")
        if code == 0:
            return
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        self.good(args)
        if kind in ("table", "stream") and files(name) != self.whole_build()[0]:
            raise Finding("other bytes after a full disk")
        left = [name for name in os.listdir(disk) if name.startswith(".") or name.endswith((".building", ".part"))]
        if left:
            raise Finding(f"left behind: {left}")

    def whole_build(self):
        if "build" not in self.made:
            name = os.path.join(self.folder, "whole-build")
            begun = time.monotonic()
            self.good(["table", "build", name, *BUILD])
            self.made["build"] = (files(name), time.monotonic() - begun)
        return self.made["build"]

    # Files in the making, and memory.

    def part(self):
        """An unfinished certificate in sections, whole but for its trailer, and its command."""
        if "part" not in self.made:
            path = os.path.join(self.folder, "whole.jsonl")
            args = ["prove", "start", *PROOF, "--method", "search", "--memory", "16MiB", "--out"]
            self.good([*args, path])
            self.made["part"] = (read(path), args)
        return self.made["part"]

    def harmful_parts(self, random, at):
        """Files in the making that were made to harm: refused or gone on with, in bounded memory, never a wrong certificate."""
        whole, args = self.part()
        lines = whole.split(b"\n")
        path = os.path.join(at, "c.jsonl")
        cut = b"\n".join(lines[:random.randrange(1, len(lines))]) + b"\n"
        kind = random.choice(["damaged", "cut", "endless line", "endless section", "nested", "later", "shown", "headings", "trailer"])
        # What is endless is written piece by piece: a process starts with the peak of the one that starts it.
        tail, repeated, times = {
            "damaged": lambda: (damaged(random, whole), b"", 0),
            "cut": lambda: (whole[:random.randrange(len(whole) + 1)], b"", 0),
            "endless line": lambda: (lines[0] + b"\n", b"x" * (1 << 20), 200),
            "endless section": lambda: (lines[0] + b"\n", b'{"covered":[]}\n' * (1 << 16), 200),
            "nested": lambda: (cut + b"[" * 60_000 + b'\n{"section":1}\n', b"", 0),
            "later": lambda: (lines[0] + b"\n" + b'{"later":null}\n' * random.randrange(1, 100_000) + b'{"section":1}\n', b"", 0),
            "shown": lambda: (cut + b'{"shown":null}\n' * 1000 + b'{"section":1}\n', b"", 0),
            "headings": lambda: (cut + b"".join(b'{"section":%d}\n' % n for n in range(1, 1000)), b"", 0),
            "trailer": lambda: (cut + lines[-2] + b"\n", b"", 0),
        }[kind]()
        with open(path + ".part", "wb") as file:
            file.write(tail)
            for _ in range(times):
                file.write(repeated)
        code, peak, error = self.measured([*args, path])
        made = code == 0 and os.path.exists(path)
        self.note("harmful parts", f"{kind}: {'gone on' if made else 'unknown' if code == 0 else 'refused'}")
        if peak > (16 << 20) + BESIDE:
            raise Finding(f"{kind}: {peak >> 20} MiB with --memory 16MiB")
        if made:
            said = json.loads(self.good(["check-proof", path, "--about", "start", *PROOF, "--format", "json"]))
            if said["value"] != json.loads(lines[0])["value"]:
                raise Finding(f"{kind}: a wrong certificate")
        elif os.path.exists(path):
            raise Finding(f"{kind}: status {code}, and a certificate is there: {error[:300]}")

    def measured(self, args):
        """Status, the most memory taken, and messages."""
        with open(os.path.join(self.folder, "stderr"), "w+b") as said:
            ran = subprocess.run([sys.executable, "-S", "-c", MEASURE, self.pods, *args], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=said, check=True)
            said.seek(0)
            error = said.read().decode(errors="replace")
        code, peak = map(int, ran.stdout.split())
        if code not in (0, 1, 2) or "panicked" in error:
            raise Finding(f"status {code}: {args}: {error[:500]}")
        return code, peak << 10, error

    def memory(self, random, at):
        """The memory that a command takes is at most its limit and 64 MiB."""
        whole, _ = self.part()
        path = os.path.join(at, "c.jsonl")
        write(path, whole)
        limit = random.choice([1, 4, 16, 64, 128])
        out = os.path.join(at, "out")
        args = random.choice([
            ["check-proof", path],
            ["prove", "start", *PROOF, "--method", "search", "--out", os.path.join(at, "d.jsonl")],
            ["prove", "start", "--board", "cave25", "--pods", "mini7", "--method", "search", "--max-nodes", "300000", "--out",
             os.path.join(at, "e.jsonl")],
            ["prove", "start", *BUILD, "--out", os.path.join(at, "f.jsonl")],
            ["report", *BUILD, "--out", out],
            ["report", "--board", "den12", "--pods", "four", "--orientation", "0", "--rules", "standard", "--out", out],
            ["report", "--board", "den12", "--pods", "trio", "--orientation", "0", "--rules", "advanced", "--out", out],
            ["table", "build", out, *BUILD],
            ["table", "build", out, *BUILD, "--stream"],
            ["table", "build", out, "--board", "den12", "--pods", "trio", "--rules", "advanced", "--stream"],
            ["solve", "start", "--board", "den12", "--pods", "trio", "--rules", "advanced"],
        ])
        code, peak, _ = self.measured([*args, "--memory", f"{limit}MiB"])
        command = " ".join(args[:2] if args[0] == "table" else args[:1])
        self.note("memory", f"{command}: {'refused' if code else 'done'}")
        most = self.counts["memory"].get(f"{command}: MiB beyond the limit", 0)
        self.counts["memory"][f"{command}: MiB beyond the limit"] = max(most, (peak >> 20) - limit)
        if peak > (limit << 20) + BESIDE:
            raise Finding(f"{peak >> 20} MiB with {limit} MiB: {args}")

    def little_memory(self, random, at):
        """Each command with little address space: an answer, or a message and status 2."""
        self.table(1)
        whole, _ = self.part()
        path = os.path.join(at, "c.jsonl")
        write(path, whole)
        table = os.path.join(self.folder, "whole1")
        duo = [*SMALL, "--rules", "very-advanced"]
        commands = [
            ["rules"], ["check", "cave36"], ["new", "board", "8x8"], ["list"], ["show", "start"], ["show", "start", "--format", "svg"],
            ["moves", "start"], ["explain", "start"], ["solve", "start", *SMALL], ["solve", "start", *SMALL, "--every-action"],
            ["best", "start", "--time", "0.2"], ["best", "start", *SMALL, "--rules", "advanced", "--time", "0.2"],
            ["match", "random", "random", "--board", "nook9", "--pods", "four", "--pairs", "2"], ["report", *SMALL], ["report", "readings", *SMALL],
            ["report", "readings", "standard", "advanced", *SMALL], ["prove", "start", *SMALL, "--out", os.path.join(at, "d.jsonl")],
            ["prove", "start", *PROOF, "--method", "search", "--out", os.path.join(at, "e.jsonl")], ["check-proof", path],
            ["perft", "start", "--depth", "2"], ["crosscheck", "--cases", "20"], ["oracle", "export", *SMALL, "--count", "1", "--out", os.path.join(at, "oracle")],
            ["engine"], ["completions", "bash"],
            ["man", os.path.join(at, "man")], ["table", "plan", *duo], ["table", "probe", table, "start"], ["table", "stats", table],
            ["table", "verify", table], ["table", "export", table], ["table", "build", os.path.join(at, "t"), *duo],
            ["table", "build", os.path.join(at, "u"), *duo, "--stream"], ["conform", "--engine", f"{self.pods} engine", "--positions", "20", "--constructed", "2"],
        ]
        args = random.choice(commands)
        limit = random.randrange(24 << 20, 300 << 20)
        try:
            code, _, error = self.run(args, limits=[(resource.RLIMIT_AS, limit)])
        except Finding as found:
            # Before the program has begun, the loader has its own words for what does not fit.
            if "error while loading shared libraries" in str(found):
                return
            raise Finding(f"{limit >> 20} MiB of address space: {found}") from found
        # A command that is wrong here would try nothing.
        if code == 2 and "Usage:" in error:
            raise Finding(f"no such command: {args}: {error[:300]}")
        self.note("little memory", f"{args[0]}: {'refused' if code else 'done'}")
