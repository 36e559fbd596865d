from typing import Any, Dict, Iterable, Iterator, List, Literal, Optional, Tuple, Union, final

from ._ask import Budget, Progress
from ._records import Explanation, Outcome, Transition, Value

_Side = Literal["white", "black"]

__version__: str
BOARDS: List[str]
PODS: List[str]
PRESETS: List[str]
REPORT_COLUMNS: List[str]
TABLE_COLUMNS: List[Tuple[str, str, str]]

def options() -> List[Tuple[str, List[str]]]:
    """Returns the options of rule sets, each with its values."""

def clause(name: str) -> Tuple[str, str]:
    """Returns the heading and the text of a clause of the rules, such as ``"R18"``.

    Raises
    ------
    InputError
        If there is no such clause.
    """

@final
class Board:
    """A board as it lies on the table.

    Parameters
    ----------
    source : str
        The name of a built-in board (`BOARDS`), the name of a board file, or the text of one.
    orientation : int
        By how many degrees it is turned clockwise: 0, 90, 180 or 270.

    Raises
    ------
    InputError
        With line, column and cause.
    """

    def __new__(cls, source: str, orientation: int = 0) -> Board: ...
    @property
    def name(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def orientation(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def points(self) -> List[str]: ...
    @property
    def lines(self) -> List[Tuple[str, str]]: ...
    def turned(self, degrees: int) -> Board: ...
    def picture(self) -> str: ...
    def to_toml(self) -> str: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def _repr_svg_(self) -> str: ...

@final
class PodSet:
    """A set of pods.

    Parameters
    ----------
    source : str
        The name of a built-in set (`PODS`), the name of a pod file, or the text of one.

    Raises
    ------
    InputError
    """

    def __new__(cls, source: str) -> PodSet: ...
    @property
    def name(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def ids(self) -> List[str]: ...
    def legs(self, id: str) -> List[str]: ...
    def count(self, id: str) -> int: ...
    def to_toml(self) -> str: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def _repr_svg_(self) -> str: ...

@final
class Action:
    """An action as it is written: ``b@c3`` places, ``c3-c5`` moves, ``c3>c5`` shoves, ``c3>c4+2`` kicks.

    It need not be legal, or possible in some setup. Actions sort by their notation, and are equal to it: ``"b@c3" in
    position.legal_actions()``.

    Raises
    ------
    InputError
        If the text is no action.
    """

    def __new__(cls, text: str) -> Action: ...
    @property
    def kind(self) -> Literal["place", "move", "shove", "kick"]: ...
    @property
    def pod(self) -> Optional[str]: ...
    @property
    def origin(self) -> Optional[str]: ...
    @property
    def target(self) -> str: ...
    @property
    def distance(self) -> Optional[int]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __lt__(self, value: Action, /) -> bool: ...
    def __le__(self, value: Action, /) -> bool: ...
    def __gt__(self, value: Action, /) -> bool: ...
    def __ge__(self, value: Action, /) -> bool: ...

@final
class Setup:
    """A setup: a board as it lies, pods, rules, and the hands at the start.

    Parameters
    ----------
    board : Board or str, default ``"cave36"``
    pods : PodSet or str, default ``"pods14"``
    rules : str
        A preset (`PRESETS`), perhaps with options, such as ``"advanced+captures=after-moves"``.
    orientation : int
        By how many degrees the board is turned further.
    hands : str, optional
        One hand for both, such as ``"bd2t"`` or ``"-"`` for none, or White's and Black's, such as ``"bd2t:bd"``; the whole set
        by default.

    Raises
    ------
    InputError
    """

    def __new__(
        cls,
        board: Union[Board, str, None] = None,
        pods: Union[PodSet, str, None] = None,
        rules: str = "standard",
        *,
        orientation: int = 0,
        hands: Optional[str] = None,
    ) -> Setup: ...
    @property
    def board(self) -> Board: ...
    @property
    def pods(self) -> PodSet: ...
    @property
    def rules(self) -> str: ...
    @property
    def can_cycle(self) -> bool: ...
    @property
    def white_hand(self) -> str: ...
    @property
    def black_hand(self) -> str: ...
    def start(self, first: _Side = "white") -> Position: ...
    def position(self, text: str) -> Position:
        """Returns the position of a text, or the start for ``start``.

        Raises
        ------
        InputError
            With every reason why it is no position of this setup.
        """

    def action_space(self) -> List[Action]:
        """Returns the actions that a position can have, by their numbers, in the order of their notation."""

    @property
    def action_count(self) -> int: ...
    def action(self, number: int) -> Action: ...
    def action_number(self, action: Union[Action, str]) -> Optional[int]: ...
    def _record(self) -> str: ...
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def _repr_svg_(self) -> str: ...

@final
class Position:
    """A position of a setup; ``str(position)`` is its text.

    Raises
    ------
    InputError
        If the text is no position of the setup.
    """

    def __new__(cls, setup: Setup, text: str) -> Position: ...
    @property
    def setup(self) -> Setup: ...
    @property
    def turn(self) -> _Side: ...
    @property
    def is_open(self) -> bool: ...
    @property
    def status(self) -> Literal["ongoing", "white_won", "black_won"]: ...
    @property
    def pods(self) -> Dict[str, Tuple[_Side, str]]: ...
    def pod_at(self, point: str) -> Optional[Tuple[_Side, str]]: ...
    def hand(self, side: _Side) -> str: ...
    def outcome(self) -> Optional[Outcome]: ...
    def legal_actions(self, engine: Literal["fast", "reference"] = "fast") -> List[Action]:
        """Returns the legal actions, sorted by their notation; none in a finished game."""

    def legal_numbers(self) -> List[int]:
        """Returns the numbers of the legal actions in `Setup.action_space`, rising."""

    def play_number(self, number: int) -> Position: ...
    def hand_counts(self) -> bytes:
        """Returns the number of each kind in White's hand, then in Black's, a byte each."""

    def is_legal(self, action: Union[Action, str]) -> bool: ...
    def play(self, action: Union[Action, str]) -> Position:
        """Returns the position after an action.

        Raises
        ------
        IllegalAction
            With the clause that forbids it and the reason.
        """

    def transition(self, action: Union[Action, str]) -> Transition: ...
    def explain(self, action: Union[Action, str]) -> Explanation: ...
    def explain_all(self) -> List[Explanation]: ...
    def perft(self, depth: int) -> int:
        """Counts the action sequences of exactly this length.

        Raises
        ------
        LimitReached
            If there are 2⁶⁴ or more.
        """

    def children(self) -> Positions: ...
    def svg(self, show: Optional[Literal["attacks", "liberties"]] = None) -> str: ...
    def picture(self) -> str: ...
    def key(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def _repr_svg_(self) -> str: ...

@final
class Positions:
    """Positions of one setup, for work on many of them at once, by as many threads as there are processors.

    Parameters
    ----------
    setup : Setup
    positions : iterable of Position or str
    """

    def __new__(cls, setup: Setup, positions: Iterable[Union[Position, str]]) -> Positions: ...
    @property
    def setup(self) -> Setup: ...
    @property
    def width(self) -> int: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: int, /) -> Position: ...
    def __iter__(self) -> Iterator[Position]: ...
    def texts(self) -> List[str]: ...
    def legal_actions(self) -> ActionLists: ...
    def statuses(self) -> bytes:
        """Returns a byte for each position: 0 ongoing, 1 White has won, 2 Black has won."""

    def children(self) -> Positions: ...
    def unique(self) -> Positions: ...
    def to_bytes(self) -> bytes:
        """Returns ``width`` bytes for each position.

        For each point 0, or 1 + 2 * kind + side (White 0, Black 1); the number of each kind in White's hand, then in Black's; then
        1 if Black is to move, plus 2 while the opening clause binds. As an array:
        ``numpy.frombuffer(positions.to_bytes(), "uint8").reshape(-1, positions.width)``.
        """

    @classmethod
    def from_bytes(cls, setup: Setup, data: bytes) -> Positions:
        """Returns the positions of what `to_bytes` gives, each checked.

        Raises
        ------
        InputError
            With the number of the first that is no position.
        """

    def __eq__(self, value: object, /) -> bool: ...

@final
class ActionLists:
    """The legal actions of many positions, by their numbers in the action space of the setup."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: int, /) -> List[Action]: ...
    def __iter__(self) -> Iterator[List[Action]]: ...
    @property
    def total(self) -> int: ...
    def numbers(self) -> Any:
        """Returns the numbers of all actions, as a numpy array (uint16) of the shape ``(total,)``."""

    def offsets(self) -> Any:
        """Returns where the actions of each position begin, and where the last end: uint64, ``(len(self) + 1,)``."""

@final
class Tablebase:
    """The tables of a folder, made by `build_table` or ``pods table build``.

    Raises
    ------
    InputError
        If the folder cannot be read.
    Discrepancy
        If a table is damaged.
    """

    def __new__(cls, folder: Any) -> Tablebase: ...
    def __len__(self) -> int: ...
    def probe(self, position: Position) -> Value:
        """Returns the value of a position.

        Raises
        ------
        NotInTable
            If no table holds it.
        Discrepancy
            If a table is damaged.
        """

    def get(self, position: Position) -> Optional[Value]: ...
    def _probe_many(self, positions: Positions) -> Tuple[bytes, bytes]: ...
    def _probe_rows(self, setup: Setup, rows: bytes) -> Tuple[bytes, bytes]: ...

@final
class Table:
    def __new__(cls, name: str) -> Table: ...
    @property
    def setup(self) -> Setup: ...
    @property
    def tiers(self) -> int: ...
    def _tier(self, setup: Setup, tier: int) -> Tuple[Positions, bytes, bytes]: ...

def solve(
    position: Position, how: Tuple[Optional[str], bool, bool, bool], tables: Optional[Tablebase], budget: Budget,
    progress: Optional[Progress],
) -> Tuple[str, bool]: ...
def best(
    position: Position, library: bool, tables: Optional[Tablebase], budget: Budget, progress: Optional[Progress]
) -> Tuple[str, bool]: ...
def report(
    setup: Setup, how: Tuple[bool, bool], tables: Optional[Tablebase], budget: Budget, progress: Optional[Progress]
) -> Tuple[str, bool]: ...
def prove(
    position: Position, exact: bool, tables: Optional[Tablebase], budget: Budget, progress: Optional[Progress]
) -> Tuple[bytes, str]: ...
def check_proof(certificate: Union[bytes, str], memory: int, progress: Optional[Progress]) -> str: ...
def build_table(
    setup: Setup, name: str, memory: int, progress: Optional[Progress]
) -> None: ...
def oracle_lines(folder: str) -> Tuple[str, List[str]]: ...
def check_oracle(folder: str, tables: Optional[Tablebase], progress: Optional[Progress]) -> str: ...
