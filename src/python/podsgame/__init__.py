"""Rules verification and exact solving for the board game PODS.

Boards, pods, rules and hands make a `Setup`; a setup has `Position` objects, which have `Action` objects. All of them are
immutable, hashable and can be pickled. `solve`, `best`, `report` and `prove` ask about positions and setups; `Tablebase` looks
values up. Values are `Win`, `Draw` and `Loss`, with plies; what is not known is `Unknown`, which equals none of them.

Boards and pods that are built in are a reconstruction or made for tests; no result is about the printed board.

Examples
--------
>>> import podsgame
>>> setup = podsgame.Setup("nook9", "four", hands="bdt")
>>> start = setup.start()
>>> len(start.legal_actions())
13
>>> podsgame.solve(start).value
Win(plies=5)
"""

from ._podsgame import (
    BOARDS,
    PODS,
    PRESETS,
    TABLE_COLUMNS,
    Action,
    ActionLists,
    Board,
    PodSet,
    Position,
    Positions,
    Setup,
    Tablebase,
    __version__,
    clause,
    options,
)
from ._ask import best, check_proof, prove, report, solve
from ._oracle import OracleSet
from ._records import (
    BalanceRow,
    Best,
    Certificate,
    Discrepancy,
    Draw,
    Explanation,
    Guess,
    IllegalAction,
    InputError,
    Interrupted,
    LimitReached,
    Loss,
    NotInTable,
    Outcome,
    PodsError,
    Proof,
    Solution,
    Transition,
    Unknown,
    Value,
    Win,
)
from ._table import UNKNOWN, Probed, Table, build_table, probe_array, probe_many

__all__ = [
    "Action", "ActionLists", "BOARDS", "BalanceRow", "Best", "Board", "Certificate", "Discrepancy", "Draw", "Explanation", "Guess",
    "IllegalAction", "InputError", "Interrupted", "LimitReached", "Loss", "NotInTable", "OracleSet", "Outcome", "PODS",
    "PRESETS", "PodSet", "PodsError", "Position", "Positions", "Probed", "Proof", "Setup", "Solution", "TABLE_COLUMNS", "Table", "Tablebase",
    "Transition", "UNKNOWN", "Unknown", "Value", "Win", "__version__", "best", "build_table", "check_proof", "clause", "options",
    "probe_array", "probe_many", "prove", "report", "solve",
]
