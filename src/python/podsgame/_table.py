"""Tables: every position of a setup, and many positions at once."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Iterator, Optional, Tuple, Union

from . import _podsgame
from ._ask import MEMORY, Progress, watched
from ._podsgame import Positions, Setup, Tablebase
from ._records import InputError, NotInTable, Value, value_of

#: The code of a position that no table holds. It is neither a draw (0) nor any other outcome.
UNKNOWN = -128

NAMES = {1: "win", 0: "draw", -1: "loss"}


@dataclasses.dataclass(frozen=True)
class Probed:
    """The values of many positions.

    Attributes
    ----------
    positions : Positions
    outcomes : bytes
        A signed byte for each: 1 win, 0 draw, -1 loss for the side to move, `UNKNOWN` (-128) where no table holds it.
    plies : bytes
        A signed 32-bit number for each, in the order of bytes of the machine: plies to the end; -1 for a draw and where it is not known.
    """

    positions: Positions
    outcomes: bytes = dataclasses.field(repr=False)
    plies: bytes = dataclasses.field(repr=False)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __getitem__(self, number: int) -> Value:
        """Returns the value of a position.

        Raises
        ------
        NotInTable
        """
        outcome = memoryview(self.outcomes).cast("b")[number]
        if outcome == UNKNOWN:
            raise NotInTable(str(self.positions[number]))
        plies = memoryview(self.plies).cast("i")[number]
        return value_of(NAMES[outcome], None if plies < 0 else plies)

    def to_numpy(self) -> Any:
        """Returns outcomes (int8) and plies (int32) as arrays of the shape ``(len(positions),)``."""
        import numpy

        return numpy.frombuffer(self.outcomes, "int8"), numpy.frombuffer(self.plies, "int32")

    def dataframe(self) -> Any:
        """Returns a pandas.DataFrame with the columns of ``pods table export``: position, value, plies."""
        import pandas

        outcomes, plies = self.to_numpy()
        value = pandas.Series(outcomes).map(NAMES).astype(pandas.CategoricalDtype(["loss", "draw", "win"], ordered=True))
        plies = pandas.Series(plies, dtype="Int32").mask(plies < 0)
        return pandas.DataFrame({"position": self.positions.texts(), "value": value, "plies": plies})


def probe_many(tables: Tablebase, positions: Positions) -> Probed:
    """Looks many positions up, by as many threads as there are processors.

    Parameters
    ----------
    tables : Tablebase
    positions : Positions

    Returns
    -------
    Probed

    Raises
    ------
    Discrepancy
        If a table is damaged.
    """
    return Probed(positions, *tables._probe_many(positions))


def probe_array(tables: Tablebase, setup: Setup, rows: Any) -> Tuple[Any, Any]:
    """Looks positions up that are rows of an array, without a Python object for any of them, by all processors.

    Parameters
    ----------
    tables : Tablebase
    setup : Setup
        The setup of the positions; tables of larger hands answer for them too.
    rows : array of uint8, shape ``(n, width)``, or bytes
        Positions as `Positions.to_bytes` writes them.

    Returns
    -------
    outcomes : array of int8, shape ``(n,)``
        1 win, 0 draw, -1 loss for the side to move, `UNKNOWN` (-128) where no table holds it.
    plies : array of int32, shape ``(n,)``
        Plies to the end; -1 for a draw and where they are not known.

    Raises
    ------
    InputError
        If a row is no position of the setup; it names a row.
    Discrepancy
        If a table is damaged.
    """
    import numpy

    data = memoryview(rows)
    if data.itemsize != 1 or data.ndim not in (1, 2):
        raise InputError(f"rows are bytes, of the shape (n, width); these are {data.format!r} of the shape {data.shape}")
    outcomes, plies = tables._probe_rows(setup, data.tobytes())
    return numpy.frombuffer(outcomes, "int8"), numpy.frombuffer(plies, "int32")


class Table:
    """A table, for all of its positions.

    Parameters
    ----------
    name : str or path
        The name of its file, without the ending.

    Raises
    ------
    InputError
        If there is no table of this name.
    Discrepancy
        If it is damaged.
    """

    def __init__(self, name: Union[str, "os.PathLike[str]"]) -> None:
        self._table = _podsgame.Table(os.fspath(name))
        #: The setup, with the board as it lies.
        self.setup: Setup = self._table.setup

    def tiers(self) -> Iterator[Probed]:
        """Yields the positions of each tier (the same pods in the game) with their values, in the order of the table.

        Left out are those that an empty hand has won, open ones, and, where captures follow every action, those with blocked pods
        where no action leads to one. `Tablebase.probe` answers for them.
        """
        for tier in range(self._table.tiers):
            yield Probed(*self._table._tier(self.setup, tier))

    def dataframe(self) -> Any:
        """Returns the positions of all `tiers`, as they hold them, as a pandas.DataFrame: position, value and plies."""
        import pandas

        return pandas.concat([tier.dataframe() for tier in self.tiers()], ignore_index=True)

    def __repr__(self) -> str:
        return repr(self._table)


def build_table(setup: Setup, name: Union[str, "os.PathLike[str]"], *, memory: int = MEMORY,
                progress: Union[bool, Progress, None] = None) -> Table:
    """Builds the table of every position of a setup; one that is there already for this setup is kept.

    Parameters
    ----------
    setup : Setup
    name : str or path
        The name of its file, without the ending.
    memory : int
        Bytes.
    progress : bool or callable
        As for `solve`.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        If the setup is too large, or another file has the name.
    Interrupted
        At Ctrl-C, as soon as a sweep is done. The next call goes on from there.
    """
    with watched(progress) as show:
        _podsgame.build_table(setup, os.fspath(name), memory, show)
    return Table(name)
