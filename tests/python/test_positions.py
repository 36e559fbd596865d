"""Boards, pods, setups, positions and actions as values of Python."""

import copy
import pickle
from pathlib import Path

import podsgame
import pytest
from podsgame import Action, Board, PodSet, Position, Positions, Setup

BOARDS = Path(__file__).resolve().parents[2] / "boards"


@pytest.fixture(scope="module")
def setup():
    return Setup("nook9", "four", hands="bdt")


def the_same(value):
    """Returns whether copies, pickles and hashes keep a value."""
    again = pickle.loads(pickle.dumps(value))
    assert again == value and hash(again) == hash(value) and repr(again) == repr(value)
    assert copy.copy(value) is value and copy.deepcopy(value) is value


@pytest.mark.parametrize("name", podsgame.BOARDS)
@pytest.mark.parametrize("orientation", [0, 90, 180, 270])
def test_boards_are_values(name, orientation):
    board = Board(name, orientation)
    the_same(board)
    assert Board(board.to_toml(), orientation) == board
    assert board == Board(name).turned(orientation) and board.orientation == orientation
    assert (board == Board(name)) == (orientation == 0)
    assert len(board.points) == len(board) and len(set(board.lines)) == len(board.lines)
    assert board.picture().count("o") == len(board)


@pytest.mark.parametrize("name", podsgame.PODS)
def test_pods_are_values(name):
    pods = PodSet(name)
    the_same(pods)
    assert PodSet(pods.to_toml()) == pods
    assert sum(pods.count(id) for id in pods.ids) == len(pods)
    assert all(pods.legs(id) for id in pods.ids)


def test_a_board_file_is_read_and_its_faults_are_named(tmp_path):
    assert Board(str(BOARDS / "nook9.toml")) == Board("nook9")
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("name = 'x'\nsource = 'y'\npoints = '''\no-o?\n'''\n")
    with pytest.raises(podsgame.InputError, match="wrong.toml"):
        Board(str(wrong))
    with pytest.raises(podsgame.InputError, match="did you mean nook9"):
        Board("nok9")
    with pytest.raises(podsgame.InputError, match="0, 90, 180 or 270"):
        Board("nook9", 45)


@pytest.mark.parametrize("rules", [*podsgame.PRESETS, "advanced+captures=after-moves"])
def test_setups_are_values(rules):
    setup = Setup("nook9", "four", rules, orientation=90, hands="bdt:bt")
    the_same(setup)
    assert setup.rules == rules and setup.board == Board("nook9", 90)
    assert setup == Setup(setup.board, setup.pods, rules, hands="tdb:bt")
    assert setup != Setup("nook9", "four", rules, orientation=90, hands="bdt")


def test_wrong_setups_are_refused():
    for wrong in [dict(board="nowhere"), dict(pods="none"), dict(rules="chess"), dict(hands="zz"), dict(orientation=1)]:
        with pytest.raises(podsgame.InputError):
            Setup(**{"board": "nook9", "pods": "four", **wrong})
    with pytest.raises(podsgame.InputError, match="R9"):
        Setup("nook9", "four", hands="-:b")


@pytest.mark.parametrize("text, parts", [
    ("b@c3", ("place", "b", None, "c3", None)),
    ("c3-c5", ("move", None, "c3", "c5", None)),
    ("c3>c5", ("shove", None, "c3", "c5", None)),
    ("c3>c4+2", ("kick", None, "c3", "c4", 2)),
])
def test_actions_are_values(text, parts):
    action = Action(text)
    the_same(action)
    assert str(action) == text and repr(action) == f"Action('{text}')"
    assert (action.kind, action.pod, action.origin, action.target, action.distance) == parts
    assert text in [action] and action in {text} and hash(action) == hash(text)
    assert action != "b@a1" and action != Action("b@a1") and action != 3 and action != ("b", "a1")
    with pytest.raises(TypeError):
        action < text


@pytest.mark.parametrize("text", ["", "b@", "B@c3", "b@c0", "b@c03", "c3", "c3-", "c3>c4+0", "c3>c4+256", "b@c3 ", "é@a1"])
def test_texts_that_are_no_actions(text):
    with pytest.raises(podsgame.InputError, match="is no action"):
        Action(text)


def test_actions_sort_by_notation():
    texts = ["a10-a1", "a1>b1", "a1-b1", "b@a1", "a1>b1+2"]
    assert [str(action) for action in sorted(map(Action, texts))] == sorted(texts)


def test_a_position(setup):
    position = setup.position("3/1B1/2q w dt bt -")
    the_same(position)
    assert str(position) == "3/1B1/2q w dt bt -" and position.setup is setup
    assert position == Position(setup, "3/1B1/2q w dt bt -") != setup.start()
    assert (position.turn, position.is_open, position.status) == ("white", False, "ongoing")
    assert position.pods == {"b2": ("white", "b"), "c1": ("black", "q")}
    assert position.pod_at("b2") == ("white", "b") and position.pod_at("a1") is None
    assert (position.hand("white"), position.hand("black")) == ("dt", "bt")
    assert position.outcome() is None
    with pytest.raises(podsgame.InputError, match="no point"):
        position.pod_at("z9")
    with pytest.raises(podsgame.InputError):
        position.hand("green")


def test_a_text_that_is_no_position_is_refused_with_every_reason(setup):
    with pytest.raises(podsgame.InputError, match="column 1"):
        setup.position("3/3")
    with pytest.raises(podsgame.InputError, match="R29.*R29"):
        setup.position("4/2B/2q w bdt bt -")


def test_play_and_the_end(setup):
    position = setup.start()
    for action in ["d@a1", "b@b2", "b@a3", "d@b1"]:
        assert position.is_legal(action)
        position = position.play(Action(action))
    end = position.play("t@c3")
    outcome = end.outcome()
    assert (end.status, outcome.winner) == ("white_won", "white") and "R15" in outcome.reason
    assert end.legal_actions() == [] and len(end.children()) == 0


def test_an_illegal_action_says_clause_and_reason(setup):
    position = setup.position("3/1B1/2q w dt bt -")
    with pytest.raises(podsgame.IllegalAction) as raised:
        position.play("t@c2")
    error = raised.value
    assert (error.action, error.clause) == (Action("t@c2"), "R13") and "no liberty" in str(error)
    assert pickle.loads(pickle.dumps(error)).args == error.args
    with pytest.raises(podsgame.InputError, match="no pod z"):
        position.play("z@a1")
    explained = position.explain("t@c2")
    assert (explained.legal, explained.clause) == (False, "R13") and explained.text == error.reason
    assert "R13" in podsgame.clause("R13")[0]


def test_explanations_agree_with_the_legal_actions(setup):
    for rules in podsgame.PRESETS:
        position = Setup("nook9", "four", rules).position("3/1B1/2q w dt bt -")
        legal = {each.action for each in position.explain_all() if each.legal}
        assert legal == set(position.legal_actions())
        assert all(each.clause for each in position.explain_all() if not each.legal)
        assert position.legal_actions("reference") == position.legal_actions("fast")


def test_captures_are_told():
    setup = Setup("nook9", "four", "advanced")
    seen = set()
    frontier = Positions(setup, [setup.start()])
    for _ in range(4):
        frontier = Positions(setup, list(frontier.children().unique())[:300])
        for position in list(frontier)[:40]:
            for action in position.legal_actions():
                result = position.transition(action)
                assert result.position == position.play(action)
                seen.add((bool(result.returned), bool(result.removed)))
                if result.returned or result.removed:
                    assert "R18" in position.explain(action).text
    assert (True, False) in seen or (False, True) in seen, seen


def test_drawings(setup):
    for thing in [setup, setup.board, setup.pods, setup.start()]:
        assert thing._repr_svg_().startswith("<svg ")
    position = setup.position("3/1B1/2q w dt bt -")
    assert 'data-pod="b"' in position.svg() and position.svg("attacks") != position.svg("liberties") != position.svg()
    assert "B" in position.picture()


def test_perft_counts_what_playing_counts(setup):
    start = setup.start()
    children = Positions(setup, [start])
    for depth in range(4):
        assert start.perft(depth) == len(children)
        children = children.children()


def test_positions_in_bulk(setup):
    start = Positions(setup, [setup.start()])
    children = start.children().children()
    assert children == Positions(setup, children.texts()) == Positions(setup, iter(children))
    assert pickle.loads(pickle.dumps(children)) == children
    lists = children.legal_actions()
    assert [list(actions) for actions in lists] == [position.legal_actions() for position in children]
    assert lists.total == sum(len(actions) for actions in lists)
    codes = {"ongoing": 0, "white_won": 1, "black_won": 2}
    assert list(children.statuses()) == [codes[position.status] for position in children]
    unique = children.unique()
    assert len(set(unique)) == len(unique) == len(set(children.texts()))
    data = children.to_bytes()
    assert len(data) == len(children) * children.width
    assert Positions.from_bytes(setup, data) == children
    assert children[-1] == children[len(children) - 1]
    with pytest.raises(IndexError):
        children[len(children)]
    with pytest.raises(podsgame.InputError, match="position 1: "):
        Positions.from_bytes(setup, data[:children.width] + b"\xff" * children.width)
    with pytest.raises(podsgame.InputError):
        Positions.from_bytes(setup, data[:-1])
    # What no row can be: a kind, a flag, a pod too many, an opening with an empty hand.
    row = Positions(setup, [setup.start()]).to_bytes()
    hand, kinds = len(setup.board), len(setup.pods.ids)
    wrong = [(0, b"\x09", "at most 8"), (len(row) - 1, b"\x04", "at most 3"), (hand, b"\x02", "R29"), (hand, bytes(kinds), "R9")]
    for at, given, why in wrong:
        with pytest.raises(podsgame.InputError, match="position 1: .*" + why):
            Positions.from_bytes(setup, row + row[:at] + given + row[at + len(given):])
    other = Setup("nook9", "four", "advanced")
    with pytest.raises(podsgame.InputError, match="another setup"):
        Positions(other, children)


@pytest.mark.parametrize("rules", podsgame.PRESETS)
def test_numbers_of_actions(rules):
    setup = Setup("den12", "four", rules)
    space = setup.action_space()
    assert space == sorted(space) and len(space) == setup.action_count
    assert all(setup.action_number(action) == number for number, action in enumerate(space))
    position = setup.start()
    while position.status == "ongoing" and len(position.pods) < 5:
        numbers = position.legal_numbers()
        assert [setup.action(number) for number in numbers] == position.legal_actions()
        position = position.play_number(numbers[len(numbers) // 2])
