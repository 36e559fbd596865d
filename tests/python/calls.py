"""Every public call, and situations to make them in: a process for test_situations.py, which reads what it prints.

    calls.py SITUATION FOLDER [NAME]...

prints `begun NAME` before each call and then its outcome: `answer TEXT`, or `raised CLASS MESSAGE`.
"""

import os
import random
import resource
import shutil
import signal
import sys
import threading
from pathlib import Path

import podsgame
from podsgame import Board, OracleSet, PodSet, Positions, Setup, Table, Tablebase

RESULTS = Path(__file__).resolve().parents[2] / "results"
ORACLE = RESULTS / "oracle" / "standard"
LARGE = RESULTS / "solved" / "random3-0.proof"
# What a process that has gone wrong would never end with.
PATIENCE = 60


class World:
    """Things to ask about, in a folder that is made once."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.small = Setup("nook9", "four", hands="bdt")
        self.whole = Setup("ring8", "trio", "advanced")
        self.long = Setup("lair16", "four", "advanced")
        self.start = self.small.start()
        self.near = self.whole.position("1T1/3/B2 w d d -")
        self.many = Positions(self.small, [self.start] * 3000)
        self.row = Positions(self.small, [self.start]).to_bytes()

    def make(self):
        podsgame.build_table(self.whole, self.folder / "tables" / "whole")
        (self.folder / "win.proof").write_bytes(podsgame.prove(self.start).data)
        shutil.copytree(ORACLE, self.folder / "oracle")
        (self.folder / "board.toml").write_text(Board("nook9").to_toml())
        (self.folder / "pods.toml").write_text(PodSet("four").to_toml())

    def millions(self):
        return Positions.from_bytes(Setup(), Positions(Setup(), [Setup().start()]).to_bytes() * 400_000)


def value(found):
    return str(found.value)


def built(w, setup, name="new", **limits):
    path = w.folder / f"{name}{os.getpid()}-{threading.get_ident()}"
    try:
        return str(podsgame.build_table(setup, path, **limits).setup)
    finally:
        path.with_name(path.name + ".pods-table").unlink(missing_ok=True)


def tables(w):
    return Tablebase(w.folder / "tables")


# By name: the call, and the same with more work than two seconds hold, where it can have more.
CALLS = {
    "Board": (lambda w: Board(str(w.folder / "board.toml")).picture(), None),
    "PodSet": (lambda w: PodSet(str(w.folder / "pods.toml")).to_toml(), None),
    "Setup": (lambda w: (repr(w.small), w.small.action_count, w.small.start()._repr_svg_()), None),
    "Action": (lambda w: [podsgame.Action(str(action)) for action in w.start.legal_actions()], None),
    "Position": (lambda w: [(str(p), p.status, p.outcome(), p.explain_all()) for p in w.start.children()], None),
    "Position.perft": (lambda w: w.start.perft(4), lambda w: Setup().start().perft(7)),
    "Positions": (lambda w: len(Positions(w.small, [str(w.start)] * 2)),
                  lambda w: len(Positions(w.small, [str(w.start)] * 1_000_000))),
    "Positions.legal_actions": (lambda w: w.many.legal_actions().total, lambda w: w.millions().legal_actions().total),
    "Positions.statuses": (lambda w: w.many.statuses(), lambda w: len(w.millions().statuses())),
    "Positions.children": (lambda w: len(w.many.children()), None),
    "Positions.unique": (lambda w: len(w.many.children().unique()), lambda w: len(w.millions().unique())),
    "Positions.texts": (lambda w: w.many.texts(), lambda w: len(w.millions().texts())),
    "Positions.to_bytes": (lambda w: w.many.to_bytes(), lambda w: len(w.millions().to_bytes())),
    "Positions.from_bytes": (lambda w: len(Positions.from_bytes(w.small, w.row * 3000)), lambda w: len(w.millions())),
    "Tablebase": (lambda w: (len(tables(w)), str(tables(w).probe(w.near))), None),
    "Table": (lambda w: [(tier.outcomes, tier.plies, tier.positions.texts()) for tier in Table(w.folder / "tables" / "whole").tiers()], None),
    "probe_many": (lambda w: podsgame.probe_many(tables(w), Positions(w.whole, [w.near] * 3000)).outcomes, None),
    "probe_array": (lambda w: podsgame.probe_array(tables(w), w.whole, Positions(w.whole, [w.near]).to_bytes() * 3000)[0].tobytes(), None),
    "build_table": (lambda w, **limits: built(w, w.whole, **limits), lambda w: built(w, w.long)),
    "solve": (lambda w, **limits: value(podsgame.solve(w.start, **limits)), lambda w: value(podsgame.solve(Setup().start(), library=False))),
    "solve by tables": (lambda w: value(podsgame.solve(w.near, tables=tables(w))), lambda w: value(podsgame.solve(w.long.start()))),
    "best": (lambda w, max_nodes=10_000, **limits: str(podsgame.best(w.start, max_nodes=max_nodes, **limits).judgement),
             lambda w: podsgame.best(Setup().start(), time=600, library=False).line),
    "report": (lambda w, **limits: [(str(row.white_first), row.outcome_class) for row in podsgame.report([w.small] * 2, **limits)],
               lambda w: podsgame.report(Setup(), library=False)),
    "prove": (lambda w, **limits: str(podsgame.prove(w.start, **limits).proof.value), lambda w: podsgame.prove(Setup().start())),
    "check_proof": (lambda w, **limits: str(podsgame.check_proof(w.folder / "win.proof", **limits).value),
                    lambda w: str(podsgame.check_proof(LARGE).value)),
    "OracleSet": (lambda w: [line["position"] for line in OracleSet(w.folder / "oracle")], None),
    "OracleSet.check": (lambda w: OracleSet(w.folder / "oracle").check()["format"], None),
    "clause": (lambda w: podsgame.clause("R18"), None),
    "options": (lambda w: podsgame.options(), None),
}

# What each call reads from, relative to the folder.
READ = {
    "Board": "board.toml", "PodSet": "pods.toml", "check_proof": "win.proof", "OracleSet": "oracle/positions.jsonl",
    "OracleSet.check": "oracle/manifest.json", "Tablebase": "tables/whole.pods-table", "Table": "tables/whole.pods-table",
    "probe_many": "tables/whole.pods-table", "probe_array": "tables/whole.pods-table", "solve by tables": "tables/whole.pods-table",
}


def outcome(call):
    """Returns what a call ends with, as a line."""
    try:
        return "answer " + repr(call())
    except (Exception, KeyboardInterrupt) as raised:
        return f"raised {type(raised).__name__} {str(raised)[:300]!r}"


def plain(w, name):
    return outcome(lambda: CALLS[name][0](w))


def at_once(w, name):
    """Makes the call from four threads."""
    said = []
    threads = [threading.Thread(target=lambda: said.append(plain(w, name))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return said[0] if len(set(said)) == 1 else f"raised {sorted(set(said))}"


def forked(w, name):
    """Makes the call in a process that was forked after such a call."""
    plain(w, name)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE)
        with os.fdopen(writing, "w") as answer:
            answer.write(plain(w, name))
            answer.flush()
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        said = answer.read()
    _, status = os.waitpid(child, 0)
    return said if status == 0 else f"raised the end of the process: {status}"


def interrupted(w, name):
    """Makes the long call; whoever reads this presses Ctrl-C."""
    return outcome(lambda: CALLS[name][1](w))


def damaged(w, name):
    """Makes the call with its file cut, changed, emptied and gone."""
    path, random_ = w.folder / READ[name], random.Random(name)
    good, said = path.read_bytes(), []
    try:
        for turn in range(12):
            bad = bytearray(good)
            at = random_.randrange(len(bad))
            if turn % 2 or turn == 0:
                bad[at] ^= 1 << random_.randrange(8)
            else:
                del bad[at:]
            path.write_bytes(bytes(bad) if turn else b"")
            said.append(plain(w, name))
        path.unlink()
        said.append(plain(w, name))
    finally:
        path.write_bytes(good)
    return "\t".join(said)


def starved(w, name):
    """Makes the call, and the long one, with less and less memory that the system gives."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    said = []
    for more in (400, 150, 90, 70, 40, 10, 1):
        resource.setrlimit(resource.RLIMIT_AS, (used + (more << 20), resource.RLIM_INFINITY))
        said.append(plain(w, name))
    return "\t".join(said)


def limited(w, name):
    """Makes the call with a limit of a byte of memory, then of one node."""
    said = [outcome(lambda: CALLS[name][0](w, memory=1))]
    if name not in ("check_proof", "build_table"):
        said.append(outcome(lambda: CALLS[name][0](w, max_nodes=1)))
    return "\t".join(said)


SITUATIONS = {
    "plain": plain, "at once": at_once, "forked": forked, "interrupted": interrupted, "damaged": damaged, "starved": starved,
    "limited": limited,
}


def names(situation):
    """Returns the calls that a situation is for."""
    if situation == "interrupted":
        return [name for name, (_, long) in CALLS.items() if long]
    if situation == "damaged":
        return list(READ)
    if situation == "limited":
        return ["build_table", "solve", "best", "report", "prove", "check_proof"]
    return list(CALLS)


def main(situation, folder, *only):
    # A shell starts what runs behind it with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    world = World(folder)
    for name in only or names(situation):
        print("begun", name, flush=True)
        print(SITUATIONS[situation](world, name), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
