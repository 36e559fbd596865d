"""Questions about positions and setups."""

from __future__ import annotations

import contextlib
import json
import os
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Tuple, Union

from . import _podsgame
from ._podsgame import Action, Position, Setup, Tablebase
from ._records import (
    BalanceRow,
    Best,
    Certificate,
    Guess,
    Interrupted,
    Proof,
    Rows,
    Solution,
    Unknown,
    Value,
    has_tqdm,
    value_from_text,
    value_of,
)

Progress = Callable[[str, int, Optional[int]], object]

MEMORY = 8 << 30


class Budget:
    """Limits of a question."""

    __slots__ = ("time", "max_nodes", "memory", "threads")

    def __init__(self, time: Optional[float] = None, max_nodes: Optional[int] = None, memory: Optional[int] = None,
                 threads: Optional[int] = None) -> None:
        self.time, self.max_nodes, self.memory, self.threads = time, max_nodes, memory, threads


@contextlib.contextmanager
def watched(progress: Union[bool, Progress, None]) -> Iterator[Optional[Progress]]:
    """Yields what is called with a phase, what is done of it and the whole; a tqdm bar for ``True``, if tqdm is there."""
    if progress is None or progress is False or progress is True and not has_tqdm():
        yield None
    elif callable(progress):
        yield progress
    else:
        import tqdm.auto

        with tqdm.auto.tqdm() as bar:

            def show(phase: str, done: int, total: Optional[int]) -> None:
                if bar.desc != phase + ": ":
                    bar.set_description(phase)
                    bar.reset(total)
                bar.total, bar.n = total, done
                bar.refresh()

            yield show


def actions(texts: Optional[Iterable[str]]) -> Tuple[Action, ...]:
    """Returns the actions of texts."""
    return tuple(map(Action, texts or ()))


def solution(position: Position, row: Dict[str, Any]) -> Solution:
    """Returns the record of a row as ``pods solve --format json`` writes it."""
    value: Union[Value, Unknown]
    if row["value"] == "unknown":
        value = Unknown(row["stopped"], value_from_text(row.get("at_least")), value_from_text(row.get("at_most")))
    else:
        value = value_of(row["value"], row["plies"])
    wins_by = row.get("wins_by")
    return Solution(
        position=position,
        status=row["status"],
        value=value,
        best=actions(row["best"]),
        line=actions(row.get("line")),
        wins_by=None if wins_by is None else Action(wins_by),
        losing=actions(row.get("losing")),
        method=row["method"],
        positions=row["positions"],
        positions_verified=row["positions_verified"],
        known=row["known"],
        stopped=row.get("stopped"),
        certificate=row.get("certificate"),
        row=row,
    )


def solve(position: Position, *, method: Optional[str] = None, winner: bool = False, verify: bool = True,
          tables: Optional[Tablebase] = None, library: bool = True, time: Optional[float] = None, max_nodes: Optional[int] = None,
          memory: int = MEMORY, threads: Optional[int] = None,
          progress: Union[bool, Progress, None] = None) -> Solution:
    """Solves a position exactly, as far as the limits go.

    Parameters
    ----------
    position : Position
    method : str, optional
        ``exhaustive``, ``retrograde``, ``sweeps``, ``mirror``, ``search``, ``table``, ``forced`` or ``library``; by default what
        fits.
    winner : bool
        Look for the winner only, and no distance.
    verify : bool
        Derive the value again with the reference engine.
    tables : Tablebase, optional
        Look positions up there.
    library : bool
        Ask the built-in list of positions of which checked certificates say who wins, before any method that fits.
    time : float, optional
        Seconds.
    max_nodes : int, optional
        Nodes of a search, or positions of a table, by all threads together.
    memory : int
        Bytes.
    threads : int, optional
        Threads of a search; by default as many as there are cores.
    progress : bool or callable
        Called with the name of a phase, what is done and what there is to do (or None), some times a second; ``True`` for a tqdm
        bar.

    Returns
    -------
    Solution
        Its value is `Unknown` where a limit was reached first.

    Raises
    ------
    Interrupted
        At Ctrl-C, with what was known; it is a KeyboardInterrupt.
    InputError
        If that method does not fit the rules.
    Discrepancy
        If two derivations of the value differ.
    """
    budget = Budget(time, max_nodes, memory, threads)
    with watched(progress) as show:
        text, interrupted = _podsgame.solve(position, (method, winner, verify, library), tables, budget, show)
    found = solution(position, json.loads(text))
    if interrupted:
        raise Interrupted(found)
    return found


def best(position: Position, *, time: Optional[float] = None, max_nodes: Optional[int] = None,
         tables: Optional[Tablebase] = None, library: bool = True, memory: int = 512 << 20, threads: Optional[int] = None,
         progress: Union[bool, Progress, None] = None) -> Best:
    """Names an action to play, with what is proven of the position or a guess.

    Parameters
    ----------
    position : Position
    time : float, optional
        Seconds; 5 if neither this nor `max_nodes` is given.
    max_nodes : int, optional
        Positions to look at. Without a time and with one thread the answer is the same in every run.
    tables, library, memory, threads, progress
        As for `solve`.

    Returns
    -------
    Best

    Raises
    ------
    Interrupted
        At Ctrl-C, with the answer by then.
    """
    budget = Budget(5.0 if time is None and max_nodes is None else time, max_nodes, memory, threads)
    with watched(progress) as show:
        text, interrupted = _podsgame.best(position, library, tables, budget, show)
    row = json.loads(text)
    guessed = row["guess_score"] is not None
    judgement: Union[Value, Guess] = Guess(row["guess_score"], row["guess_depth"]) if guessed else value_of(row["value"], row["plies"])
    action = row["action"]
    found = Best(
        position=position,
        action=None if action is None else Action(action),
        judgement=judgement,
        line=actions(row["line"]),
        losing=actions(row["losing"]),
        method=row["method"],
        positions=row["positions"],
        certificate=row["certificate"],
        row=row,
    )
    if interrupted:
        raise Interrupted(found)
    return found


def report(setups: Union[Setup, Iterable[Setup]], *, winners: bool = False, tables: Optional[Tablebase] = None,
           library: bool = True, time: Optional[float] = None, max_nodes: Optional[int] = None, memory: int = MEMORY,
           progress: Union[bool, Progress, None] = None) -> Rows:
    """Reports first-player advantage: the value with White and with Black to start, solved and verified.

    Parameters
    ----------
    setups : Setup or iterable of Setup
        For instance one for each orientation of a board.
    winners : bool
        Find the winners only.
    tables, library, time, max_nodes, memory, progress
        As for `solve`; the limits of time and nodes hold for each start.

    Returns
    -------
    Rows
        A list of `BalanceRow`, with a method ``dataframe()``.

    Raises
    ------
    Interrupted
        At Ctrl-C, with the rows of the setups that were done.
    """
    rows = Rows()
    with watched(progress) as show:
        for setup in [setups] if isinstance(setups, Setup) else setups:
            budget = Budget(time, max_nodes, memory)
            text, interrupted = _podsgame.report(setup, (winners, library), tables, budget, show)
            if interrupted:
                raise Interrupted(rows)
            known = json.loads(text)
            row = {name: known[name] for name in _podsgame.REPORT_COLUMNS}

            def start(side: str, row: Dict[str, Any] = row) -> Union[Value, Unknown]:
                outcome = row[side + "_first"]
                return Unknown(row["stopped"] or "") if outcome is None else value_of(outcome, row[side + "_first_plies"])

            rows.append(BalanceRow(setup, start("white"), start("black"), row["outcome_class"], row))
    return rows


def prove(position: Position, *, exact: bool = False, tables: Optional[Tablebase] = None, time: Optional[float] = None,
          max_nodes: Optional[int] = None, memory: int = MEMORY, threads: Optional[int] = None,
          progress: Union[bool, Progress, None] = None) -> Certificate:
    """Makes a certificate, which proves the value of a position without a solver, and checks it.

    Parameters
    ----------
    position : Position
    exact : bool
        Prove the distance too.
    tables, time, max_nodes, memory, threads, progress
        As for `solve`.

    Returns
    -------
    Certificate

    Raises
    ------
    LimitReached
        If a limit is reached first.
    Interrupted
        At Ctrl-C.
    """
    budget = Budget(time, max_nodes, memory, threads)
    with watched(progress) as show:
        data, text = _podsgame.prove(position, exact, tables, budget, show)
    return Certificate(data, Proof.of(json.loads(text)))


def check_proof(certificate: Union[Certificate, bytes, str, "os.PathLike[str]"], *, memory: int = MEMORY,
                progress: Union[bool, Progress, None] = None) -> Proof:
    """Checks a certificate with the reference engine, without a solver.

    Parameters
    ----------
    certificate : Certificate, bytes or path
        Plain, or packed by xz or zstd.
    memory : int
        Bytes for its positions.
    progress : bool or callable
        As for `solve`.

    Returns
    -------
    Proof

    Raises
    ------
    Discrepancy
        If the file is damaged or does not prove its claim.
    InputError
        If it is no certificate, or cannot be read.
    LimitReached
        If it takes more memory.
    Interrupted
        At Ctrl-C.
    """
    given: Union[bytes, str]
    if isinstance(certificate, Certificate):
        given = certificate.data
    else:
        given = certificate if isinstance(certificate, bytes) else os.fspath(certificate)
    with watched(progress) as show:
        return Proof.of(json.loads(_podsgame.check_proof(given, memory, show)))
