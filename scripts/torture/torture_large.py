"""Campaigns of torture.py against engines that play, and against a large certificate in sections."""

import os
import time

from torture_tools import BESIDE, PATIENCE, Finding, damaged, read, write

# A certificate of 2,490,016 lines, in sections; to check it takes between 64 and 128 MiB.
LARGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "results", "solved", "random3-0.proof")

ENGINE = """
import json, os, sys, time
out = sys.stdout.buffer
def raw(data): out.write(data); out.flush()
def say(**fields): raw(json.dumps({"id": r["id"], **fields}).encode() + b"\\n")
def hello(): say(type="hello", protocol="pods-conformance", version=1, name="x", capabilities=["best"])
turn = 0
for line in sys.stdin:
    r = json.loads(line)
    turn += 1
    if turn == AT:
        HARM
    elif r["type"] == "hello":
        hello()
    elif r["type"] == "best":
        say(type="best", action=None)
    else:
        say(type="ok")
"""

# What an engine does in place of an answer.
HARMS = {
    "silent": "time.sleep(60)",
    "drips": "[(raw(b'{'), time.sleep(0.05)) for _ in range(1000)]",
    "exits": "os._exit(DRAW % 200)",
    "is killed": "os.kill(os.getpid(), 9)",
    "closes output": "os.close(1); time.sleep(60)",
    "closes input": "os.close(0); time.sleep(60)",
    "leaves a child": "os.fork() or time.sleep(60); os._exit(0)",
    "leaves children": "[os.fork() for _ in range(3)]; time.sleep(60)",
    "is deaf to signals": "import signal; [signal.signal(s, signal.SIG_IGN) for s in (1, 2, 15)]; time.sleep(60)",
    "floods a line": "[raw(b'x' * 1000000) for _ in range(DRAW % 40)]",
    "floods lines": "[raw(b'x\\n' * 1000) for _ in range(DRAW)]",
    "floods blanks": "[raw(b'\\n' * 1000) for _ in range(DRAW)]; time.sleep(60)",
    "floods errors": "sys.stderr.write('oh ' * 10000 * (DRAW % 99)); say(type='best', action=None)",
    "answers early": "say(type='ok'); say(type='best', action='b@a1'); hello()",
    "other id": "r['id'] = [None, -1, 2 ** 70, 'x', 1.5][DRAW % 5]; say(type='best', action='b@a1')",
    "other type": "say(type=[None, 7, 'moves', 'e' * 9999999, []][DRAW % 5])",
    "other action": "say(type='best', action=['resign', '', 'z@z99', 'c3-c3', '\\x1b[2J', 'b' * 9999999, 7, []][DRAW % 8])",
    "nested": "raw(b'[' * 100000 + b'\\n')",
    "damaged": "raw(DAMAGED + b'\\n')",
}

GOOD = [
    b'{"id":0,"type":"hello","protocol":"pods-conformance","version":1,"name":"x","capabilities":["best"]}',
    b'{"id":1,"type":"ok"}', b'{"id":2,"type":"best","action":"b@a1"}', b'{"id":2,"type":"best","action":null}',
]


class Large:
    """Mixed into Torture, which runs the program and counts."""

    def hostile_engines(self, random, at):
        """An engine that does harm at some step of a match: it loses its games, or the match says why it cannot begin."""
        harm, step, draw = random.choice(sorted(HARMS)), random.randrange(1, 6), random.randrange(1, 500)
        code = HARMS[harm].replace("DRAW", str(draw)).replace("DAMAGED", repr(damaged(random, random.choice(GOOD)).replace(b"\n", b"")))
        script, games = os.path.join(at, "engine.py"), os.path.join(at, "games.jsonl")
        write(script, ENGINE.replace("AT:", f"{step}:").replace("HARM", code).encode())
        players = [f"program --max-nodes 9 python3 -B '{script}'", random.choice(["random", "best --max-nodes 50", f"program --max-nodes 9 python3 -B '{script}'"])]
        random.shuffle(players)
        args = ["match", *players, "--board", "nook9", "--pods", "four", "--rules", random.choice(["standard", "advanced"]),
                "--orientation", "0", "--pairs", "1", "--opening-plies", str(random.randrange(3)), "--timeout", "1", "--out", games]
        begun = time.monotonic()
        status, peak, error = self.measured(args)
        self.note("hostile engines", f"{harm}: {['all played', 'lost by it', 'refused'][status]}")
        if status == 2 and "the program" not in error and "line is longer" not in error:
            raise Finding(f"{harm} at {step} ({draw}): {error[:500]}")
        if time.monotonic() - begun > PATIENCE / 3 or peak > 256 << 20:
            raise Finding(f"{harm} at {step} ({draw}): {time.monotonic() - begun:.0f} s, {peak >> 20} MiB")
        if len(error) > 20_000:
            raise Finding(f"{harm} at {step} ({draw}): {len(error)} bytes of messages")
        if status != 2:
            self.good(["replay", games])

    def large_certificates(self, random, at):
        """A large certificate with little memory: proven or refused, and nothing else; damaged, refused."""
        path = LARGE
        is_damaged = random.random() < 0.5
        if is_damaged:
            bad = os.path.join(at, "c.proof")
            whole = read(path)
            # Damage behind the header: names in it prove nothing.
            at = random.randrange(whole.index(b"\n") + 1, len(whole) - 50)
            write(bad, whole[:at] + damaged(random, whole[at:at + 50]) + whole[at + 50:])
            is_damaged, path = read(bad) != whole, bad
        limit = random.choice([4, 16, 32, 64, 96, 128, 256])
        threads = random.choice([1, 2, 8])
        status, peak, error = self.measured(["check-proof", path, "--memory", f"{limit}MiB", "--threads", str(threads)])
        said = {0: "proven", 1: "refused", 2: "too little memory"}[status]
        self.note("large certificates", f"{'damaged' if is_damaged else 'whole'}, {limit} MiB: {said}")
        if status == (0 if is_damaged else 1) or (status == 2 and "--memory" not in error and not is_damaged):
            raise Finding(f"status {status}, {limit} MiB, damaged {is_damaged}: {error[:500]}")
        if peak > (limit << 20) + BESIDE:
            raise Finding(f"{peak >> 20} MiB with {limit} MiB and {threads} threads")
