#!/usr/bin/env python3
"""Self-test of conform_engine.py: the traps of RULES.md, a few more clauses, the protocol.

Boards are written as the pictures of FORMATS.md.  Run: python3 test_conform_engine.py
"""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any, Dict, List

import conform_engine
from conform_engine import OPPOSITE, Session

ENGINE = Path(conform_engine.__file__)

STANDARD = {"moves": "off", "shoves": "off", "placement-liberty": "on", "captures": "never",
            "empty-hand": "loses", "opening": "any", "attack-through": "off",
            "shove-after-run": "on", "kick-gaps": "every-step", "shove-liberty": "off"}
BASIC_AUTHOR = {**STANDARD, "empty-hand": "wins"}
ADVANCED = {**STANDARD, "moves": "on", "placement-liberty": "off", "captures": "every-turn",
            "empty-hand": "wins"}
VERY_ADVANCED = {**ADVANCED, "shoves": "on", "placement-liberty": "on", "captures": "after-moves"}

# Legs of the pods used here, all on one sheet.
PODS = {"a": "n", "b": "w e", "c": "e", "d": "w", "e": "E", "h": "W E", "k": "W E N",
        "m": "nw se", "n": "ne sw", "o": "n ne e se s sw w nw", "v": "n s", "z": "E n"}
ROW4, ROW5, ROW6 = "o-o-o-o", "o-o-o-o-o", "o-o-o-o-o-o"


def picture(text: str) -> Dict[str, Any]:
    """Returns the board of a `points` picture (rows from the top, as in a board file)."""
    grid = text.split("\n")
    rows, columns = (len(grid) + 1) // 2, (max(map(len, grid)) + 1) // 2

    def char(y: int, x: int) -> str:
        return grid[y][x] if 0 <= y < len(grid) and 0 <= x < len(grid[y]) else " "

    def name(y: int, x: int) -> str:
        return "abcdefghijklmnopqrstuvwxyz"[x // 2] + str(rows - y // 2)

    points = [name(y, x) for y in range(0, 2 * rows, 2) for x in range(0, 2 * columns, 2)
              if char(y, x) == "o"]
    lines = []
    for y in range(len(grid)):
        for x in range(2 * columns):
            mark = char(y, x)
            if mark == "-":
                lines.append([name(y, x - 1), name(y, x + 1)])
            if mark == "|":
                lines.append([name(y - 1, x), name(y + 1, x)])
            if mark in "\\X":
                lines.append([name(y - 1, x - 1), name(y + 1, x + 1)])
            if mark in "/X":
                lines.append([name(y + 1, x - 1), name(y - 1, x + 1)])
    return {"points": points, "lines": lines, "columns": columns, "rows": rows}


def turned(board: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the board turned by 180 degrees (R2)."""
    def turn(point: str) -> str:
        return chr(ord("a") + board["columns"] - 1 - (ord(point[0]) - ord("a"))) \
            + str(board["rows"] + 1 - int(point[1:]))
    return {**board, "points": [turn(p) for p in board["points"]],
            "lines": [[turn(p), turn(q)] for p, q in board["lines"]]}


class Driver:
    """A game under test, asked through the protocol as the real driver asks."""

    def __init__(self, board: Any, rules: Dict[str, str], white: str = "bo", black: str = "bo",
                 pods: Dict[str, str] = PODS, **options: str):
        self.session = Session()
        rules = {**rules, **{name.replace("_", "-"): value for name, value in options.items()}}
        reply = self.ask("game", board=picture(board) if isinstance(board, str) else board,
                         pods=[{"id": i, "legs": legs, "count": 9} for i, legs in pods.items()],
                         rules=rules, white_hand=white, black_hand=black)
        assert reply["type"] == "ok", reply

    def ask(self, kind: str, **fields: Any) -> Dict[str, Any]:
        return self.session.answer(json.dumps({"id": 7, "type": kind, **fields}))[0]

    def moves(self, position: str) -> List[str]:
        reply = self.ask("moves", position=position)
        assert reply["type"] == "moves", reply
        return reply["actions"]

    def moves_from(self, position: str, point: str) -> List[str]:
        return [a for a in self.moves(position) if a.startswith(point)]

    def apply(self, position: str, action: str) -> Dict[str, Any]:
        return self.ask("apply", position=position, action=action)

    def status(self, position: str) -> str:
        return self.ask("status", position=position)["status"]

    def perft(self, position: str, depth: int) -> int:
        return self.ask("perft", position=position, depth=depth)["count"]


class Traps(unittest.TestCase):
    """The 13 traps of RULES.md, in order."""

    def applied(self, game: Driver, position: str, action: str, after: str, returned: str = "",
                removed: str = "", status: str = "ongoing") -> None:
        reply = game.apply(position, action)
        self.assertEqual(reply, {"id": 7, "type": "applied", "position": after, "status": status,
                                 "returned": list(returned), "removed": list(removed)})

    def test_01_friend_foe_and_self_captured_at_once(self) -> None:
        # A placement cannot take a foe's liberty: the foe's leg attacks that point (R12).
        game = Driver("o-o-o o-o", ADVANCED)
        self.assertEqual(game.apply("C1c2 w ov o -", "v@b1").get("clause"), "R12")
        # It can take the last liberty of friend C, with itself (legs n s) blocked, and a foe
        # that the set position held blocked (R31) goes with them.
        self.applied(game, "C3v w ov o -", "v@b1", "5 b cov o -", returned="cv", removed="v")
        # A move can take a foe's: White's a (leg n) steps from b1 to b2 between both c.
        game = Driver("o-o-o\n  |  \n  o  ", ADVANCED)
        self.applied(game, "C1c/1A1 w o o -", "b1-b2", "3/3 b aco o -", returned="ac", removed="c")

    def test_02_mutual_blockers_are_both_captured(self) -> None:
        # b1 and c1 block each other, and after White's distant placement both go.
        game = Driver("o-o-o-o o", ADVANCED)
        self.applied(game, "1CD2 w bo o -", "b@e1", "5 b bcdo o -", returned="bcd")
        game = Driver("o-o o-o", ADVANCED)            # one of each side
        self.applied(game, "Cc2 w bo o -", "b@d1", "3B b co o -", returned="c", removed="c")

    def test_03_last_pod(self) -> None:
        game = Driver(ROW5, ADVANCED)
        with self.subTest("the last pod itself comes back"):
            self.applied(game, "5 w v o -", "v@c1", "5 b v o -", returned="v")
        with self.subTest("another own pod comes back"):
            self.applied(game, "C4 w b o -", "b@b1", "1B3 b c o -", returned="c")
        with self.subTest("only enemy pods are blocked"):
            self.applied(game, "4v w b o -", "b@b1", "1B3 b - o -", removed="v", status="white_won")

    def test_04_opening_bipod_without_liberty(self) -> None:
        game = Driver(ROW5, ADVANCED, white="bov", black="o")
        self.assertEqual({a[0] for a in game.moves("5 w bov o open")}, {"b", "v"})
        self.applied(game, "5 w bov o open", "v@c1", "5 b bov o -", returned="v")
        game = Driver(ROW5, STANDARD, white="bov", black="o")
        self.assertEqual(game.moves("5 w bov o open"), [f"b@{c}1" for c in "abcde"])
        self.assertEqual(game.apply("5 w bov o open", "v@c1"),
                         {"id": 7, "type": "illegal", "clause": "R13"})

    def test_05_one_way_attacks(self) -> None:
        game = Driver(ROW4, STANDARD)
        # White's d (leg w) at b1 would attack Black's a, whose one leg does not attack b1: R11.
        self.assertEqual(game.apply("a3 w do o -", "d@b1").get("clause"), "R11")
        # Black's c looks w and attacks a1; White's d there would not attack back: R12.
        self.assertEqual(game.apply("1c2 w d o -", "d@a1").get("clause"), "R12")
        self.assertEqual(game.moves("1c2 w d o -"), ["d@d1"])     # at c1 it would attack b1

    def test_06_pods_in_between_and_attack_through(self) -> None:
        # e (leg E) at a1, something at b1, a foe at d1.
        for between in "Aa":
            game = Driver(ROW4, STANDARD, placement_liberty="off")
            # A friend between stops the leg; a foe between is attacked itself.
            self.assertEqual("e@a1" in game.moves(f"1{between}1a w e o -"), between == "A")
            # Black's e at d1 looks w through c1 to b1 and a1.
            self.assertEqual("v@a1" in game.moves(f"1{between}1e w v o -"), True)
            game = Driver(ROW4, STANDARD, placement_liberty="off", attack_through="on")
            self.assertNotIn("e@a1", game.moves(f"1{between}1a w e o -"))
            self.assertNotIn("v@a1", game.moves(f"1{between}1e w v o -"))

    def test_06_attack_through_does_not_change_moves(self) -> None:
        game = Driver(ROW4, ADVANCED, attack_through="on")
        self.assertEqual(game.moves_from("E1A1 w o o -", "a1"), ["a1-b1"])

    def test_07_the_point_left_behind(self) -> None:
        game = Driver(ROW6, ADVANCED)
        # c (leg e) moves next to O and is blocked: none of its legs points back to b1, which
        # is a liberty for the friend at a1.
        self.applied(game, "BC1O2 w o o -", "b1-c1", "B2O2 b co o -", returned="c")
        # b (legs w e) makes the same move, and its w leg points back.
        self.applied(game, "1B1O2 w o o -", "b1-c1", "2BO2 b o o -")

    def test_08_self_capture_and_liberation(self) -> None:
        game = Driver(ROW6, ADVANCED)
        # c runs into the edge and captures itself.
        self.applied(game, "4C1 w o o -", "e1-f1", "6 b co o -", returned="c")
        # a1 (leg e) is blocked in the set position (R31); b1 moves away and frees it ...
        self.applied(game, "CB4 w o o -", "b1-c1", "C1B3 b o o -")
        # ... while another action takes it.
        self.applied(game, "CB4 w no o -", "o@f1", "1B3O b cn o -", returned="c")

    def test_09_own_placement_opens_a_point(self) -> None:
        # Black's e at e1 attacks a1..d1 and forbids v@a1; Black's own pod at c1 stops it.
        game = Driver("o o    \n| |    \no-o-o-o-o", STANDARD)
        self.assertNotIn("v@a1", game.moves("5/4e w v o -"))
        self.assertIn("v@a1", game.moves("5/2v1e w v o -"))

    def test_10_stuck(self) -> None:
        game = Driver("o-o o", STANDARD)                   # c1 has no lines; v has no liberty
        self.assertEqual(game.status("3 w v v -"), "black_won")        # both stuck, White moves
        self.assertEqual(game.status("3 b v v -"), "white_won")        # both stuck, Black moves
        self.assertEqual(game.status("3 w v b -"), "black_won")        # mover stuck alone
        self.assertEqual(game.moves("3 w v b -"), [])
        self.assertEqual(game.status("3 w b v -"), "ongoing")          # opponent stuck alone
        self.applied(game, "3 w b v -", "b@a1", "B2 b - v -", status="white_won")
        # R20 with moves: nothing to place, but a move is left; then not even that.
        game = Driver("o-o", ADVANCED, empty_hand="loses")
        self.assertEqual(game.moves("B1 w - b -"), ["a1-b1"])
        self.assertEqual(game.status("Bv w - b -"), "black_won")

    def test_11_black_legs_are_turned(self) -> None:
        game = Driver("o\n|\no\n|\no", STANDARD)
        self.assertEqual(game.moves("1/1/1 w a a -"), ["a@a1", "a@a2"])
        self.assertEqual(game.moves("1/1/1 b a a -"), ["a@a2", "a@a3"])
        self.assertEqual(game.apply("a/1/1 w v v -", "v@a2").get("clause"), "R11")
        self.assertNotIn("v@a2", Driver("o\n|\no\n|\no", STANDARD).moves("a/1/1 w a a -"))

    def test_12_orientations_0_and_180(self) -> None:
        symmetric = picture("o-o o\n|\\|\\|\no-o-o\n|\\|\\|\no o-o")
        lopsided = picture("o-o o\n|/| |\no-o-o\n| |X \no-o-o")
        uneven = {"b": "w E", "t": "n ne S"}
        even = {"b": "w E", "c": "W e", "t": "n ne S", "u": "s sw N"}   # closed under a turn

        def counts(board: Any, pods: Dict[str, str], side: str = "w") -> List[int]:
            hand = "".join(sorted(pods))
            game = Driver(board, VERY_ADVANCED, hand, hand, pods)
            return [game.perft(f"3/3/3 {side} {hand} {hand} open", depth) for depth in (1, 2, 3)]

        self.assertEqual(counts(symmetric, uneven), counts(turned(symmetric), uneven))
        self.assertEqual(counts(lopsided, even), counts(turned(lopsided), even))
        self.assertNotEqual(counts(lopsided, uneven), counts(turned(lopsided), uneven))
        # Always: to turn the board is to change seats.
        for board, pods in ((lopsided, uneven), (lopsided, even), (symmetric, uneven)):
            self.assertEqual(counts(turned(board), pods, "w"), counts(board, pods, "b"))

    def test_13_kicks(self) -> None:
        # a1-b1-c1 are joined, d1 and e1 are not joined to anything, f1 is a hole, then g1.
        game = Driver("o-o-o o o   o", VERY_ADVANCED)
        self.assertEqual(game.moves_from("Eb5 w o o -", "a1"),
                         ["a1>b1", "a1>b1+2", "a1>b1+3"])          # R25; not over the hole
        self.assertEqual(game.moves_from("Eb1v3 w o o -", "a1"), ["a1>b1"])    # nor over a pod
        game = Driver("o-o-o o o", VERY_ADVANCED, captures="never", placement_liberty="off")
        self.applied(game, "Eb3 w o o -", "a1>b1+3", "1E2b b o o -")           # onto the edge
        game = Driver("o-o-o o o", VERY_ADVANCED, kick_gaps="last-step")
        self.assertEqual(game.moves_from("Eb3 w o o -", "a1"), ["a1>b1", "a1>b1+2"])
        # Where the first step already lacks a line, the kick by one is no shove.
        game = Driver("o-o o o", VERY_ADVANCED, kick_gaps="last-step")
        self.assertEqual(game.moves_from("Eb2 w o o -", "a1"), ["a1>b1+1"])
        game = Driver("o-o o o", VERY_ADVANCED)
        self.assertEqual(game.moves_from("Eb2 w o o -", "a1"), ["a1>b1+1", "a1>b1+2"])
        # A short leg never kicks; a long one does not after a run.
        self.assertEqual(game.moves_from("Cb2 w o o -", "a1"), [])
        game = Driver("o-o-o o", VERY_ADVANCED)
        self.assertEqual(game.moves_from("E1b1 w o o -", "a1"), ["a1-b1"])

    def test_13_shove_chains(self) -> None:
        game = Driver("o-o-o-o-o", VERY_ADVANCED, captures="never")
        self.applied(game, "Cbvo1 w o o -", "a1>b1", "1Cbvo b o o -")
        game = Driver("o-o-o-o o", VERY_ADVANCED)                     # last step unconnected
        self.assertEqual(game.moves_from("Cbvo1 w o o -", "a1"), [])
        game = Driver("o-o-o-o", VERY_ADVANCED)                       # or over the edge
        self.assertEqual(game.moves_from("Ebvo w o o -", "a1"), [])


class OtherClauses(unittest.TestCase):

    def test_r09_opening(self) -> None:
        game = Driver(ROW4, ADVANCED, "bo", "bo")
        self.assertEqual(game.moves("B3 w bo o open"), ["b@b1", "b@c1", "b@d1"])
        self.assertEqual(game.apply("4 w bo o open", "o@a1").get("clause"), "R9")
        self.assertEqual(game.apply("4 w bc o open", "c@a1").get("clause"), "R9")   # one leg
        self.assertIn("R9", game.ask("moves", position="4 w o bo open")["message"])
        reply = game.ask("game", board=picture(ROW4), pods=[{"id": "o", "legs": "n e s"}],
                         rules={**STANDARD, "opening": "bipod"}, white_hand="o", black_hand="o")
        self.assertIn("R9", reply["message"])
        self.assertEqual(game.ask("status", position="4 w bo o -")["type"], "error")

    def test_r17_moves(self) -> None:
        game = Driver("o-o-o o\n|/ /   \no o o o", ADVANCED)
        self.assertEqual(game.moves_from("Z3/4 w o o -", "a2"), ["a2-b2", "a2-c2"])
        self.assertEqual(game.moves_from("4/Z3 w o o -", "a1"), ["a1-a2"])
        self.assertEqual(game.moves_from("4/N3 w o o -", "a1"), ["a1-b2"])
        self.assertEqual(game.moves_from("Z1v1/4 w o o -", "a2"), ["a2-b2"])

    def test_r18_after_moves_spares_placements(self) -> None:
        game = Driver(ROW4, VERY_ADVANCED)
        self.assertEqual(game.apply("CB2 w no o -", "o@d1")["position"], "CB1O b n o -")
        self.assertEqual(game.apply("CB2 b o no -", "o@d1")["type"], "applied")
        game = Driver(ROW5, VERY_ADVANCED)
        self.assertEqual(game.apply("CB1B1 w o o -", "d1-e1")["returned"], ["c"])

    def test_r23_shove_after_run(self) -> None:
        game = Driver(ROW5, VERY_ADVANCED)
        self.assertEqual(game.moves_from("E1v2 w o o -", "a1"), ["a1-b1", "a1>c1"])
        self.assertEqual(game.moves_from("C1v2 w o o -", "a1"), ["a1-b1"])
        self.assertEqual(game.moves_from("1CV2 w o o -", "b1"), ["b1>c1"])    # friends too
        game = Driver(ROW5, VERY_ADVANCED, shove_after_run="off")
        self.assertEqual(game.moves_from("E1v2 w o o -", "a1"), ["a1-b1"])
        self.assertEqual(game.moves_from("Ev3 w o o -", "a1"), ["a1>b1", "a1>b1+2", "a1>b1+3"])

    def test_r27_shove_liberty(self) -> None:
        # White's d1-e1 brings captures; e at a1 is blocked by b1 but could shove it on.
        for option, returned in (("off", ["e"]), ("on", [])):
            game = Driver(ROW6, VERY_ADVANCED, shove_liberty=option)
            self.assertEqual(game.apply("EB1B2 w o o -", "d1-e1")["returned"], returned)
            # The same for an enemy pod, whose owner is not to move.
            self.assertEqual(game.apply("1B1B1e w o o -", "d1-e1")["removed"], returned)
        # Without shoves the option has no effect.
        game = Driver(ROW6, ADVANCED, shove_liberty="on")
        self.assertEqual(game.apply("EB1B2 w o o -", "d1-e1")["returned"], ["e"])

    def test_r30_empty_hands(self) -> None:
        game = Driver(ROW4, ADVANCED)
        self.assertEqual(game.status("4 w b - -"), "black_won")
        self.assertEqual(game.status("4 w - b -"), "white_won")
        self.assertEqual(game.status("4 w - - -"), "black_won")     # not to move: asked first
        self.assertEqual(game.status("4 b - - -"), "white_won")
        game = Driver(ROW4, STANDARD)
        self.assertEqual(game.status("4 w b - -"), "ongoing")
        self.assertEqual(game.status("4 w - - -"), "black_won")
        game = Driver(ROW4, BASIC_AUTHOR)
        self.assertEqual(game.apply("4 w b b -", "b@a1")["status"], "white_won")

    def test_perft(self) -> None:
        game = Driver(ROW4, STANDARD)
        self.assertEqual([game.perft("4 w - b -", depth) for depth in (0, 1, 2)], [1, 0, 0])
        # b@a1 leaves c1 d1 to Black's b, b@b1 leaves d1, and so on.
        self.assertEqual([game.perft("4 w b b -", depth) for depth in (1, 2, 3)], [4, 6, 0])

    def test_random_games_keep_the_books(self) -> None:
        """Pods on the board, in hand and out add up; texts round trip; perft(2) is a sum."""
        chance = random.Random(34)
        board = "o-o-o-o\n|X|/|\\|\no-o o-o\n|\\|X| |\no-o-o-o\n  |/| |\n  o-o-o"
        for rules in (STANDARD, BASIC_AUTHOR, ADVANCED, VERY_ADVANCED):
            for _ in range(6):
                game = Driver(board, rules, "bknoz", "bknoz")
                position = "4/4/4/4 w bknoz bknoz open"
                out = {"w": 0, "b": 0}
                for _ in range(40):
                    actions = game.moves(position)
                    self.assertEqual(actions, sorted(actions))
                    self.assertEqual(len(actions), len(set(actions)))
                    if not actions:
                        self.assertNotEqual(game.status(position), "ongoing")
                        break
                    after = {a: game.apply(position, a) for a in actions}
                    self.assertEqual(game.perft(position, 2), sum(
                        len(game.moves(reply["position"])) for reply in after.values()))
                    mover = position.split()[1]
                    reply = after[chance.choice(actions)]
                    out["b" if mover == "w" else "w"] += len(reply["removed"])
                    position = reply["position"]
                    rows, _side, white, black, _open = position.split()
                    white_pods = sum(c.isupper() for c in rows) + sum(c.isalpha() for c in white)
                    black_pods = sum(c.islower() for c in rows) + sum(c.isalpha() for c in black)
                    self.assertEqual((white_pods + out["w"], black_pods + out["b"]), (5, 5))


class Texts(unittest.TestCase):

    def test_bad_positions(self) -> None:
        game = Driver("o-o o\n    |\no-o-o", STANDARD, pods={"b": "w e"}, white="b", black="b")
        for good in ("3/3 w b2 b -", "B1b/3 b b - -"):
            self.assertNotEqual(game.ask("status", position=good)["type"], "error")
        hole = Driver("o-o  \n|   \no-o-o", STANDARD)
        for game, bad in ((game, "3/3 w b2 b"), (game, "12/3 w b b -"), (game, "3/3/3 w b b -"),
                          (game, "4/3 w b b -"), (game, "3/3 w bb b -"), (game, "3/3 w q b -"),
                          (game, "3/3 x b b -"), (game, "3/3 w b b maybe"), (game, "3/?3 w b b -"),
                          (game, "Q2/3 w b b -"), (game, "3/3 w b10 b -"), (game, "3B/3 w b b -"),
                          (hole, "2B/3 w b b -"), (game, "")):
            self.assertEqual(game.ask("status", position=bad)["type"], "error", bad)

    def test_bad_games(self) -> None:
        good = {"board": picture(ROW4), "pods": [{"id": "b", "legs": "w E"}], "rules": STANDARD,
                "white_hand": "b", "black_hand": "b"}
        self.assertEqual(Driver(ROW4, STANDARD).ask("game", **good)["type"], "ok")
        for bad in ({"rules": {**STANDARD, "captures": "on"}}, {"rules": {}}, {"white_hand": "q"},
                    {"pods": [{"id": "b", "legs": "w W"}]}, {"pods": [{"id": "b", "legs": "x"}]},
                    {"pods": [{"id": "b", "legs": "Ne"}]}, {"pods": [{"id": "b", "legs": ""}]},
                    {"pods": good["pods"] * 2}, {"board": {"points": ["a1"]}},
                    {"board": {**good["board"], "lines": [["a1", "c1"]]}},
                    {"board": {**good["board"], "lines": [["a1", "b1"], ["b1", "a1"]]}},
                    {"board": {**good["board"], "lines": [["a1", "b1"], ["a1", "b1"]]}},
                    {"pods": [{**good["pods"][0], "count": 0}]}, {"pods": [{**good["pods"][0], "count": "1"}]},
                    {"white_hand": None}, {"id": "7"}, {"id": None}, {"id": -1}, {"id": True},
                    {"board": {**good["board"], "columns": 3}}):
            game = Driver(ROW4, STANDARD)
            self.assertEqual(game.ask("game", **{**good, **bad})["type"], "error", bad)
            self.assertEqual(game.ask("status", position="4 w b b -")["type"], "error")


    def test_budgets_are_above_0(self) -> None:
        game = Driver(ROW4, STANDARD)
        for name in ("milliseconds", "nodes", "depth"):
            for number, answer in ((0, "error"), (-1, "error"), (1.5, "error"), (None, "error"), (1, "best")):
                reply = game.ask("best", position="4 w b b -", **{name: number})
                self.assertEqual(reply["type"], answer, (name, number))


class Conversation(unittest.TestCase):

    def test_lines_that_harm_are_errors_and_the_conversation_goes_on(self) -> None:
        lines = [b"[" * 100_000, b"\xff", b'{"id":1,"type":"dance\xff"}', b'{"id":"\\ud800","type":"quit"}',
                 b'{"id":1,"type":"\\ud800"}', b'{"id":' + b"9" * 5000 + b"}", b'{"id":NaN,"type":"quit"}',
                 b'{"id":2,"type":"quit"}']
        run = subprocess.run([sys.executable, str(ENGINE)], capture_output=True, input=b"\n".join(lines))
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        replies = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([(r["id"], r["type"]) for r in replies],
                         [(None, "error")] * 4 + [(1, "error")] + [(None, "error")] * 2 + [(2, "ok")])

    def test_in_a_process(self) -> None:
        requests = [
            {"id": 0, "type": "hello", "protocol": "pods-conformance", "version": 1},
            {"id": 1, "type": "game", "board": picture(ROW4), "rules": {**STANDARD, "opening": "bipod"},
             "pods": [{"id": "b", "legs": "w e"}], "white_hand": "b", "black_hand": "b"},
            {"id": 2, "type": "moves", "position": "4 w b b open"},
            {"id": 3, "type": "apply", "position": "4 w b b open", "action": "b@a1"},
            {"id": 4, "type": "apply", "position": "4 w b b open", "action": "nonsense"},
            {"id": 5, "type": "perft", "position": "4 w b b open", "depth": 2},
            {"id": 6, "type": "dance"},
            {"id": 7, "type": "best", "position": "4 w b b open", "milliseconds": 1000},
            {"id": 8, "type": "best", "position": "B3 b - b -"},
            {"id": 9, "type": "best", "position": "4 w b b open", "milliseconds": "1"},
            {"id": 10, "type": "quit"}]
        run = subprocess.run([sys.executable, str(ENGINE)], text=True, capture_output=True,
                             input="".join(json.dumps(r) + "\n" for r in requests) + "not read\n")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        replies = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([r.pop("id") for r in replies], list(range(11)))
        self.assertEqual(replies[0].pop("name"), conform_engine.NAME)
        self.assertEqual(replies[:6], [
            {"type": "hello", "protocol": "pods-conformance", "version": 1,
             "capabilities": ["large-counts", "best"]},
            {"type": "ok"},
            {"type": "moves", "status": "ongoing", "actions": ["b@a1", "b@b1", "b@c1", "b@d1"]},
            {"type": "applied", "position": "B3 b - b -", "status": "ongoing",
             "returned": [], "removed": []},
            {"type": "illegal"},
            {"type": "perft", "count": 6}])
        self.assertEqual([r["type"] for r in replies[6:]], ["error", "best", "best", "error", "ok"])
        self.assertEqual(replies[7]["action"], "b@b1")   # leaves the fewest placements
        self.assertEqual(replies[8]["action"], "b@c1")   # wins at once

    def test_other_version_garbage_and_end_of_input(self) -> None:
        out = io.StringIO()
        conform_engine.main(io.StringIO('{"id":0,"type":"hello","protocol":"pods-conformance",'
                                        '"version":2}\n{\n[]\n{"id":3,"type":[]}\n'
                                        '{"id":4,"type":"moves","position":"4 w b b -"}\n'), out)
        replies = [json.loads(line) for line in out.getvalue().splitlines()]
        self.assertEqual([(r["id"], r["type"]) for r in replies],
                         [(0, "error"), (None, "error"), (None, "error"), (3, "error"), (4, "error")])


if __name__ == "__main__":
    assert all(OPPOSITE[OPPOSITE[d]] == d for d in OPPOSITE)
    unittest.main()
