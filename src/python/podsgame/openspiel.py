"""PODS as a game of OpenSpiel, registered as ``pods`` when this module is imported.

All presets and options, any setup: ``pyspiel.load_game("pods", {"board": "nook9", "pods": "duo", "rules": "advanced"})``. White is
player 0. Actions are the numbers of `Setup.action_space`. Where play can cycle, a game ends as drawn after ``max_length`` plies; the
rules know no such end, so values of long games are only those of the shortened game.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from ._podsgame import Position, Setup

NAME = "pods"

_PARAMETERS: Dict[str, Any] = {
    "board": "cave36",
    "pods": "pods14",
    "rules": "standard",
    "orientation": 0,
    "hands": "",
    "first": "white",
    "max_length": 200,
}

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="PODS",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_PARAMETERS,
)


def _pods_in(hand: str) -> int:
    """Returns how many pods a hand has."""
    count, number = 0, ""
    for char in hand + "a":
        if char.isdigit():
            number += char
            continue
        count += int(number) - 1 if number else 0
        count, number = count + 1, ""
    return 0 if hand == "-" else count - 1


class PodsGame(pyspiel.Game):  # type: ignore[misc]
    """A setup as a game of OpenSpiel.

    Attributes
    ----------
    setup : Setup
    first : str
        Who starts: ``white`` or ``black``.
    max_length : int
        Plies after which a game ends as drawn; where play cannot cycle, no game has as many.
    """

    def __init__(self, params: Optional[Dict[str, Any]] = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        self.setup = Setup(
            given["board"],
            given["pods"],
            given["rules"],
            orientation=given["orientation"],
            hands=given["hands"] or None,
        )
        self.first: str = given["first"]
        # A placement game ends when a player has no pod left to place.
        placements = _pods_in(self.setup.white_hand) + _pods_in(self.setup.black_hand)
        self.max_length: int = given["max_length"] if self.setup.can_cycle else placements + 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.action_count,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_length,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self, state: Any = None) -> "PodsState":
        """Returns the start of a game."""
        if state is not None:
            raise ValueError("a game starts from its setup; for another position apply actions")
        return PodsState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Returns an object that observes states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PodsObserver(self.setup, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class PodsState(pyspiel.State):  # type: ignore[misc]
    """A position in the course of a game.

    Attributes
    ----------
    position : Position
    """

    def __init__(self, game: PodsGame) -> None:
        super().__init__(game)
        self.position: Position = game.setup.start("black" if game.first == "black" else "white")
        self._left = game.max_length

    def current_player(self) -> Any:
        """Returns 0 for White, 1 for Black, or that the game is over."""
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return 0 if self.position.turn == "white" else 1

    def _legal_actions(self, player: int) -> List[int]:
        return self.position.legal_numbers()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play_number(action)
        self._left -= 1

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.position.setup.action(action))

    def is_terminal(self) -> bool:
        """Says whether the game is over."""
        return self._left == 0 or self.position.status != "ongoing"

    def returns(self) -> List[float]:
        """Returns 1 for the winner and -1 for the loser, else 0 for both."""
        white = {"white_won": 1.0, "black_won": -1.0}.get(self.position.status, 0.0)
        return [white, -white]

    def __str__(self) -> str:
        return str(self.position)


class PodsObserver:
    """View of both players: everything.

    ``board`` has the shape ``(1 + 2 * kinds, rows, columns)``: the points, then where White's pods of each kind stand, then Black's.
    ``hands`` has the shape ``(2, kinds)``, with counts. ``to_move`` is 1 for the side to move, ``open`` 1 while it must open.
    """

    def __init__(self, setup: Setup, params: Any) -> None:
        if params:
            raise ValueError(f"there are no observation parameters: {params}")
        board, self._kinds = setup.board, {id: number for number, id in enumerate(setup.pods.ids)}
        kinds = len(self._kinds)
        shapes: List[Tuple[str, Tuple[int, ...]]] = [
            ("board", (1 + 2 * kinds, board.rows, board.columns)),
            ("hands", (2, kinds)),
            ("to_move", (2,)),
            ("open", (1,)),
        ]
        self._at = {point: (int(point[1:]) - 1, ord(point[0]) - ord("a")) for point in board.points}
        self.tensor = numpy.zeros(sum(int(numpy.prod(shape)) for _, shape in shapes), numpy.float32)
        self.dict: Dict[str, Any] = {}
        begin = 0
        for name, shape in shapes:
            end = begin + int(numpy.prod(shape))
            self.dict[name] = self.tensor[begin:end].reshape(shape)
            begin = end

    def set_from(self, state: PodsState, player: int) -> None:
        """Updates the tensors."""
        position, sides = state.position, ("white", "black")
        self.tensor.fill(0)
        kinds = len(self._kinds)
        for row, column in self._at.values():
            self.dict["board"][0, row, column] = 1
        for point, (side, id) in position.pods.items():
            self.dict["board"][(1 + sides.index(side) * kinds + self._kinds[id], *self._at[point])] = 1
        counts = numpy.frombuffer(position.hand_counts(), "uint8").reshape(2, kinds)
        self.dict["hands"][:] = counts
        self.dict["to_move"][sides.index(position.turn)] = 1
        self.dict["open"][0] = position.is_open

    def string_from(self, state: PodsState, player: int) -> str:
        """Returns the text of the position."""
        return str(state.position)


pyspiel.register_game(_TYPE, PodsGame)
