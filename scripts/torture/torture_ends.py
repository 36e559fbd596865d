"""Campaigns of torture.py against what a command ends by: streams that close, signals, limits, another run, cut inputs."""

import lzma
import os
import shutil
import signal
import subprocess
import sys
import time

from torture_tools import PATIENCE, Finding, damaged, read, write

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = os.path.join(HERE, "..", "..", "tests", "python", "calls.py")
ORACLE = os.path.join(HERE, "..", "..", "results", "oracle", "standard")

RING = ["--board", "ring8", "--pods", "duo"]
NOOK = ["--board", "nook9", "--pods", "four", "--hands", "bdt"]
GAMES = ["--board", "nook9", "--pods", "four", "--opening-plies", "2"]
CAVE = ["--board", "cave16", "--pods", "mini7"]

# Seconds that a command may go on after a signal. A machine that is busy with other work takes longer.
AFTER_SIGNAL = float(os.environ.get("AFTER_SIGNAL") or 5)

HANGING = """
import json, os, signal, sys, time
for s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)
for line in sys.stdin:
    r = json.loads(line)
    if r["type"] == "hello":
        print(json.dumps(dict(id=r["id"], type="hello", protocol="pods-conformance", version=1, name="x", capabilities=["best"])), flush=True)
    elif r["type"] in ("best", "moves"):
        time.sleep(100)
    else:
        print(json.dumps(dict(id=r["id"], type="ok")), flush=True)
time.sleep(100)
"""


def tree(folder):
    """Returns the files below a folder with their bytes."""
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            found[os.path.relpath(path, folder)] = read(path)
    return found


def session(leader):
    """Returns the processes of a session that have not ended."""
    left = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = read(f"/proc/{number}/stat").decode().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == leader and fields[0] not in "ZX":
            left.append(int(number))
    return left


class Ends:
    """Mixed into Torture, which runs the program and counts."""

    def writers(self, at):
        """Returns commands that write a file beside their output, and the file; `True` if its bytes are always the same."""
        one, pairs = os.path.join(at, "one"), ["--pairs", "1", "--orientation", "0"]
        return [
            (["prove", "start", *NOOK, "--out", one], True),
            (["prove", "start", *CAVE, "--method", "search", "--memory", "16MiB", "--threads", "1", "--out", one], True),
            (["table", "build", one, *RING, "--rules", "very-advanced"], True),
            (["match", "random", "random", *GAMES, *pairs, "--out", one], True),
            (["report", *NOOK, "--out", one], False),
            (["report", *RING, "--rules", "advanced", "--format", "html", "--out", one + ".html"], False),
            (["report", "play", *GAMES, "--count", "4", "--out", one], False),
            (["report", "readings", *RING, "--out", one], False),
            (["report", "measures", *RING, "--out", one], False),
            (["oracle", "export", *RING, "--count", "1", "--out", one], False),
            (["search", "start", *CAVE, "--max-nodes", "2000", "--checkpoint", one], False),
            (["man", one], True),
        ]

    def closed_streams(self, random, at):
        """An output that nobody reads, that is closed, or that is full: status 0 only with the files whole."""
        number = random.randrange(len(self.writers(at)))
        if ("written", number) not in self.made:
            whole = os.path.join(self.folder, f"written{number}")
            os.makedirs(whole, exist_ok=True)
            self.good(self.writers(whole)[number][0])
            self.made["written", number] = tree(whole)
        good = self.made["written", number]
        args, is_same = self.writers(at)[number]
        kind = random.choice(["nobody reads", "reads a line", "closed", "full", "errors closed", "errors full"])
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        full = open("/dev/full", "wb")
        if kind in ("full", "errors full"):
            how["stdout" if kind == "full" else "stderr"] = full
        shut = {"closed": 1, "errors closed": 2}.get(kind)
        if kind in ("nobody reads", "reads a line"):
            reading, how["stdout"] = os.pipe()
        child = subprocess.Popen([self.pods, *args], preexec_fn=None if shut is None else lambda: os.close(shut), **how)
        if kind in ("nobody reads", "reads a line"):
            os.close(how["stdout"])
            if kind == "reads a line":
                os.read(reading, 1)
            os.close(reading)
        try:
            _, error = child.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired as late:
            child.kill()
            raise Finding(f"{kind}: no end within {PATIENCE:.0f} s: {args}") from late
        finally:
            full.close()
        error = (error or b"").decode(errors="replace")
        self.note("closed streams", f"{kind}: {'done' if child.returncode == 0 else 'refused'}")
        there = tree(at)
        if child.returncode not in (0, 1, 2) or "panicked" in error:
            raise Finding(f"{kind}: status {child.returncode}: {args}: {error[:300]}")
        if kind in ("closed", "full") and child.returncode == 0 and len(self.good(args + ["--help"])) and self.speaks(number):
            raise Finding(f"{kind}: status 0: {args}")
        if child.returncode == 0 and sorted(there) != sorted(good):
            raise Finding(f"{kind}: status 0 with {sorted(there)} instead of {sorted(good)}: {args}: {error[:300]}")
        if is_same and any(there[name] != good.get(name) for name in there):
            raise Finding(f"{kind}: other bytes in {sorted(there)}: {args}")
        left = [name for name in there if name.endswith((".part", ".tmp")) or os.path.basename(name).startswith(".")]
        if left:
            raise Finding(f"{kind}: left behind: {left}: {args}")

    def speaks(self, number):
        """Returns whether a writer has an answer on its output."""
        if ("speaks", number) not in self.made:
            at = os.path.join(self.folder, f"speaks{number}")
            os.makedirs(at)
            self.made["speaks", number] = len(self.good(self.writers(at)[number][0])) > 0
        return self.made["speaks", number]

    def signals(self, random, at):
        """A signal, once or twice: the command ends soon, with what it has started, and leaves nothing half-written."""
        self.table(0)
        engine, out, temporary = (os.path.join(at, name) for name in ("engine.py", "out", "tmp"))
        write(engine, HANGING.encode())
        os.mkdir(temporary)
        hanging = f"python3 -B '{engine}'"
        args = random.choice([
            ["perft", "start", "--depth", "7"],
            ["crosscheck", "--cases", "1000000000"],
            ["solve", "start", "--no-library"], ["solve", "start", "--every-action", "--no-library"],
            ["solve", "start", "--no-library", "--method", "search"], ["best", "start", "--time", "1000", "--no-library"],
            ["search", "start", "--checkpoint", out], ["search", "start", "--every-action"],
            ["prove", "start", "--out", out], ["prove", "start", *CAVE, "--method", "search", "--out", out],
            ["report", "--out", out, "--no-library"], ["report", "play", "--count", "100000", "--out", out],
            ["report", "readings", "--board", "den12", "--pods", "four"], ["report", "measures", "--out", out],
            ["report", "readings", "standard", "standard+placement-liberty=off", "--board", "den12", "--pods", "four"],
            ["oracle", "export", "--count", "100000", "--out", out],
            ["match", "random", "best --max-nodes 1000", "--pairs", "100000", "--out", out],
            ["match", "random", f"program --max-nodes 9 {hanging}", *GAMES, "--pairs", "10", "--timeout", "60"],
            ["conform", "--engine", hanging, "--timeout", "60"], ["conform", "--engine", f"{self.pods} engine", "--positions", "10000000"],
            ["table", "build", out, "--board", "den12", "--pods", "four", "--rules", "advanced"],
            ["table", "build", out, "--board", "den12", "--pods", "trio", "--rules", "advanced", "--stream"],
            ["table", "verify", os.path.join(self.folder, "whole0"), "--every", "0"],
            ["explore"], ["engine"], ["solve", "-"], ["moves", "-"], ["check-proof", "-"],
        ])
        which = [random.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]) for _ in range(random.choice([1, 1, 2]))]
        child = subprocess.Popen([self.pods, *args], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 start_new_session=True, env={**os.environ, "TMPDIR": temporary})
        time.sleep(random.choice([0.05, 0.3, 1.0, 3.0]) * random.random())
        for one in which:
            child.send_signal(one)
            time.sleep(random.choice([0.0, 0.001, 0.1, 0.6]) * random.random())
        since = time.monotonic()
        try:
            _, error = child.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired as late:
            os.killpg(child.pid, signal.SIGKILL)
            raise Finding(f"signals {which}: no end within {PATIENCE:.0f} s: {args}") from late
        seconds, error = time.monotonic() - since, error.decode(errors="replace")
        # Before its handlers stand, a signal ends the program as by default.
        self.note("signals", f"{args[0]}: {'ended' if child.returncode in (130, -2, -15, -1) else 'done'}")
        if child.returncode not in (0, 1, 2, 130, -2, -15, -1) or "panicked" in error:
            raise Finding(f"signals {which}: status {child.returncode}: {args}: {error[-500:]}")
        if seconds > AFTER_SIGNAL:
            raise Finding(f"signals {which}: ends after {seconds:.1f} s: {args}")
        time.sleep(0.05)
        left = session(child.pid)
        if left:
            os.killpg(child.pid, signal.SIGKILL)
            raise Finding(f"signals {which}: processes are left: {left}: {args}")
        if os.listdir(temporary):
            raise Finding(f"signals {which}: left in the temporary folder: {os.listdir(temporary)}: {args}")
        if args[0] == "prove" and os.path.exists(out):
            self.good(["check-proof", out])

    def limits_everywhere(self, random, at):
        """A limit drawn for each path that takes one: it ends in time, or says that it means nothing there."""
        write(os.path.join(at, "positions"), b"start\nstart\n")
        setup = random.choice([[], RING, NOOK, ["--board", "ring8", "--pods", "trio", "--rules", "advanced"], ["--rules", "advanced"]])
        methods = ["exhaustive", "retrograde", "sweeps", "mirror", "search", "table", "forced", "library"]
        what = random.choice(["solve", "solve", "solve -", "every", "best", "prove", "report", "winners", "search", "readings", "compare"])
        args = {
            "solve": ["solve", "start", *random.choice([[], ["--method", random.choice(methods)], ["--winner"], ["--no-library"]])],
            "solve -": ["solve", "-", "--no-library", *random.choice([[], ["--method", random.choice(methods)]])],
            "every": ["solve", "start", "--every-action", *random.choice([[], ["--method", random.choice(methods)]])],
            "best": ["best", "start", "--no-library"],
            "prove": ["prove", "start", "--out", os.path.join(at, "proof"), *random.choice([[], ["--exact"], ["--method", "search"]])],
            "report": ["report", "--no-library"], "winners": ["report", "--winners", "--no-library"],
            "search": ["search", "start", *random.choice([[], ["--every-action"], ["--checkpoint", os.path.join(at, "c")]])],
            "readings": ["report", "readings"],
            "compare": ["report", "readings", "standard", "standard+placement-liberty=off"],
        }[what]
        if what == "readings" and "--board" not in setup:
            # A limit is for each start, and the built-in setups have some 500: a report of a minute and a half by itself.
            setup = NOOK
        # Work that no limit of nodes or time ends is not asked for without one.
        limits = random.choice([
            ["--time", random.choice(["0.001", "0.1", "1"])],
            ["--max-nodes", str(random.choice([1, 2, 5, 100, 3000]))],
            ["--time", "1", "--memory", random.choice(["1", "1MiB", "64MiB", "1TiB"])],
            ["--time", "1", "--threads", random.choice(["1", "3", "256"])],
        ])
        begun = time.monotonic()
        code, _, error = self.run([*args, *setup, *limits], stdin=b"start\nstart\n")
        self.note("limits everywhere", f"{what} {limits[0]}: {'refused' if code == 2 else 'ended'}")
        if code == 1:
            raise Finding(f"a discrepancy: {args} {setup} {limits}: {error[:300]}")
        if time.monotonic() - begun > PATIENCE / 2:
            raise Finding(f"{time.monotonic() - begun:.0f} s: {args} {setup} {limits}")

    def two_runs(self, random, at):
        """Two runs on one file: refused or merged; what is there in the end is whole."""
        out = os.path.join(at, "o")
        kind, args, check = random.choice([
            ("prove", ["prove", "start", *CAVE, "--method", "search", "--out", out], ["check-proof", out]),
            ("prove exact", ["prove", "start", *NOOK, "--exact", "--out", out], ["check-proof", out]),
            ("search", ["search", "start", *CAVE, "--max-nodes", "20000", "--checkpoint", out, "--checkpoint-every", "0.01"], None),
            ("match", ["match", "random", "random", *GAMES, "--pairs", "20", "--orientation", "0", "--out", out], ["replay", out]),
            ("play", ["report", "play", *GAMES, "--count", "20", "--out", out], None),
            ("report", ["report", *NOOK, "--out", out], None),
            ("oracle", ["oracle", "export", *RING, "--count", "1", "--out", out], ["oracle", "check", out]),
            ("table", ["table", "build", out, *RING, "--rules", "very-advanced"], ["table", "verify", out]),
        ])
        runs = []
        for _ in range(random.choice([2, 2, 3])):
            runs.append(self.start(args))
            time.sleep(random.choice([0, 0, 0.02, 0.2]) * random.random())
        ends = []
        for run in runs:
            error = run.communicate(timeout=PATIENCE)[1].decode(errors="replace")
            ends.append((run.returncode, error))
            self.note("two runs", f"{kind}: {'done' if run.returncode == 0 else 'refused'}")
        if any(code not in (0, 2) or "panicked" in error or (code == 2 and not error.strip()) for code, error in ends):
            raise Finding(f"{kind}: {[(code, error[:300]) for code, error in ends]}")
        if all(code != 0 for code, _ in ends):
            raise Finding(f"{kind}: none was done: {[error[:300] for _, error in ends]}")
        left = [name for name in os.listdir(at) if name.startswith(".") or name.endswith((".part", ".tmp", ".building"))]
        if left:
            raise Finding(f"{kind}: left behind: {left}")
        if check:
            self.good(check)
        else:
            # The same command takes up what is there, or says that it is.
            code, _, error = self.run(args)
            if code == 1 or (kind in ("search", "play") and code != 0):
                raise Finding(f"{kind}: cannot go on: {code}: {error[:300]}")

    def cut_inputs(self, random, at):
        """Inputs that are cut or damaged, of each reader: read or refused, never a wrong answer."""
        games, proof = os.path.join(self.folder, "games.jsonl"), os.path.join(self.folder, "packed.proof")
        if not os.path.exists(games):
            self.good(["match", "random", "random", *GAMES, "--pairs", "3", "--orientation", "0", "--out", games])
            self.good(["prove", "start", *NOOK, "--out", proof])
            write(proof + ".xz", lzma.compress(read(proof)))
        path = os.path.join(at, "f")
        kind = random.choice(["games", "packed", "oracle", "manifest", "checkpoint", "positions", "requests", "rules"])
        stdin = b""
        if kind == "games":
            good, args = read(games), ["replay", path]
        elif kind == "packed":
            good, args = read(proof + ".xz"), ["check-proof", path]
        elif kind in ("oracle", "manifest"):
            path = os.path.join(at, "set")
            shutil.copytree(ORACLE, path)
            args, path = ["oracle", "check", path], os.path.join(path, "positions.jsonl" if kind == "oracle" else "manifest.json")
            good = read(path)
        elif kind == "checkpoint":
            if ("checkpoint",) not in self.made:
                name = os.path.join(self.folder, "a.search")
                self.good(["search", "start", *CAVE, "--max-nodes", "2000", "--checkpoint", name])
                self.made["checkpoint",] = read(name)
            good, args = self.made["checkpoint",], ["search", "start", *CAVE, "--max-nodes", "2000", "--checkpoint", path]
        else:
            good, args = {
                "positions": (b"start\n3/1B1/2q w dt bt -\n3/3/3 w bdt bdt open\n" * 3, ["solve", "-", *NOOK, "--max-nodes", "100"]),
                "requests": (b'{"id":0,"type":"hello","protocol":"pods-conformance","version":1}\n{"id":1,"type":"moves","position":"start"}\n', ["engine"]),
                "rules": (b"start\n", ["moves", "-", "--rules", damaged(random, b"advanced+captures=never").replace(b"\0", b"")]),
            }[kind]
        bad = good[:random.randrange(len(good))] if random.random() < 0.5 else damaged(random, good)
        if kind in ("positions", "requests", "rules"):
            stdin = bad
        else:
            write(path, bad)
        code, _, error = self.run(args, stdin=stdin)
        self.note("cut inputs", f"{kind}: {'read' if code == 0 else 'refused'}")
        # What a manifest names otherwise may be a field that nobody reads, or has its default.
        if kind in ("packed", "oracle") and code == 0 and bad != good:
            raise Finding(f"{kind}: accepted: {shutil.copy(path, os.path.join(self.folder, 'kept-input'))}: {error[:300]}")

    def python_calls(self, random, at):
        """Each call of the Python package in a situation of tests/python/calls.py: the process lives, and ends in time."""
        python = os.environ.get("PYTHON") or sys.executable
        if "python" not in self.made:
            self.made["python"] = subprocess.run([python, "-c", "import podsgame"], capture_output=True, check=False).returncode == 0
        if not self.made["python"]:
            self.note("python calls", "no podsgame here")
            time.sleep(0.1)
            return
        os.mkdir(os.path.join(at, "tables"))
        begin = f"import sys; sys.path.insert(0, {os.path.dirname(CALLS)!r}); import calls; "
        what = random.choice(["at once", "forked", "starved", "limited", "damaged", "interrupted"])
        made = subprocess.run([python, "-B", "-c", f"{begin}calls.World({at!r}).make(); print('|'.join(calls.names({what!r})))"],
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        if made.returncode != 0:
            raise Finding(f"python: {made.stderr[-500:]}")
        name = random.choice(made.stdout.strip().split("|"))
        child = subprocess.Popen([python, "-B", CALLS, what, at, name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if what == "interrupted":
            child.stdout.readline()
            time.sleep(random.random())
            child.send_signal(signal.SIGINT)
        since = time.monotonic()
        try:
            out, _ = child.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired as late:
            child.kill()
            raise Finding(f"python: {what}: {name}: no end within {PATIENCE:.0f} s") from late
        out = out.decode(errors="replace")
        self.note("python calls", what)
        if child.returncode not in (0, -2) or "panicked" in out or "PanicException" in out:
            raise Finding(f"python: {what}: {name}: status {child.returncode}: {out[-500:]}")
        if what == "interrupted" and time.monotonic() - since > AFTER_SIGNAL:
            raise Finding(f"python: {what}: {name}: ends after {time.monotonic() - since:.1f} s")
