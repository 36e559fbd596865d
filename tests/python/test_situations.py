"""Every public call in every situation: it ends in time, with the right answer or a clear exception."""

import contextlib
import queue
import re
import signal
import subprocess
import sys
import threading
import time

import calls
import podsgame
import pytest

# Exceptions that say what is wrong with a file.
OF_FILES = {"InputError", "Discrepancy", "NotInTable"}
# Those that say that something is used up.
OF_LIMITS = {"MemoryError", "LimitReached", "InputError", "OSError", "BlockingIOError"}


@contextlib.contextmanager
def running(situation, folder, *names):
    """Yields what a process with these calls prints, line by line; `None` for its end."""
    command = [sys.executable, calls.__file__, situation, str(folder), *names]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = queue.Queue()

    def read():
        for line in child.stdout:
            lines.put(line.rstrip("\n"))
        lines.put(None)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield child, lines
    finally:
        child.kill()
        reader.join()
        child.wait()


def outcomes(situation, folder, press_after=None):
    """Returns what each call ends with in a situation, by name, and the seconds from Ctrl-C to there."""
    found = {}
    with running(situation, folder) as (child, lines):
        for name in calls.names(situation):
            others = []
            while (line := lines.get(timeout=calls.PATIENCE)) != f"begun {name}":
                assert line is not None, f"the process ended before {name}: {others}"
                others.append(line)
            if press_after is not None:
                time.sleep(press_after)
                child.send_signal(signal.SIGINT)
            since, others = time.monotonic(), []
            try:
                while not (line := lines.get(timeout=calls.PATIENCE) or "").startswith(("answer ", "raised ")):
                    others.append(line)
                    assert line, f"{name}: the process ended with status {child.wait()}: {others}"
            except queue.Empty:
                pytest.fail(f"{name}: no end within {calls.PATIENCE} s")
            found[name] = (line, time.monotonic() - since)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("situations")
    (folder / "tables").mkdir()
    calls.World(folder).make()
    return folder


@pytest.fixture(scope="module")
def right(folder):
    found = {name: line for name, (line, _) in outcomes("plain", folder).items()}
    assert {name: line for name, line in found.items() if not line.startswith("answer ")} == {}
    return found


def kinds(line, right):
    """Returns the exceptions of a line with several outcomes; those that are no right answer are kept whole."""
    ends = line.split("\t")
    return {end.split()[1] if end.startswith("raised ") else end for end in ends if end != right}


def test_every_public_call_is_among_them():
    values = {"BalanceRow", "Best", "Certificate", "Discrepancy", "Draw", "Explanation", "Guess", "IllegalAction", "InputError",
              "Interrupted", "LimitReached", "Loss", "NotInTable", "Outcome", "PodsError", "Probed", "Proof", "Solution",
              "Transition", "Unknown", "Value", "Win", "ActionLists"}
    constants = {"BOARDS", "PODS", "PRESETS", "TABLE_COLUMNS", "UNKNOWN", "__version__"}
    assert {name.split(".")[0].split(" ")[0] for name in calls.CALLS} == set(podsgame.__all__) - values - constants


@pytest.mark.parametrize("situation", ["at once", "forked"])
def test_threads_and_forks_change_no_answer(folder, right, situation):
    assert {name: line for name, (line, _) in outcomes(situation, folder).items()} == right


def test_ctrl_c_ends_a_call_within_two_seconds(folder):
    for name, (line, seconds) in outcomes("interrupted", folder, press_after=0.3).items():
        assert line.startswith(("raised Interrupted", "raised KeyboardInterrupt", "answer")), (name, line)
        assert seconds < 2, (name, seconds)


def test_a_damaged_file_gives_the_right_answer_or_none(folder, right):
    for name, (line, _) in outcomes("damaged", folder).items():
        other = kinds(line, right[name])
        # A board with another name is a board, and a folder without a table knows no value.
        other = {kind for kind in other if not (name.startswith("probe") and kind.replace("\\x80", "") == "answer b''")}
        other = {kind for kind in other if not (name in ("Board", "PodSet") and kind.startswith("answer "))}
        assert other <= OF_FILES, (name, other)


def test_memory_that_ends_ends_no_process(folder, right):
    for name, (line, _) in outcomes("starved", folder).items():
        other = {kind for kind in kinds(line, right[name]) if "unknown: " not in kind}
        assert other <= OF_LIMITS, (name, other)


def test_limits_that_nothing_fits_into(folder, right):
    for name, (line, _) in outcomes("limited", folder).items():
        # The winner alone is a part of the right answer.
        winner = re.sub(r" in \d+", "", right[name])
        other = {kind for kind in kinds(line, right[name]) - {winner} if "unknown: " not in kind and "Guess" not in kind}
        assert other <= OF_LIMITS, (name, other)


LETTERS, DIGITS, WORDS = "b" * 50_000, "b" + "9" * 50_000, "be " * 20_000


@pytest.mark.parametrize("long", [LETTERS, DIGITS, WORDS], ids=["letters", "digits", "words"])
def test_nothing_of_the_caller_is_echoed_beyond_200_characters(tmp_path, long):
    setup = podsgame.Setup("nook9", "four", hands="bdt")
    start, path = setup.start(), str(tmp_path / long)
    echoing = {
        "Board": lambda: podsgame.Board(long),
        "Board file": lambda: podsgame.Board(path),
        "PodSet": lambda: podsgame.PodSet(long),
        "PodSet.legs": lambda: podsgame.PodSet("four").legs(long),
        "Setup board": lambda: podsgame.Setup(long),
        "Setup pods": lambda: podsgame.Setup("nook9", long),
        "Setup rules": lambda: podsgame.Setup("nook9", "four", long),
        "Setup option": lambda: podsgame.Setup("nook9", "four", f"standard+captures={long}"),
        "Setup hands": lambda: podsgame.Setup("nook9", "four", hands=long),
        "Setup.start": lambda: setup.start(long),
        "Setup.position": lambda: setup.position(long),
        "Setup.position, rows": lambda: setup.position(f"{long}/3/3 w bdt bdt open"),
        "Setup.position, hand": lambda: setup.position(f"3/3/3 w {long} bdt open"),
        "Setup.action_number": lambda: setup.action_number(long),
        "Action": lambda: podsgame.Action(long),
        "Position.pod_at": lambda: start.pod_at(long),
        "Position.play": lambda: start.play(long),
        "Position.explain": lambda: start.explain(long),
        "Position.legal_actions": lambda: start.legal_actions(long),
        "Position.hand": lambda: start.hand(long),
        "Position.svg": lambda: start.svg(long),
        "Positions": lambda: podsgame.Positions(setup, [long]),
        "Tablebase": lambda: podsgame.Tablebase(path),
        "Table": lambda: podsgame.Table(path),
        "build_table": lambda: podsgame.build_table(setup, path),
        "solve": lambda: podsgame.solve(start, method=long),
        "prove": lambda: podsgame.prove(start, method=long),
        "check_proof": lambda: podsgame.check_proof(path),
        "check_proof, bytes": lambda: podsgame.check_proof(long.encode()),
        "OracleSet": lambda: podsgame.OracleSet(path),
        "clause": lambda: podsgame.clause(long),
    }
    for name, call in echoing.items():
        try:
            answer = call()
        except Exception as raised:
            said = str(raised)
            assert isinstance(raised, (podsgame.PodsError, OSError, ValueError, KeyError, TypeError)), (name, type(raised))
            assert all(text[1:202] not in said for text in (LETTERS, DIGITS, WORDS)) and len(said) < 4_000, (name, said[:300])
        else:
            assert name in ("Setup.action_number", "Position.pod_at"), (name, answer)
