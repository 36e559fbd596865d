"""Oracle sets: positions with everything that is true of them."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterator, Optional, Union

from . import _podsgame
from ._ask import Progress, watched
from ._podsgame import Tablebase


class OracleSet:
    """An oracle set, as ``pods oracle`` makes it.

    Iterating gives each line as a dictionary with the fields of the format, such as ``position``, ``status``, ``actions`` and,
    where the position was solved, ``value``, ``plies`` and ``best``. A line without ``value`` is unknown, not drawn.

    Parameters
    ----------
    folder : str or path

    Raises
    ------
    InputError
        If it cannot be read.
    Discrepancy
        If a line is not of the format. Whether lines are true is asked with `check`.
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self.folder = os.fspath(folder)
        manifest, self._lines = _podsgame.oracle_lines(self.folder)
        #: The manifest.
        self.manifest: Dict[str, Any] = json.loads(manifest)

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return map(json.loads, self._lines)

    def __getitem__(self, number: int) -> Dict[str, Any]:
        line: Dict[str, Any] = json.loads(self._lines[number])
        return line

    def check(self, *, tables: Optional[Tablebase] = None, progress: Union[bool, Progress, None] = None) -> Dict[str, Any]:
        """Derives every line again with the reference engine, and returns the manifest.

        Raises
        ------
        Discrepancy
            At the first line that is not true, or if the set is cut off or altered.
        Interrupted
            At Ctrl-C.
        """
        with watched(progress) as show:
            manifest: Dict[str, Any] = json.loads(_podsgame.check_oracle(self.folder, tables, show))
        return manifest
