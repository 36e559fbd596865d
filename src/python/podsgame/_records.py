"""Values, answers and errors."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Tuple, Union

if TYPE_CHECKING:
    from ._podsgame import Action, Position, Setup


class PodsError(Exception):
    """Base class of the errors of this package."""


class InputError(PodsError, ValueError):
    """Wrong input: no board, position, action or other thing of the kind that is needed. The message names place and cause."""


class IllegalAction(PodsError, ValueError):
    """An action that the rules forbid.

    Attributes
    ----------
    action : Action
    clause : str
        The clause of the rules that forbids it, such as ``"R12"``; see `podsgame.clause`.
    reason : str
        A sentence that names what is to blame.
    """

    def __init__(self, action: Action, clause: str, reason: str) -> None:
        super().__init__(action, clause, reason)
        self.action, self.clause, self.reason = action, clause, reason

    def __str__(self) -> str:
        return self.reason


class NotInTable(PodsError, KeyError):
    """A position that no table of the folder holds."""

    def __str__(self) -> str:
        return f"no table holds the position {self.args[0]}"


class LimitReached(PodsError):
    """A limit was reached before there was an answer. It says nothing about the value."""


class Discrepancy(PodsError):
    """A verification failed: a value does not follow from the rules, a table is damaged, a certificate proves nothing."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a question.

    Attributes
    ----------
    known : Solution or Best or list of BalanceRow or None
        What was known by then; ``None`` for work that tells nothing before its end.
    """

    def __init__(self, known: Any) -> None:
        super().__init__("interrupted" if known is None else f"interrupted; known by then: {known}")
        self.known = known


class _Ordered:
    """Values sort by preference of the side to move: a late loss before an early one, an early win before a late one."""

    __slots__ = ()

    def _key(self) -> Tuple[int, int]:
        raise NotImplementedError

    def __lt__(self, other: Any) -> bool:
        if not isinstance(other, _Ordered):
            return NotImplemented
        return self._key() < other._key()

    def __le__(self, other: Any) -> bool:
        if not isinstance(other, _Ordered):
            return NotImplemented
        return self._key() <= other._key()

    def __gt__(self, other: Any) -> bool:
        if not isinstance(other, _Ordered):
            return NotImplemented
        return self._key() > other._key()

    def __ge__(self, other: Any) -> bool:
        if not isinstance(other, _Ordered):
            return NotImplemented
        return self._key() >= other._key()


@dataclasses.dataclass(frozen=True)
class Win(_Ordered):
    """The side to move wins, in `plies` single actions; `None` where the distance is not known."""

    plies: Optional[int] = None

    def _key(self) -> Tuple[int, int]:
        if self.plies is None:
            raise TypeError("a win without a distance has no place among values")
        return (1, -self.plies)

    def __str__(self) -> str:
        return "win" if self.plies is None else f"win in {self.plies}"


@dataclasses.dataclass(frozen=True)
class Draw(_Ordered):
    """Neither side can force a win: play is endless."""

    def _key(self) -> Tuple[int, int]:
        return (0, 0)

    def __str__(self) -> str:
        return "draw"


@dataclasses.dataclass(frozen=True)
class Loss(_Ordered):
    """The opponent wins, in `plies` single actions; `None` where the distance is not known."""

    plies: Optional[int] = None

    def _key(self) -> Tuple[int, int]:
        if self.plies is None:
            raise TypeError("a loss without a distance has no place among values")
        return (-1, self.plies)

    def __str__(self) -> str:
        return "loss" if self.plies is None else f"loss in {self.plies}"


Value = Union[Win, Draw, Loss]


@dataclasses.dataclass(frozen=True)
class Unknown:
    """A value that is not known. It is no draw, and has no place among values.

    Attributes
    ----------
    stopped : str
        The limit that was reached.
    at_least, at_most : Win, Draw, Loss or None
        Bounds, where they are known.
    """

    stopped: str = ""
    at_least: Optional[Value] = None
    at_most: Optional[Value] = None

    def __bool__(self) -> bool:
        raise TypeError("an unknown value is neither true nor false")

    def __str__(self) -> str:
        return f"unknown: {self.stopped}"


def value_of(outcome: str, plies: Optional[int]) -> Value:
    """Returns the value with this name: ``win``, ``draw`` or ``loss``."""
    if outcome == "draw":
        return Draw()
    if outcome == "win":
        return Win(plies)
    if outcome == "loss":
        return Loss(plies)
    raise ValueError(outcome)


def value_from_text(text: Optional[str]) -> Optional[Value]:
    """Returns the value of a text such as ``win in 5``."""
    if text is None:
        return None
    found = re.fullmatch(r"(win|loss|draw)(?: in (\d+))?", text)
    if found is None:
        raise ValueError(text)
    return value_of(found[1], None if found[2] is None else int(found[2]))


@dataclasses.dataclass(frozen=True)
class Guess:
    """An opinion about a position whose value is not known. It is no value.

    Attributes
    ----------
    score : int
        Above 0 if the side to move is thought to be better off.
    depth : int
        Plies that the search looked ahead.
    """

    score: int
    depth: int


@dataclasses.dataclass(frozen=True)
class Outcome:
    """End of a game: the winner, ``"white"`` or ``"black"``, and why, with the clause."""

    winner: str
    reason: str


@dataclasses.dataclass(frozen=True)
class Explanation:
    """Verdict on an action: whether it is legal, the clause that forbids it, and a sentence with the reason or the captures."""

    action: Action
    legal: bool
    clause: Optional[str]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True)
class Transition:
    """Result of an action: the next position, the mover's captured pods (back in hand) and the opponent's (out)."""

    position: Position
    returned: str
    removed: str


@dataclasses.dataclass(frozen=True)
class Solution:
    """Knowledge about a position.

    Attributes
    ----------
    position : Position
    status : str
        ``ongoing``, ``white_won`` or ``black_won``.
    value : Win, Draw, Loss or Unknown
        For the side to move.
    best : tuple of Action
        All actions that keep value and distance; empty in a finished game, and where they are not known.
    line : tuple of Action
        Best play to the end.
    wins_by : Action or None
        An action that wins, where the best are not known.
    losing : tuple of Action
        Actions that are known to lose, where the value is unknown.
    method : str
    positions : int
        Positions that the method went through; nodes, for a search.
    positions_verified : int or None
        Positions that were derived again with the reference engine.
    known : str
        ``value``, ``winner``, ``bounds`` or ``unknown``.
    stopped : str or None
        The limit that was reached, if one was.
    certificate : str or None
        The certificate from which the library knows the winner, where the method is ``library``.
    """

    position: Position
    status: str
    value: Union[Value, Unknown]
    best: Tuple[Action, ...]
    line: Tuple[Action, ...]
    wins_by: Optional[Action]
    losing: Tuple[Action, ...]
    method: str
    positions: int
    positions_verified: Optional[int]
    known: str
    stopped: Optional[str]
    certificate: Optional[str]
    row: Dict[str, Any] = dataclasses.field(repr=False, compare=False)

    def dataframe(self) -> Any:
        """Returns the row that ``pods solve`` writes, as a pandas.DataFrame."""
        return dataframe([self.row])

    def __str__(self) -> str:
        return f"{self.value}, by {self.method}"


@dataclasses.dataclass(frozen=True)
class Best:
    """An action to play.

    Attributes
    ----------
    position : Position
    action : Action or None
        ``None`` in a finished game.
    judgement : Win, Draw, Loss or Guess
        What is proven of the position for the side to move, or an opinion.
    line : tuple of Action
        Expected play.
    losing : tuple of Action
        Other actions that are proven to lose.
    method : str or None
        What proved it.
    positions : int
        Nodes of the search.
    certificate : str or None
        The certificate from which the library knows the winner, where the method is ``library``.
    """

    position: Position
    action: Optional[Action]
    judgement: Union[Value, Guess]
    line: Tuple[Action, ...]
    losing: Tuple[Action, ...]
    method: Optional[str]
    positions: int
    certificate: Optional[str]
    row: Dict[str, Any] = dataclasses.field(repr=False, compare=False)

    def dataframe(self) -> Any:
        """Returns the row that ``pods best`` writes, as a pandas.DataFrame."""
        return dataframe([self.row])


@dataclasses.dataclass(frozen=True)
class BalanceRow:
    """A row of the balance report, with White and with Black to start.

    Attributes
    ----------
    setup : Setup
    white_first, black_first : Win, Draw, Loss or Unknown
        For the player who starts.
    outcome_class : str or None
        ``first``, ``second``, ``white``, ``black``, ``drawn``, ``drawn-if-white-starts`` or ``drawn-if-black-starts``.
    row : dict
        All columns that ``pods report --format csv`` writes; what is not known is ``None``.
    """

    setup: Setup
    white_first: Union[Value, Unknown]
    black_first: Union[Value, Unknown]
    outcome_class: Optional[str]
    row: Dict[str, Any] = dataclasses.field(repr=False, compare=False)


class Rows(List[BalanceRow]):
    """Rows of the balance report."""

    def dataframe(self) -> Any:
        """Returns the rows as a pandas.DataFrame with the columns of ``pods report``."""
        return dataframe(row.row for row in self)


@dataclasses.dataclass(frozen=True)
class Proof:
    """Claim that a certificate proves.

    Attributes
    ----------
    position : str
        The position's text.
    value : Win, Draw or Loss
        For the side to move; without plies where no distance is claimed.
    board, pods, rules : str
        Names. A certificate is about what it contains, whatever it is called.
    orientation : int
        Degrees.
    board_is_built_in, pods_are_built_in : bool
        Whether they are the built-in ones of that name.
    lines, sections, answers : int
        Lines of the file, its sections (0 for strategies), and actions that were followed.
    compared, compared_covers : int or None
        Situations of a sample that were compared with the reference engine, and those of them with covers; None where all of the
        certificate was checked by that engine, or on the board.
    trailer_sha256, file_sha256 : str
        Digests of every byte before the trailer, and of the whole file, unpacked.
    """

    position: str
    value: Value
    board: str
    orientation: int
    board_is_built_in: bool
    pods: str
    pods_are_built_in: bool
    rules: str
    lines: int
    sections: int
    answers: int
    compared: Optional[int]
    compared_covers: Optional[int]
    trailer_sha256: str
    file_sha256: str

    @classmethod
    def of(cls, row: Dict[str, Any]) -> Proof:
        """Returns the proof of a row as ``pods check-proof --format json`` writes it."""
        rest = dict(row)
        return cls(value=value_of(rest.pop("value"), rest.pop("plies")), **rest)


@dataclasses.dataclass(frozen=True)
class Certificate:
    """A certificate that has passed the check: the bytes of the file, and what it proves."""

    data: bytes = dataclasses.field(repr=False)
    proof: Proof

    def write(self, path: Any) -> None:
        """Writes the file, which must not be there yet.

        Raises
        ------
        FileExistsError
        """
        with open(path, "xb") as file:
            file.write(self.data)


def dataframe(rows: Iterable[Dict[str, Any]]) -> Any:
    """Returns rows as a pandas.DataFrame; numbers that may be missing are nullable integers."""
    import pandas

    frame = pandas.DataFrame(list(rows))
    return frame.convert_dtypes()


def has_tqdm() -> bool:
    """Says whether tqdm is there."""
    try:
        import tqdm  # noqa: F401
    except ImportError:
        return False
    return True
