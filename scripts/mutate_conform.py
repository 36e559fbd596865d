#!/usr/bin/env python3
"""Plants wrong readings of the rules and ordinary bugs in the example engine, one at a time, and
lets `pods conform` look for each. Writes mutations.csv and its manifest; with --traps, the traps of
RULES.md are planted instead, and traps.csv is written.

    python3 scripts/mutate_conform.py [--traps] [--pods PROGRAM] [--out results/conformance]
                                      [--commit HASH] [--jobs N] [--only NUMBERS]

`clause` is the clause that is read wrongly; for bugs that are about no clause it is `names` (of
points, hands and positions, and their order), `numbers` (that overflow) or `state` (kept between
requests). A trap is named rightly if the first clause that is named is a planted one, both by
default and with --keep-going; else the script ends with status 1.
"""

import argparse
import csv
import hashlib
import io
import json
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
# The default run, and no more positions than these may be needed.
SEED, MOST_POSITIONS = 1, 10000

# Clause, what is wrong, the text of the engine that is replaced, by what.
MUTATIONS = [
    ("R4", "Black's legs are not turned", 'if owner == "w":\n        return legs', "if owner:\n        return legs"),
    ("R5", "a long leg stops before the first occupied point",
     '            yield target\n            if target in pieces and not self.on("attack-through"):\n                return\n',
     '            if target in pieces and not self.on("attack-through"):\n                return\n            yield target\n'),
    ("R5", "attacks always go through pods", 'if target in pieces and not self.on("attack-through"):', "if False:"),
    ("R5", "attack-through is ignored", ' and not self.on("attack-through")', ""),
    ("R7", "an unjoined neighbour is a liberty",
     "for neighbour in self.board.line[point][leg.direction][:1]:\n                if neighbour not in pieces:",
     "for neighbour in self.board.grid[point][leg.direction][:1]:\n                if neighbour not in pieces:"),
    ("R9", "a pod with one leg opens too", "len(legs[pod]) == 2", "len(legs[pod]) <= 2"),
    ("R9", "the opening binds Black's answer too",
     "opening=False)  # (R8, R9)", "opening=position.opening)  # (R8, R9)"),
    ("R11", "a placed pod may attack",
     "if self.attacks_a_foe(pieces, placed, point):", "if False:"),
    ("R12", "a placed pod may be attacked", "if point in attacked_by_foe:", "if False:"),
    ("R13", "a placed pod always needs a liberty",
     'return self.on("placement-liberty") and self.is_blocked', "return self.is_blocked"),
    ("R17", "a long leg jumps over pods",
     "                if target in pieces:\n                    break\n                yield Action(f\"{point}-{target}\"",
     "                if target in pieces:\n                    continue\n                yield Action(f\"{point}-{target}\""),
    ("R18", "blocked pods are taken off one after the other",
     "        for point in self.captured(pieces, action):                  # (R18)\n            piece = pieces.pop(point)",
     "        for point in self.captured(pieces, action):                  # (R18)\n"
     "            if not self.is_captured(pieces, point):\n                continue\n            piece = pieces.pop(point)"),
    ("R18", "captures=after-moves is read as every-turn",
     "return action.pod is None      # shoves and kicks are moves too", "return True"),
    ("R18", "captured own pods are out of the game",
     'hands[mover] = "".join(sorted(hands[mover] + "".join(returned)))', "pass"),
    ("R15", "a player who is stuck has not lost (R20 where pods move)",
     "if winner is None and self.is_stuck(position):", "if False:"),
    ("R22", "a shove pushes one pod only",
     "            if point not in pieces:\n                return tuple(",
     "            if point not in pieces and count < 2:\n                return tuple("),
    ("R23", "shove-after-run is always on", 'if run == 0 or self.on("shove-after-run"):', "if True:"),
    ("R24", "kick-gaps=last-step is read as every-step",
     'return self.rules["kick-gaps"] == "every-step" or distance <= lines + 1', "return True"),
    ("R27", "shove-liberty is ignored",
     'self.shoves_exist() and self.on("shove-liberty") and', "False and"),
    ("R30", "the player to move is asked first whether the hand is empty",
     "for side in (OTHER[position.to_move], position.to_move):", "for side in (position.to_move, OTHER[position.to_move]):"),
    ("R1", "a line works from its first end to its second only",
     "for here, there in ((one, two), (two, one)):     # a line works both ways", "for here, there in ((one, two),):"),
    ("R3", "a long diagonal leg is read as short",
     "Leg(word.lower(), word.isupper()) for", "Leg(word.lower(), word.isupper() and len(word) == 1) for"),
    ("R4", "Black's legs are turned over, left and right kept",
     "return tuple(Leg(OPPOSITE[leg.direction], leg.is_long) for leg in legs)",
     'return tuple(Leg(leg.direction.translate({110: 115, 115: 110}), leg.is_long) for leg in legs)'),
    ("R5", "a long leg attacks at most three points",
     "for target in self.leg_line(point, leg):\n            yield target",
     "for target in self.leg_line(point, leg)[:3]:\n            yield target"),
    ("R5", "a long leg attacks at most six points",
     "for target in self.leg_line(point, leg):\n            yield target",
     "for target in self.leg_line(point, leg)[:6]:\n            yield target"),
    ("R6", "only the first two legs attack",
     "for leg in self.legs[piece]:\n            yield from", "for leg in self.legs[piece][:2]:\n            yield from"),
    ("R7", "a point that a friend holds is a liberty",
     "                if neighbour not in pieces:\n                    yield neighbour",
     "                if neighbour not in pieces or pieces[neighbour].owner == piece.owner:\n                    yield neighbour"),
    ("R7", "a long leg has a liberty anywhere on its line",
     "for neighbour in self.board.line[point][leg.direction][:1]:",
     "for neighbour in self.board.line[point][leg.direction][:None if leg.is_long else 1]:"),
    ("R8", "who takes a foe has another turn",
     "after = Position(pieces, OTHER[mover], hands,", "after = Position(pieces, mover if removed else OTHER[mover], hands,"),
    ("R9", "a pod with more than two legs opens too", "len(legs[pod]) == 2", "len(legs[pod]) >= 2"),
    ("R32", "the flag does not bind Black",
     "return position.opening and pod", 'return position.opening and position.to_move == "w" and pod'),
    ("R32", "an empty board is an opening, whatever the flag says",
     "return position.opening and pod",
     'return self.rules["opening"] == "bipod" and not position.pieces and pod'),
    ("R10", "a placement may replace an own pod",
     "or point in pieces:\n            return \"R10\"",
     "or pieces.get(point, placed).owner != position.to_move:\n            return \"R10\""),
    ("R10", "with one pod all of its kind leave the hand", 'replace(action.pod, "", 1)', 'replace(action.pod, "")'),
    ("R11", "a placed pod may not attack friends either",
     "return any(target in pieces and pieces[target].owner != piece.owner\n", "return any(target in pieces\n"),
    ("R12", "a placed pod may not be attacked by friends either",
     "for point, piece in pieces.items() if piece.owner == side\n", "for point, piece in pieces.items()\n"),
    ("R13", "a placement may not block a friend",
     "if self.lacks_placement_liberty(pieces, placed, point):",
     'if self.lacks_placement_liberty(pieces, placed, point) or self.on("placement-liberty") and any(\n'
     "                not self.is_blocked(pieces, friend, at) and self.is_blocked({**pieces, point: placed}, friend, at)\n"
     "                for at, friend in pieces.items() if friend.owner == placed.owner):"),
    ("R16", "in the Standard game an empty hand always wins",
     'if self.rules["empty-hand"] == "wins":', 'if self.rules["empty-hand"] == "wins" or not self.on("moves"):'),
    ("R17", "a long leg moves by at most four points",
     "for target in self.leg_line(point, leg):\n                if target in pieces:\n                    break",
     "for target in self.leg_line(point, leg)[:4]:\n                if target in pieces:\n                    break"),
    ("R17", "a moved pod may not be attacked",
     "yield from self.moves_of(position.pieces, point)",
     "attacked = self.points_attacked_by(position.pieces, OTHER[position.to_move])\n"
     "                yield from (a for a in self.moves_of(position.pieces, point) if a.shifts[0][1] not in attacked)"),
    ("R17", "a move needs no line",
     "for target in self.leg_line(point, leg):\n                if target in pieces:\n                    break",
     "for target in self.board.grid[point][leg.direction][:None if leg.is_long else 1]:\n"
     "                if target in pieces:\n                    break"),
    ("R18", "the acting pod is not captured",
     "return [point for point in pieces if self.is_captured(pieces, point)]",
     "actor = action.target if action.pod else action.shifts[0][1]\n"
     "        return [point for point in pieces if point != actor and self.is_captured(pieces, point)]"),
    ("R18", "the opponent's blocked pods go back to the opponent's hand",
     "(returned if piece.owner == mover else removed).append(piece.pod)",
     "(returned if piece.owner == mover else removed).append(piece.pod)\n"
     "            if piece.owner != mover:\n"
     '                hands[piece.owner] = "".join(sorted(hands[piece.owner] + piece.pod))'),
    ("R18", "captures=never is read as after-moves",
     'return self.rules["captures"] == "every-turn"',
     'return self.rules["captures"] != "never" or action.pod is None'),
    ("R19", "a hand that empties wins before captures give pods back",
     'hands[mover] = "".join(sorted(hands[mover] + "".join(returned)))',
     'if hands[mover] or self.rules["empty-hand"] == "loses":\n'
     '            hands[mover] = "".join(sorted(hands[mover] + "".join(returned)))'),
    ("R20", "a player who can move but not place has lost",
     "return next(self.actions_ignoring_status(position), None) is None",
     "return next(self.placements(position), None) is None"),
    ("R21", "the game ends when a position comes up for the third time",
     "        after, returned, removed = self.game.apply(position, legal[request[\"action\"]])\n",
     "        after, returned, removed = self.game.apply(position, legal[request[\"action\"]])\n"
     "        seen = self.game.__dict__.setdefault('seen', [])\n"
     "        seen.append(self.game.format_position(after))\n"
     "        if seen.count(seen[-1]) > 2:\n"
     "            return {'type': 'applied', 'position': seen[-1], 'status': WON[position.to_move],\n"
     "                    'returned': returned, 'removed': removed}\n"),
    ("R22", "a shove pushes at most three pods",
     "            if point not in pieces:\n                return tuple(",
     "            if point not in pieces and count <= 3:\n                return tuple("),
    ("R22", "a shove pushes at most six pods",
     "            if point not in pieces:\n                return tuple(",
     "            if point not in pieces and count <= 6:\n                return tuple("),
    ("R22", "friends are not shoved",
     'if run == 0 or self.on("shove-after-run"):',
     'if (run == 0 or self.on("shove-after-run")) and pieces[target].owner != pieces[point].owner:'),
    ("R22", "pods are pushed over missing lines",
     "shifts = self.pushed(pieces, self.board.line[point][leg.direction][run:])",
     "shifts = self.pushed(pieces, self.board.grid[point][leg.direction][run:])"),
    ("R23", "a run of more than three points does not end in a shove",
     'if run == 0 or self.on("shove-after-run"):', 'if run == 0 or run <= 3 and self.on("shove-after-run"):'),
    ("R23", "a run of more than six points does not end in a shove",
     'if run == 0 or self.on("shove-after-run"):', 'if run == 0 or run <= 6 and self.on("shove-after-run"):'),
    ("R24", "a kicked pod slides by at most four points",
     "if self.gaps_allow_kick(lines, distance) and", "if distance <= 4 and self.gaps_allow_kick(lines, distance) and"),
    ("R24", "a short leg kicks too", "if not leg.is_long or not adjacent or", "if not adjacent or"),
    ("R24", "a kicked pod slides past pods",
     "# a kick never chains\n                    break", "# a kick never chains\n                    continue"),
    ("R24", "kick-gaps=last-step allows no gap at all", "distance <= lines + 1", "distance <= lines"),
    ("R25", "a kick of one point along a line is listed besides the shove",
     "return distance == 1 and lines >= 1", "return False"),
    ("R26", "a pushed pod needs a leg in that direction",
     "                    if shifts is not None:",
     "                    if shifts is not None and all(leg.direction in [other.direction for other in self.legs[pieces[p]]]\n"
     "                                                  for p, _ in shifts):"),
    ("R27", "captures=after-moves does not follow shoves and kicks",
     "return action.pod is None      # shoves and kicks are moves too", 'return "-" in action.text'),
    ("R27", "a kick of its own does not save a pod under shove-liberty",
     "        return (next(self.shoves_of(pieces, point), None) is not None\n"
     "                or next(self.kicks_of(pieces, point), None) is not None)",
     "        return next(self.shoves_of(pieces, point), None) is not None"),
    ("R27", "a shove of three pods does not save under shove-liberty",
     "        return (next(self.shoves_of(pieces, point), None) is not None\n",
     "        return (next((s for s in self.shoves_of(pieces, point) if len(s.shifts) < 4), None) is not None\n"),
    ("R28", "a player who can only shove or kick has lost",
     "return next(self.actions_ignoring_status(position), None) is None",
     'return next((a for a in self.actions_ignoring_status(position) if ">" not in a.text), None) is None'),
    ("R30", "the hand of the player to move is not asked",
     "for side in (OTHER[position.to_move], position.to_move):", "for side in (OTHER[position.to_move],):"),
    ("R31", "pods that were set up blocked stay",
     "        for point in self.captured(pieces, action):                  # (R18)\n",
     "        for point in self.captured(pieces, action):                  # (R18)\n"
     "            if pieces[point] == position.pieces.get(point) and self.is_blocked(position.pieces, pieces[point], point):\n"
     "                continue\n"),
    ("names", "a row from 10 on is named by its last digit",
     'return f"{chr(ord(\'a\') + x)}{y + 1}"', 'return f"{chr(ord(\'a\') + x)}{(y + 1) % 10}"'),
    ("names", "a column from j on is named by the wrong letter",
     'return f"{chr(ord(\'a\') + x)}{y + 1}"', 'return f"{chr(ord(\'a\') + x + (x > 8))}{y + 1}"'),
    ("names", "actions are sorted by number, not byte by byte",
     "return sorted(self.actions_ignoring_status(position))",
     'return sorted(self.actions_ignoring_status(position),\n'
     '                      key=lambda a: [t.zfill(2) for t in re.findall("[0-9]+|[^0-9]", a.text)])'),
    ("names", "ten places without a pod are read as one and none",
     'r"[0-9]+|[A-Za-z]", row', 'r"[0-9]|[A-Za-z]", row'),
    ("names", "the counts of a hand have one digit",
     'r"([a-z]([1-9][0-9]?)?)+"', 'r"([a-z]([1-9])?)+"'),
    ("numbers", "a hand of 64 is one of 63", "pod * int(count or 1) for", "pod * min(int(count or 1), 63) for"),
    ("numbers", "placements look at the first 32 points only",
     "self.points = sorted(points)", "self.points = sorted(points)[:32]"),
    ("numbers", "a board of 64 points is refused", "1 <= len(points) <= 64", "1 <= len(points) < 64"),
    ("numbers", "counts are cut to 32 bits",
     'return {"type": "perft", "count": self.game.perft(\n            self.game.parse_position(request["position"]), depth)}',
     'return {"type": "perft", "count": 0xFFFFFFFF & self.game.perft(\n            self.game.parse_position(request["position"]), depth)}'),
    ("numbers", "a game that ends early counts as a sequence",
     "            return len(self.legal_actions(position))\n", "            return max(1, len(self.legal_actions(position)))\n"),
    ("state", "a board with the same points keeps the lines of an earlier game",
     "        self.current = build_game(request)\n",
     "        self.current = build_game(request)\n"
     "        boards = self.__dict__.setdefault('boards', {})\n"
     "        self.current.board = boards.setdefault(str(request['board']['points']), self.current.board)\n"),
    ("state", "the status of a position is remembered from an earlier game",
     '        return {"type": "status", "status": self.game.status(position)}',
     "        known = self.__dict__.setdefault('known', {})\n"
     '        return {"type": "status", "status": known.setdefault(request["position"], self.game.status(position))}'),
    ("state", "counts are remembered from an earlier game",
     'self.game.parse_position(request["position"]), depth)}',
     'self.game.parse_position(request["position"]), depth, self.__dict__.setdefault("counts", {}))}'),
]

# What --keep-going is asked with: four questions for each wrong reading.
KEEP_GOING = ["--keep-going", "--format", "csv", "--constructed", "4", "--positions", "0"]

# The traps of RULES.md, by number, each with the clauses that it may be named by first.
CAPTURED = "return [point for point in pieces if self.is_captured(pieces, point)]"
LIFTED = "        for point in self.captured(pieces, action):                  # (R18)\n"
STATUS = '"status": self.game.status(after), "returned"'
STUCK = ("        if winner is None and self.is_stuck(position):\n"
         "            winner = OTHER[position.to_move]\n")
TWIN = "        twin = Position(position.pieces, OTHER[position.to_move], position.hands, False)\n"
TRAPS = [
    (1, "R18", "a placement that blocks a friend and itself brings back itself only", [(CAPTURED, CAPTURED.replace(
        "]", " and (action.pod is None or point == action.target)]"))]),
    (1, "R12", "a placement may take a foe's last liberty", [(
        "if point in attacked_by_foe:",
        "if point in attacked_by_foe and not any(\n"
        "                piece.owner != position.to_move and set(self.liberties(pieces, piece, at)) == {point}\n"
        "                for at, piece in pieces.items()):")]),
    (2, "R18", "blocked pods are taken off one after the other, as they are read", [(
        LIFTED, LIFTED + "            if not self.is_captured(pieces, point):\n                continue\n")]),
    (2, "R18", "blocked pods are taken off one after the other, by name of their points", [(
        LIFTED, LIFTED.replace("self.captured(pieces, action)", "sorted(self.captured(pieces, action))")
        + "            if not self.is_captured(pieces, point):\n                continue\n")]),
    (2, "R18", "blocked pods are taken off one after the other, the opponent's first", [(
        LIFTED, LIFTED.replace("self.captured(pieces, action)",
                               "sorted(self.captured(pieces, action), key=lambda at: (pieces[at].owner == mover, at))")
        + "            if not self.is_captured(pieces, point):\n                continue\n")]),
    (3, "R19", "the last pod wins though it comes back", [
        ("    opening: bool              #", "    opening: bool              # winner: declared before captures\n    winner: Any = None         #"),
        ('        if self.rules["empty-hand"] == "wins":\n',
         '        if position.winner:\n            return position.winner\n        if self.rules["empty-hand"] == "wins":\n'),
        ("        returned: List[str] = []\n        removed",
         '        emptied = mover if self.rules["empty-hand"] == "wins" and not hands[mover] else None\n'
         "        returned: List[str] = []\n        removed"),
        ("after = Position(pieces, OTHER[mover], hands, opening=False)",
         "after = Position(pieces, OTHER[mover], hands, False, emptied)")]),
    (3, "R19", "pods that come back to an emptied hand are out", [(
        'hands[mover] = "".join(sorted(hands[mover] + "".join(returned)))',
        'if hands[mover] or self.rules["empty-hand"] == "loses":\n'
        '            hands[mover] = "".join(sorted(hands[mover] + "".join(returned)))')]),
    (3, "R19", "nothing is captured once the hand is empty", [(
        LIFTED, LIFTED.replace("self.captured(pieces, action)",
                               '(self.captured(pieces, action) if hands[mover] or self.rules["empty-hand"] == "loses" else [])'))]),
    (4, "R9 R13", "an opening bipod always needs a liberty", [(
        "if self.lacks_placement_liberty(pieces, placed, point):",
        "if self.lacks_placement_liberty(pieces, placed, point) or (\n"
        "                position.opening and self.is_blocked(pieces, placed, point)):")]),
    (4, "R9 R13", "an opening bipod never needs a liberty", [(
        "if self.lacks_placement_liberty(pieces, placed, point):",
        "if self.lacks_placement_liberty(pieces, placed, point) and not position.opening:")]),
    (4, "R18", "an opening bipod without a liberty stays", [(
        LIFTED, LIFTED.replace("self.captured(pieces, action)",
                               "([] if position.opening else self.captured(pieces, action))"))]),
    (5, "R11 R12", "a placement is illegal only if both pods attack each other", [
        ("if self.attacks_a_foe(pieces, placed, point):",
         "if any(self.attacks_a_foe({**{met: placed for met in pieces}, at: foe}, placed, point)\n"
         "               and point in self.attacks(pieces, foe, at)\n"
         "               for at, foe in pieces.items() if foe.owner != position.to_move):"),
        ("if point in attacked_by_foe:", "if False:")]),
    (5, "R11", "only attacks on the placed pod count", [("if self.attacks_a_foe(pieces, placed, point):", "if False:")]),
    (5, "R12", "only attacks of the placed pod count", [("if point in attacked_by_foe:", "if False:")]),
    (6, "R5", "a friend does not shield a foe", [(
        "yield from self.attack_of_leg(pieces, point, leg)",
        "yield from self.attack_of_leg({at: met for at, met in pieces.items() if met.owner != piece.owner}, point, leg)")]),
    (6, "R5", "a foe does not shield a foe", [(
        "yield from self.attack_of_leg(pieces, point, leg)",
        "yield from self.attack_of_leg({at: met for at, met in pieces.items() if met.owner == piece.owner}, point, leg)")]),
    (6, "R5", "nothing shields", [('if target in pieces and not self.on("attack-through"):', "if False:")]),
    (7, "R7 R18", "the point that a pod has left counts as occupied", [(
        LIFTED, "        left = {source: position.pieces[source] for source, _ in action.shifts[:1]}\n"
        + LIFTED.replace("self.captured(pieces, action)",
                         "[at for at in self.captured({**left, **pieces}, action) if at in pieces]"))]),
    (7, "R7 R18", "the point that a pod has left is a liberty of its own, whatever its legs", [(
        LIFTED, LIFTED + "            if action.shifts and point == action.shifts[0][1] and any(\n"
        "                    line[:1] == (action.shifts[0][0],) for line in self.board.line[point].values()):\n"
        "                continue\n")]),
    (8, "R18", "the moving pod is not captured", [(
        CAPTURED, CAPTURED.replace("]", " and (action.pod or point != action.shifts[0][1])]"))]),
    (8, "R18 R31", "a pod that was set up blocked and that a move frees is taken off", [(
        LIFTED, LIFTED.replace(
            "self.captured(pieces, action)",
            "self.captured(pieces, action) + [\n"
            "                at for at, piece in position.pieces.items() if pieces.get(at) == piece and self.captures_follow(action)\n"
            "                and self.is_captured(position.pieces, at) and not self.is_captured(pieces, at)]"))]),
    (9, "R5 R12", "a placement does not cut the lines of its own side", [
        ("    opening: bool              #", "    opening: bool              # uncut: attacks from before the placement\n    uncut: Any = frozenset()   #"),
        ("attacked = self.points_attacked_by(position.pieces, OTHER[position.to_move])\n        for pod in",
         "attacked = self.points_attacked_by(position.pieces, OTHER[position.to_move]) | position.uncut\n        for pod in"),
        ("after = Position(pieces, OTHER[mover], hands, opening=False)",
         "uncut = self.points_attacked_by(position.pieces, mover) if action.pod else frozenset()\n"
         "        after = Position(pieces, OTHER[mover], hands, False, uncut)")]),
    (10, "R15 R20", "a player who is stuck loses even when it is not that player's turn", [(
        STUCK, STUCK + TWIN + "        if winner is None and self.is_stuck(twin):\n            winner = position.to_move\n"),
        ("if self.winner_by_empty_hand(position) is not None:", "if self.status(position) != ONGOING:")]),
    (10, "R15 R20", "if both are stuck, the player who has just acted loses", [(
        STUCK, TWIN + STUCK.replace("OTHER[position.to_move]", "position.to_move if self.is_stuck(twin) else OTHER[position.to_move]"))]),
    (10, "R15 R20", "if only one is stuck, nobody has lost", [(
        STUCK, TWIN + STUCK.replace("self.is_stuck(position)", "self.is_stuck(position) and self.is_stuck(twin)"))]),
    (11, "R4", "Black's legs are not turned", [('if owner == "w":\n        return legs', "if owner:\n        return legs")]),
    (12, "R2", "Black's turns are looked up on the board turned by 180 degrees, if its points allow it", [
        ("        yield from self.placements(position)\n", "        self.board.look_from(position.to_move)\n"
         "        yield from self.placements(position)\n"),
        ("        mover, hands, pieces = position.to_move,",
         "        self.board.look_from(position.to_move)\n        mover, hands, pieces = position.to_move,"),
        ('def point_name(x: int, y: int) -> str:\n',
         "def look_from(self, side: str) -> None:\n"
         "    names = [(point, *place(point)) for point in self.points]\n"
         "    turned = {p: point_name(self.columns - 1 - x, self.rows - 1 - y) for p, x, y in names}\n"
         "    if not hasattr(self, 'as_it_lies'):\n"
         "        self.as_it_lies = self.line\n"
         "    self.line = self.as_it_lies\n"
         "    if side == 'b' and set(turned.values()) == set(self.points):\n"
         "        self.line = {p: {d: tuple(turned[q] for q in self.as_it_lies[turned[p]][OPPOSITE[d]]) for d in DIRECTIONS}\n"
         "                     for p in self.points}\n\n\n"
         "def place(point: str) -> Tuple[int, int]:\n"
         "    return ord(point[0]) - ord('a'), int(point[1:]) - 1\n\n\n"
         "Board.look_from = look_from\n\n\n"
         'def point_name(x: int, y: int) -> str:\n')]),
    (13, "R24", "a kick crosses holes", [(
        "for distance, target in enumerate(self.board.grid[kicked][leg.direction], start=1):",
        "for distance, target in enumerate(over_holes(self.board, kicked, leg.direction), start=1):"), (
        "class Game:\n",
        "def over_holes(board: Board, point: str, direction: str) -> List[str]:\n"
        "    x, y = ord(point[0]) - ord('a'), int(point[1:]) - 1\n"
        "    dx, dy = ('e' in direction) - ('w' in direction), ('n' in direction) - ('s' in direction)\n"
        "    met = [point_name(x + k * dx, y + k * dy) for k in range(1, 26) if x + k * dx >= 0 and y + k * dy >= 0]\n"
        "    return [there for there in met if there in board.line]\n\n\n"
        "class Game:\n")]),
    (13, "R24", "a kick needs lines", [("distance <= lines + 1", "distance <= lines"),
                                        ('self.rules["kick-gaps"] == "every-step" or ', "")]),
    (13, "R24", "a kicked pod does not come to rest at the edge", [(
        "if self.gaps_allow_kick(lines, distance) and",
        "if distance < len(self.board.grid[kicked][leg.direction]) and self.gaps_allow_kick(lines, distance) and")]),
    (13, "R22", "the last pod of a shove needs no line", [(
        "shifts = self.pushed(pieces, self.board.line[point][leg.direction][run:])",
        "line = self.board.line[point][leg.direction][run:]\n"
        "                    free = next((i for i, at in enumerate(line) if at not in pieces), None)\n"
        "                    shifts = self.pushed(pieces, line if free is not None else\n"
        "                                         line + self.board.grid[(line or (point,))[-1]][leg.direction][:1])")]),
]

HEADER = ["mutation", "clause", "what", "found", "right", "said", "clauses_named", "about", "games_before", "positions_before",
          "pods_on_board", "pods_in_hand", "points", "position", "seconds"]


TRAP_HEADER = ["mutation", "trap", "clause", "what", "right", "clauses_named", "said", "first_of_all", "misreading",
               "misread", "otherwise", "seconds"]


def run(pods, engine, *more):
    """Returns the answer of `pods conform` about an engine, and the time that it takes."""
    command = [pods, "conform", "--engine", f"{sys.executable} {engine}", "--seed", str(SEED), "--timeout", "600", *more]
    since = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    return done, time.monotonic() - since


def field(output, name):
    """Returns the rest of the line that begins with a name."""
    found = re.search(rf"^{name} +(.*)$", output, re.MULTILINE)
    return found.group(1) if found else ""


def hands(position):
    """Counts the pods in the two hands of a position's text."""
    total = 0
    for hand in position.split(" ")[2:4]:
        total += sum(int(count or 1) for _, count in re.findall(r"([a-z])([0-9]*)", hand))
    return total


def is_right(clause, named, about, said):
    """Returns whether the clause is named or, for bugs that are about none, what it is about."""
    if clause.startswith("R") and clause != "R21":
        return clause in named
    if clause in ("state", "R21"):
        return "keeps state" in said
    return not named or "the smallest position found has" in said


def row(number, clause, what, done, seconds):
    out = done.stdout
    named = re.findall(r"(?<![(])R[0-9]+", field(out, "clause"))
    position, said = field(out, "position"), field(out, "why")
    about = re.search(r"differs, in (?:a question about )?([^,\n]*)", out)
    about = about.group(1) if about else ""
    smallest = re.match(r"([0-9]+) pods in play, ([0-9]+) points", field(out, "smallest"))
    found = done.returncode == 1
    positions = int(re.match("[0-9]+", field(out, "positions")).group())
    on_board = sum(letter.isalpha() for letter in position.split(" ")[0]) if position else ""
    return [number, clause, what, "yes" if found and positions <= MOST_POSITIONS else "no",
            "yes" if found and is_right(clause, named, about, said) else "no", said, " ".join(named), about,
            field(out, "games"), positions, on_board, hands(position) if position else "",
            smallest.group(2) if smallest else "", position, f"{seconds:.1f}"]


def planted(engine, number, changes):
    """Returns the engine with some texts replaced, each of which it has once."""
    for old, new in changes:
        if engine.count(old) != 1:
            sys.exit(f"mutation {number}: its text is {engine.count(old)} times in the engine, not once: {old!r}")
        engine = engine.replace(old, new)
    return engine


def judged(pods, text, what, *more):
    """Returns the answer about the engine of this text, and the time."""
    with tempfile.TemporaryDirectory() as folder:
        mutant = Path(folder) / "conform_engine.py"
        mutant.write_text(text, encoding="utf-8")
        done, seconds = run(pods, mutant, *more)
    if done.returncode not in (0, 1):
        sys.exit(f"{what}: {done.stdout} {done.stderr}")
    return done, seconds


def plant(job):
    """Plants one mutation, and returns the answer about it."""
    pods, engine, number, (clause, what, old, new) = job
    done, seconds = judged(pods, planted(engine, number, [(old, new)]), what)
    result = row(number, clause, what, done, seconds)
    print(*result, sep="; ", flush=True)
    return result


def plant_trap(job):
    """Plants one trap, and returns what is said of it first."""
    pods, engine, number, (trap, clauses, what, changes) = job
    text = planted(engine, number, changes)
    done, seconds = judged(pods, text, what)
    named = re.findall(r"(?<![(])R[0-9]+", field(done.stdout, "clause"))
    all_of_them, _ = judged(pods, text, what, *KEEP_GOING)
    first = next(csv.DictReader(io.StringIO(all_of_them.stdout)), {})
    right = named[:1] and named[0] in clauses.split() and first.get("subject") in clauses.split()
    result = [number, trap, clauses, what, "yes" if right else "no", " ".join(named), field(done.stdout, "why"),
              first.get("subject"), first.get("misreading"), first.get("misread"), first.get("otherwise"), f"{seconds:.1f}"]
    print(*result, sep="; ", flush=True)
    return result


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--traps", action="store_true", help="plant the traps of RULES.md")
    arguments.add_argument("--pods", default="target/release/pods")
    arguments.add_argument("--out", type=Path, default=Path("results/conformance"))
    arguments.add_argument("--commit")
    arguments.add_argument("--jobs", type=int, default=1)
    arguments.add_argument("--only", help="the numbers of some mutations, separated by commas: nothing is written")
    options = arguments.parse_args()
    engine = (HERE / "conform_engine.py").read_text(encoding="utf-8")
    mutations, header = (TRAPS, TRAP_HEADER) if options.traps else (MUTATIONS, HEADER)
    only = [int(number) for number in options.only.split(",")] if options.only else range(1, len(mutations) + 1)
    jobs = [(options.pods, engine, number, mutations[number - 1]) for number in only]
    with ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(plant_trap if options.traps else plant, jobs))
    if not options.only:
        name = "traps" if options.traps else "mutations"
        write(options, name, header, rows, engine)
    right = sum(row[4] == "yes" for row in rows)
    print(f"{right} of {len(rows)} named rightly" if options.traps else
          f"{sum(row[3] == 'yes' for row in rows)} of {len(rows)} found, {right} named rightly")
    sys.exit(1 if options.traps and right < len(rows) else 0)


def write(options, name, header, rows, engine):
    """Writes a table and its manifest."""
    options.out.mkdir(parents=True, exist_ok=True)
    table = options.out / f"{name}.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    version = subprocess.run([options.pods, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    how = "its defaults, and with " + " ".join(KEEP_GOING) if options.traps else "its defaults"
    manifest = {
        "format": "pods-manifest", "version": 1, "program": version,
        "command": "python3 scripts/mutate_conform.py" + (" --traps" if options.traps else ""), "commit": options.commit,
        "rules": ["all presets and random rule sets"], "seed": SEED,
        "methods": [f"pods conform with {how}, against mutants of scripts/conform_engine.py"
                    + ("" if options.traps else f"; found means within {MOST_POSITIONS} positions")],
        "verified": [], "inputs": [{"name": "scripts/conform_engine.py",
                                    "sha256": hashlib.sha256(engine.encode()).hexdigest(),
                                    "source": "written from RULES.md alone"}],
        "result": f"{name}.csv", "rows": len(rows), "sha256": hashlib.sha256(table.read_bytes()).hexdigest(),
    }
    (options.out / f"{name}.manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
