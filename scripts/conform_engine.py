#!/usr/bin/env python3
"""An example engine for PODS, written from RULES.md and FORMATS.md alone.

It answers the `pods-conformance` protocol, version 1: one JSON request per line
on standard input, one JSON response per line on standard output.  Try

    {"id":0,"type":"hello","protocol":"pods-conformance","version":1}

The file reads top to bottom next to RULES.md.  There is a small function for
each clause, and the clause is cited as (R1) ... (R34).  Clarity comes first,
speed second.  Python 3.9 or later, standard library only.

How things are represented:

* a point is its name, "c3"; a direction is one of "n", "ne", ... "nw";
* a side is "w" or "b"; a hand is a sorted string of pod ids, "bbt";
* the pods on the board are a dictionary from point to Piece (owner and pod id);
  a point of the board that is not in the dictionary is empty.
"""

from __future__ import annotations

import json
import re
import sys
import time
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, TextIO, Tuple

PROTOCOL = "pods-conformance"
VERSION = 1
NAME = "pods-python-example"

# (R1) The eight directions as White sees them: (columns to the right, rows up).
DIRECTIONS = {
    "n": (0, 1), "ne": (1, 1), "e": (1, 0), "se": (1, -1),
    "s": (0, -1), "sw": (-1, -1), "w": (-1, 0), "nw": (-1, 1),
}
OPPOSITE = {"n": "s", "ne": "sw", "e": "w", "se": "nw",
            "s": "n", "sw": "ne", "w": "e", "nw": "se"}
OTHER = {"w": "b", "b": "w"}
WON = {"w": "white_won", "b": "black_won"}
ONGOING = "ongoing"

# Every option of a rule set with the values it may take.
OPTIONS = {
    "moves": ("on", "off"),
    "shoves": ("on", "off"),                                  # R22-R28, with moves only
    "placement-liberty": ("on", "off"),                       # R13
    "captures": ("every-turn", "after-moves", "never"),       # R18
    "empty-hand": ("wins", "loses"),                          # R16, R19
    "opening": ("bipod", "any"),                              # R9
    "attack-through": ("on", "off"),                          # R5
    "shove-after-run": ("on", "off"),                         # R23, with shoves only
    "kick-gaps": ("every-step", "last-step"),                 # R24, with shoves only
    "shove-liberty": ("on", "off"),                           # R27, with shoves only
}


class Problem(Exception):
    """A request that cannot be answered; its text goes into the error response."""


# ---------------------------------------------------------------------------
# The material
# ---------------------------------------------------------------------------

class Board:
    """(R1) Points on a square grid, some neighbours of which are joined by lines.

    Two tables, each indexed by point and direction, answer all questions:

    * `line[p][d]`: the straight line of *connected* points from p (p itself not
      included), up to the first step without a line;
    * `grid[p][d]`: the points from p in that direction, *line or no line*, up to
      the first hole or the edge.  Only kicks (R24) ask for it.

    The board comes already turned (R2).
    """

    def __init__(self, points: List[str], lines: List[List[str]], columns: int, rows: int):
        if not (1 <= columns <= 26 and 1 <= rows <= 26):
            raise Problem("a board has 1 to 26 columns and 1 to 26 rows")
        if not 1 <= len(points) <= 64 or len(set(points)) != len(points):
            raise Problem("a board has 1 to 64 different points")
        self.columns, self.rows = columns, rows
        self.points = sorted(points)
        cells = {point_name(x, y): (x, y) for x in range(columns) for y in range(rows)}
        for point in points:
            if point not in cells:
                raise Problem(f"point {point!r} is not on a grid of {columns} by {rows}")

        # The single steps first: to whichever point is next door, and along lines.
        next_door: Dict[str, Dict[str, str]] = {}
        for point in points:
            x, y = cells[point]
            names = {d: point_name(x + dx, y + dy) for d, (dx, dy) in DIRECTIONS.items()}
            next_door[point] = {d: name for d, name in names.items() if name in set(points)}
        joined: Dict[str, Dict[str, str]] = {point: {} for point in points}
        for one, two in lines:
            for here, there in ((one, two), (two, one)):     # a line works both ways
                steps = [d for d, p in next_door.get(here, {}).items() if p == there]
                if not steps:
                    raise Problem(f"a line joins {one!r} and {two!r}: not two neighbouring points")
                if here == one and steps[0] in joined[here]:
                    raise Problem(f"the line from {one!r} to {two!r} is given twice")
                joined[here][steps[0]] = there

        self.line = {p: {d: follow(joined, p, d) for d in DIRECTIONS} for p in points}
        self.grid = {p: {d: follow(next_door, p, d) for d in DIRECTIONS} for p in points}


def point_name(x: int, y: int) -> str:
    """The name of the point in column x and row y, both counted from 0 at White's left."""
    return f"{chr(ord('a') + x)}{y + 1}"


def follow(steps: Dict[str, Dict[str, str]], point: str, direction: str) -> Tuple[str, ...]:
    """All points met by stepping from `point` in `direction` as long as there is a step."""
    met = []
    while direction in steps[point]:
        point = steps[point][direction]
        met.append(point)
    return tuple(met)


class Leg(NamedTuple):
    direction: str
    is_long: bool


class Piece(NamedTuple):
    """A pod on the board."""
    owner: str
    pod: str


Pieces = Dict[str, Piece]


def parse_legs(text: str) -> Tuple[Leg, ...]:
    """(R3) Legs as in a pod file: "w E" is a short leg to the w and a long one to the e."""
    legs = tuple(Leg(word.lower(), word.isupper()) for word in text.split())
    directions = [leg.direction for leg in legs]
    if not legs or len(set(directions)) != len(legs) or not set(directions) <= set(DIRECTIONS):
        raise Problem(f"legs {text!r}: expected 1 to 8 different directions (R3)")
    if any(word not in (word.lower(), word.upper()) for word in text.split()):
        raise Problem(f"legs {text!r}: a leg is either lower case or UPPER CASE")
    return legs


def legs_on_board(legs: Tuple[Leg, ...], owner: str) -> Tuple[Leg, ...]:
    """(R4) A pod faces its owner: on the board, Black's legs are turned by 180 degrees."""
    if owner == "w":
        return legs
    return tuple(Leg(OPPOSITE[leg.direction], leg.is_long) for leg in legs)


@dataclass(frozen=True)
class Position:
    pieces: Pieces
    to_move: str
    hands: Dict[str, str]
    opening: bool              # (R32) the restricted first action is still to come


class Action(NamedTuple):
    """A placement has a `pod` and a `target`.  Anything else is a list of `shifts`:
    which pod goes from where to where, the acting pod first."""
    text: str
    pod: Optional[str] = None
    target: str = ""
    shifts: Tuple[Tuple[str, str], ...] = ()


# ---------------------------------------------------------------------------
# The rules
# ---------------------------------------------------------------------------

class Game:
    """A board, the pods with their legs, the rule options and the starting hands."""

    def __init__(self, board: Board, legs: Dict[str, Tuple[Leg, ...]], rules: Dict[str, str],
                 owned: Dict[str, Dict[str, int]]):
        self.board = board
        self.rules = rules
        self.owned = owned     # for each side: how many it has of each pod, wherever they are
        self.bipods = {pod for pod in legs if len(legs[pod]) == 2}             # (R9)
        self.legs = {Piece(owner, pod): legs_on_board(legs[pod], owner)
                     for owner in OTHER for pod in legs}

    def on(self, option: str) -> bool:
        return self.rules[option] == "on"

    def shoves_exist(self) -> bool:
        """Shoves and kicks are kinds of moves: without moves there are none."""
        return self.on("moves") and self.on("shoves")

    # --- attack and liberty ---

    def leg_line(self, point: str, leg: Leg) -> Tuple[str, ...]:
        """The connected points a leg looks at on an empty board: one, or a whole line."""
        line = self.board.line[point][leg.direction]
        return line if leg.is_long else line[:1]

    def attack_of_leg(self, pieces: Pieces, point: str, leg: Leg) -> Iterator[str]:
        """(R5) A leg reaches up to and including the first occupied point."""
        for target in self.leg_line(point, leg):
            yield target
            if target in pieces and not self.on("attack-through"):
                return

    def attacks(self, pieces: Pieces, piece: Piece, point: str) -> Iterator[str]:
        """(R6) A pod attacks every point that its legs reach."""
        for leg in self.legs[piece]:
            yield from self.attack_of_leg(pieces, point, leg)

    def liberties(self, pieces: Pieces, piece: Piece, point: str) -> Iterator[str]:
        """(R7) The connected adjacent empty points in the direction of a leg."""
        for leg in self.legs[piece]:
            for neighbour in self.board.line[point][leg.direction][:1]:
                if neighbour not in pieces:
                    yield neighbour

    def is_blocked(self, pieces: Pieces, piece: Piece, point: str) -> bool:
        """(R7) A pod with no liberty is blocked."""
        return next(self.liberties(pieces, piece, point), None) is None

    # --- placements ---

    def attacks_a_foe(self, pieces: Pieces, piece: Piece, point: str) -> bool:
        """(R11) Would the pod, standing on `point`, attack an opposing pod?"""
        return any(target in pieces and pieces[target].owner != piece.owner
                   for target in self.attacks(pieces, piece, point))

    def points_attacked_by(self, pieces: Pieces, side: str) -> set[str]:
        """(R12) All points that some pod of `side` attacks."""
        return {target for point, piece in pieces.items() if piece.owner == side
                for target in self.attacks(pieces, piece, point)}

    def lacks_placement_liberty(self, pieces: Pieces, piece: Piece, point: str) -> bool:
        """(R13) Option placement-liberty: the placed pod may not be blocked at once."""
        return self.on("placement-liberty") and self.is_blocked(pieces, piece, point)

    def breaks_opening(self, position: Position, pod: str) -> bool:
        """(R9, R32) The first action must place a bipod."""
        return position.opening and pod not in self.bipods

    def placement_fault(self, position: Position, pod: str, point: str,
                        attacked_by_foe: set[str]) -> Optional[str]:
        """The clause that forbids a placement, or None if it is legal."""
        pieces, placed = position.pieces, Piece(position.to_move, pod)
        if pod not in position.hands[position.to_move] or point in pieces:
            return "R10"
        if self.breaks_opening(position, pod):
            return "R9"
        if self.attacks_a_foe(pieces, placed, point):
            return "R11"
        if point in attacked_by_foe:
            return "R12"
        if self.lacks_placement_liberty(pieces, placed, point):
            return "R13"
        return None

    def placements(self, position: Position) -> Iterator[Action]:
        """(R10) A pod from hand to an empty point, under R9 and R11 to R13."""
        attacked = self.points_attacked_by(position.pieces, OTHER[position.to_move])
        for pod in sorted(set(position.hands[position.to_move])):
            for point in self.board.points:
                if self.placement_fault(position, pod, point, attacked) is None:
                    yield Action(f"{pod}@{point}", pod=pod, target=point)

    # --- moves ---

    def moves_of(self, pieces: Pieces, point: str) -> Iterator[Action]:
        """(R17) Along a leg over empty points to an empty point; no jumping."""
        for leg in self.legs[pieces[point]]:
            for target in self.leg_line(point, leg):
                if target in pieces:
                    break
                yield Action(f"{point}-{target}", shifts=((point, target),))

    # --- shoves and kicks ---

    def pushed(self, pieces: Pieces, line: Tuple[str, ...]) -> Optional[Tuple[Tuple[str, str], ...]]:
        """(R22) The shifts that push the pod on line[0] on by one point, and the pods in its
        way with it.  None if the last one cannot land on an empty connected point."""
        for count, point in enumerate(line):
            if point not in pieces:
                return tuple(zip(line[:count], line[1:count + 1]))
        return None

    def shoves_of(self, pieces: Pieces, point: str) -> Iterator[Action]:
        """(R22, R23) The move ends on the first occupied point that the leg meets."""
        for leg in self.legs[pieces[point]]:
            for run, target in enumerate(self.leg_line(point, leg)):
                if target not in pieces:
                    continue
                if run == 0 or self.on("shove-after-run"):
                    shifts = self.pushed(pieces, self.board.line[point][leg.direction][run:])
                    if shifts is not None:
                        yield Action(f"{point}>{target}", shifts=((point, target),) + shifts)
                break

    def gaps_allow_kick(self, lines: int, distance: int) -> bool:
        """(R24) Option kick-gaps.  The first `lines` steps of the slide follow lines: may it
        have `distance` steps?  With last-step, only its last step may lack a line."""
        return self.rules["kick-gaps"] == "every-step" or distance <= lines + 1

    def kick_is_shove(self, lines: int, distance: int) -> bool:
        """(R25) A kick of one point along a line is listed as the shove it is."""
        return distance == 1 and lines >= 1

    def kicks_of(self, pieces: Pieces, point: str) -> Iterator[Action]:
        """(R24) A long leg takes a connected neighbour's place; that pod slides on."""
        for leg in self.legs[pieces[point]]:
            adjacent = self.board.line[point][leg.direction][:1]
            if not leg.is_long or not adjacent or adjacent[0] not in pieces:
                continue
            kicked = adjacent[0]
            lines = len(self.board.line[kicked][leg.direction])
            for distance, target in enumerate(self.board.grid[kicked][leg.direction], start=1):
                if target in pieces:                                 # a kick never chains
                    break
                if self.gaps_allow_kick(lines, distance) and not self.kick_is_shove(lines, distance):
                    yield Action(f"{point}>{kicked}+{distance}",
                                 shifts=((point, kicked), (kicked, target)))

    # --- captures ---

    def can_shove_out(self, pieces: Pieces, point: str) -> bool:
        """(R27) Could this pod leave its point by a shove or a kick of its own?"""
        return (next(self.shoves_of(pieces, point), None) is not None
                or next(self.kicks_of(pieces, point), None) is not None)

    def is_captured(self, pieces: Pieces, point: str) -> bool:
        """(R18, R27) A blocked pod is captured; option shove-liberty may save it."""
        if not self.is_blocked(pieces, pieces[point], point):
            return False
        saved = self.shoves_exist() and self.on("shove-liberty") and self.can_shove_out(pieces, point)
        return not saved

    def captures_follow(self, action: Action) -> bool:
        """(R18) Option captures: after which actions blocked pods are taken off."""
        if self.rules["captures"] == "after-moves":
            return action.pod is None      # shoves and kicks are moves too
        return self.rules["captures"] == "every-turn"

    def captured(self, pieces: Pieces, action: Action) -> List[str]:
        """(R18) All pods to take off, all judged on the same board."""
        if not self.captures_follow(action):
            return []
        return [point for point in pieces if self.is_captured(pieces, point)]

    # --- turns ---

    def actions_ignoring_status(self, position: Position) -> Iterator[Action]:
        """(R14, R17, R28) All actions, unless the game has been decided by an empty hand."""
        yield from self.placements(position)
        if not self.on("moves") or position.opening:                 # (R9)
            return
        for point, piece in position.pieces.items():
            if piece.owner == position.to_move:
                yield from self.moves_of(position.pieces, point)
                if self.shoves_exist():
                    yield from self.shoves_of(position.pieces, point)
                    yield from self.kicks_of(position.pieces, point)

    def winner_by_empty_hand(self, position: Position) -> Optional[str]:
        """(R16, R19, R30) Under empty-hand=wins, an empty hand wins; the player who has
        just played is asked first."""
        if self.rules["empty-hand"] == "wins":
            for side in (OTHER[position.to_move], position.to_move):
                if not position.hands[side]:
                    return side
        return None

    def is_stuck(self, position: Position) -> bool:
        """(R15, R20, R28) Has the player to move no legal action?"""
        return next(self.actions_ignoring_status(position), None) is None

    def status(self, position: Position) -> str:
        """An empty hand decides first (R30); then a player who is stuck has lost."""
        winner = self.winner_by_empty_hand(position)
        if winner is None and self.is_stuck(position):
            winner = OTHER[position.to_move]
        return ONGOING if winner is None else WON[winner]

    def legal_actions(self, position: Position) -> List[Action]:
        """All legal actions in the order of their text; none in a finished game."""
        if self.winner_by_empty_hand(position) is not None:
            return []
        return sorted(self.actions_ignoring_status(position))

    def apply(self, position: Position, action: Action) -> Tuple[Position, List[str], List[str]]:
        """Play a legal action: the new position, the pods returned to the mover's hand
        and the opponent's pods removed from the game."""
        mover, hands, pieces = position.to_move, dict(position.hands), dict(position.pieces)
        if action.pod is not None:                                   # (R10)
            pieces[action.target] = Piece(mover, action.pod)
            hands[mover] = hands[mover].replace(action.pod, "", 1)
        lifted = [(target, pieces.pop(source)) for source, target in action.shifts]
        pieces.update(lifted)                                        # (R17, R22, R24)

        returned: List[str] = []
        removed: List[str] = []
        for point in self.captured(pieces, action):                  # (R18)
            piece = pieces.pop(point)
            (returned if piece.owner == mover else removed).append(piece.pod)
        hands[mover] = "".join(sorted(hands[mover] + "".join(returned)))
        after = Position(pieces, OTHER[mover], hands, opening=False)  # (R8, R9)
        return after, sorted(returned), sorted(removed)

    def perft(self, position: Position, depth: int,
              known: Optional[Dict[Tuple[str, int], int]] = None) -> int:
        """The number of action sequences of exactly this length.

        Counts are kept in `known` by position and depth: where play comes back to few
        positions, even numbers beyond 2^32 take no time.  Python's integers do not overflow."""
        if depth == 0:
            return 1
        if depth == 1:
            return len(self.legal_actions(position))
        known = {} if known is None else known
        key = (self.format_position(position), depth)
        if key not in known:
            known[key] = sum(self.perft(self.apply(position, action)[0], depth - 1, known)
                             for action in self.legal_actions(position))
        return known[key]

    def best(self, position: Position, seconds: float) -> Optional[str]:
        """An action to play, by looking one ply ahead as long as there is time: one that wins
        at once, else the one that leaves the opponent the fewest placements.  None in a
        finished game.  An example of an answer, not of good play."""
        end = time.monotonic() + seconds
        chosen, fewest = None, 0
        for action in self.legal_actions(position):
            after, _returned, _removed = self.apply(position, action)
            if self.status(after) == WON[position.to_move]:
                return action.text
            placements = sum(1 for _ in self.placements(after))
            # An own pod that came back is one more to place.
            badness = 1000 * len(after.hands[position.to_move]) + placements
            if chosen is None or badness < fewest:
                chosen, fewest = action.text, badness
            if time.monotonic() >= end:
                break
        return chosen

    # -----------------------------------------------------------------------
    # Position text (FORMATS.md)
    # -----------------------------------------------------------------------

    def parse_position(self, text: str) -> Position:
        """Read a position.  Each position has one text, so any other is refused."""
        fields = text.split(" ")
        if len(fields) != 5 or fields[1] not in OTHER or fields[4] not in ("open", "-"):
            raise Problem(f"position {text!r}: expected '<rows> <w|b> <hand> <hand> <open|->'")
        rows = fields[0].split("/")
        if len(rows) != self.board.rows:
            raise Problem(f"position {text!r}: expected {self.board.rows} rows")
        pieces: Pieces = {}
        for y, row in zip(reversed(range(self.board.rows)), rows):
            x = 0
            for item in re.findall(r"[0-9]+|[A-Za-z]", row):
                if item.isdigit():
                    x += int(item)
                    continue
                if x >= self.board.columns or point_name(x, y) not in self.board.line:
                    raise Problem(f"position {text!r}: no point {point_name(x, y)} for a pod (R29)")
                pieces[point_name(x, y)] = Piece("w" if item.isupper() else "b", item.lower())
                x += 1
        hands = {"w": parse_hand(fields[2]), "b": parse_hand(fields[3])}
        position = Position(pieces, fields[1], hands, fields[4] == "open")
        if self.format_position(position) != text:
            raise Problem(f"position {text!r}: expected {self.format_position(position)!r}")
        self.check_position(position)
        return position

    def check_position(self, position: Position) -> None:
        """(R29) Nobody has more of a pod than there are; (R9) an opening needs a bipod."""
        for side, hand in position.hands.items():
            pods = list(hand) + [p.pod for p in position.pieces.values() if p.owner == side]
            for pod in set(pods):
                if pods.count(pod) > self.owned[side].get(pod, 0):
                    raise Problem(f"side {side} has too many pods {pod!r}, or there is none (R29)")
        if position.opening and not self.bipods & set(position.hands[position.to_move]):
            raise Problem("the position is open, but its player has no bipod in hand (R9)")

    def format_position(self, position: Position) -> str:
        rows = []
        for y in reversed(range(self.board.rows)):
            row, gap = "", 0
            for x in range(self.board.columns):
                piece = position.pieces.get(point_name(x, y))
                if piece is None:
                    gap += 1
                    continue
                row += str(gap or "") + (piece.pod.upper() if piece.owner == "w" else piece.pod)
                gap = 0
            rows.append(row + str(gap or ""))
        return " ".join(["/".join(rows), position.to_move, format_hand(position.hands["w"]),
                         format_hand(position.hands["b"]), "open" if position.opening else "-"])


def parse_hand(text: str) -> str:
    """"b2t" is "bbt" and "-" is the empty hand."""
    if text in ("-", ""):
        return ""
    if not re.fullmatch(r"([a-z]([1-9][0-9]?)?)+", text):
        raise Problem(f"hand {text!r}: expected pod ids with counts, or -")
    return "".join(sorted(pod * int(count or 1) for pod, count in re.findall(r"([a-z])([0-9]*)", text)))


def format_hand(hand: str) -> str:
    counts = [(pod, hand.count(pod)) for pod in sorted(set(hand))]
    return "".join(pod + (str(count) if count > 1 else "") for pod, count in counts) or "-"


# ---------------------------------------------------------------------------
# The protocol
# ---------------------------------------------------------------------------

Message = Dict[str, Any]


def whole(fields: Message, name: str, least: int, missing: Optional[int] = None) -> int:
    """A field that is a whole number; `missing` is its value where it may be left out."""
    number = fields[name] if missing is None else fields.get(name, missing)
    if type(number) is not int or number < least:
        raise Problem(f"{name}: expected a whole number, {least} or more")
    return number


def build_game(request: Message) -> Game:
    """The game that a `game` request describes."""
    rules = request["rules"]
    if set(rules) != set(OPTIONS):
        raise Problem(f"rules: expected exactly the options {', '.join(OPTIONS)}")
    for option, value in rules.items():
        if value not in OPTIONS[option]:
            raise Problem(f"rules: {option} is {value!r}, expected one of {OPTIONS[option]}")
    counts = {pod["id"]: whole(pod, "count", 1, 1) for pod in request["pods"]}
    if len(counts) != len(request["pods"]) or not all(re.fullmatch("[a-z]", pod) for pod in counts):
        raise Problem("pods: an id is one letter a-z and unique")
    legs = {pod["id"]: parse_legs(pod["legs"]) for pod in request["pods"]}
    hands = {"w": parse_hand(request["white_hand"]), "b": parse_hand(request["black_hand"])}
    for side, hand in hands.items():
        if not set(hand) <= set(legs):
            raise Problem(f"the hand of {side} has a pod that is not in the set (R3)")
    # A set position (R29) may use the whole set; a starting hand may go beyond it (R3).
    owned = {side: {pod: max(counts[pod], hand.count(pod)) for pod in counts}
             for side, hand in hands.items()}
    board = request["board"]
    game = Game(Board(board["points"], board["lines"], board["columns"], board["rows"]),
                legs, rules, owned)
    if rules["opening"] == "bipod" and not game.bipods & set(hands["w"]):
        raise Problem("White's starting hand has no bipod (R9)")
    return game


class Session:
    """One conversation.  Each `on_...` method answers one type of request."""

    def __init__(self) -> None:
        self.current: Optional[Game] = None

    @property
    def game(self) -> Game:
        if self.current is None:
            raise Problem("no game has been set")
        return self.current

    def on_hello(self, request: Message) -> Message:
        if request.get("protocol") != PROTOCOL or request.get("version") != VERSION:
            raise Problem(f"this engine speaks {PROTOCOL} version {VERSION}")
        return {"type": "hello", "protocol": PROTOCOL, "version": VERSION, "name": NAME,
                "capabilities": ["large-counts", "best"]}

    def on_game(self, request: Message) -> Message:
        self.current = build_game(request)
        return {"type": "ok"}

    def on_moves(self, request: Message) -> Message:
        position = self.game.parse_position(request["position"])
        return {"type": "moves", "status": self.game.status(position),
                "actions": [action.text for action in self.game.legal_actions(position)]}

    def on_apply(self, request: Message) -> Message:
        position = self.game.parse_position(request["position"])
        legal = {action.text: action for action in self.game.legal_actions(position)}
        if request["action"] not in legal:
            return self.illegal(position, request["action"])
        after, returned, removed = self.game.apply(position, legal[request["action"]])
        return {"type": "applied", "position": self.game.format_position(after),
                "status": self.game.status(after), "returned": returned, "removed": removed}

    def illegal(self, position: Position, text: str) -> Message:
        """The reply to an illegal action, with the clause if it is easy to name."""
        reply: Message = {"type": "illegal"}
        pod, at, point = text.partition("@")
        if at and Piece("w", pod) in self.game.legs and point in self.game.board.line:
            attacked = self.game.points_attacked_by(position.pieces, OTHER[position.to_move])
            clause = self.game.placement_fault(position, pod, point, attacked)
            if clause is not None:     # None: a fine placement, but the game is over
                reply["clause"] = clause
        return reply

    def on_status(self, request: Message) -> Message:
        position = self.game.parse_position(request["position"])
        return {"type": "status", "status": self.game.status(position)}

    def on_perft(self, request: Message) -> Message:
        depth = whole(request, "depth", 0)
        return {"type": "perft", "count": self.game.perft(
            self.game.parse_position(request["position"]), depth)}

    def on_best(self, request: Message) -> Message:
        position = self.game.parse_position(request["position"])
        milliseconds = whole(request, "milliseconds", 1, 1000)
        whole(request, "nodes", 1, 1)      # these two are not counted here
        whole(request, "depth", 1, 1)
        return {"type": "best", "action": self.game.best(position, milliseconds / 1000)}

    def on_quit(self, _request: Message) -> Message:
        return {"type": "ok"}

    def answer(self, line: str) -> Tuple[Message, bool]:
        """The response to one line, and whether the conversation is over."""
        identity, kind = None, None
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise Problem("a request is a JSON object")
            kind = request.get("type")
            if kind == "game":
                self.current = None    # whatever is wrong with it, the old one is not in force
            identity = whole(request, "id", 0)
            handlers = {"hello": self.on_hello, "game": self.on_game, "moves": self.on_moves,
                        "apply": self.on_apply, "status": self.on_status,
                        "perft": self.on_perft, "best": self.on_best,
                        "quit": self.on_quit}
            if kind not in handlers:
                raise Problem(f"unknown type of request: {kind!r}")
            body = handlers[kind](request)
        except Problem as problem:
            body = {"type": "error", "message": str(problem)}
        except KeyError as missing:
            body = {"type": "error", "message": f"the request lacks the field {missing}"}
        except (TypeError, ValueError, AttributeError, RecursionError) as malformed:
            body = {"type": "error", "message": f"malformed request: {malformed}"}
        return {"id": identity, **body}, kind == "quit" and body["type"] == "ok"


def main(requests: TextIO, responses: TextIO) -> None:
    session = Session()
    for line in requests:
        if not line.strip():
            continue
        response, over = session.answer(line)
        responses.write(json.dumps(response, ensure_ascii=False, separators=(",", ":")) + "\n")
        responses.flush()
        if over:
            return


if __name__ == "__main__":
    # What is not UTF-8 becomes an escape that JSON does not have, and so an error.
    sys.stdin.reconfigure(encoding="utf-8", errors="backslashreplace")    # type: ignore[attr-defined]
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")    # type: ignore[attr-defined]
    main(sys.stdin, sys.stdout)
