"""PODS as a game of OpenSpiel: its own tests, its own solvers, and the exact values."""

from pathlib import Path

import podsgame
import pytest
from podsgame import Draw, Loss, Setup, Win

pyspiel = pytest.importorskip("pyspiel")

import numpy  # noqa: E402
from absl import flags  # noqa: E402
import podsgame.openspiel  # noqa: E402
from open_spiel.python.algorithms import generate_playthrough, mcts, minimax  # noqa: E402

# The replay reads a flag, which must have been parsed.
flags.FLAGS(["tests"])

PLAYTHROUGHS = Path(__file__).resolve().parent / "playthroughs"

SMALL = [
    dict(board="nook9", pods="duo", rules="standard"),
    dict(board="nook9", pods="four", rules="standard", hands="bdt"),
    dict(board="nook9", pods="four", rules="basic-author", hands="bdt", orientation=180),
]


@pytest.mark.parametrize("rules", podsgame.PRESETS)
@pytest.mark.parametrize("board, pods", [("nook9", "four"), ("ring8", "trio")])
def test_random_games(rules, board, pods):
    game = pyspiel.load_game("pods", {"board": board, "pods": pods, "rules": rules, "max_length": 40})
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_the_whole_game():
    game = pyspiel.load_game("pods")
    assert game.num_distinct_actions() == Setup().action_count
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("path", sorted(PLAYTHROUGHS.glob("*.txt")), ids=lambda path: path.stem)
def test_playthroughs(path):
    expected, actual = generate_playthrough.replay(str(path))
    assert expected.splitlines() == actual.splitlines()


def test_there_are_playthroughs():
    assert len(list(PLAYTHROUGHS.glob("*.txt"))) == 3


def worth(value):
    return {Win: 1.0, Draw: 0.0, Loss: -1.0}[type(value)]


def setup_of(given):
    return Setup(given["board"], given["pods"], given["rules"], orientation=given.get("orientation", 0),
                 hands=given.get("hands"))


@pytest.mark.parametrize("given", SMALL, ids=str)
def test_alpha_beta_finds_the_exact_value(given):
    game = pyspiel.load_game("pods", given)
    solution = podsgame.solve(setup_of(given).start())
    value, action = minimax.alpha_beta_search(game)
    assert value == worth(solution.value)
    if value > 0:
        after = solution.position.play_number(action)
        assert isinstance(podsgame.solve(after).value, Loss)


@pytest.mark.parametrize("given", SMALL, ids=str)
def test_tree_search_finds_an_action_that_keeps_the_value(given):
    game = pyspiel.load_game("pods", given)
    state = game.new_initial_state()
    random = numpy.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 3000, mcts.RandomRolloutEvaluator(1, random), solve=True, random_state=random)
    action = bot.step(state)
    start = setup_of(given).start()
    assert worth(podsgame.solve(start).value) == -worth(podsgame.solve(start.play_number(action)).value)


def test_states():
    game = pyspiel.load_game("pods", {**SMALL[1], "first": "black"})
    state = game.new_initial_state()
    assert state.current_player() == 1 and str(state) == str(game.setup.start("black"))
    copied = state.clone()
    state.apply_action(state.legal_actions()[0])
    assert str(copied) != str(state) and copied.legal_actions() == game.setup.start("black").legal_numbers()
    assert state.current_player() == 0
    assert state.history_str() == str(state.history()[0])
    tensor = numpy.array(state.observation_tensor(0))
    kinds = len(game.setup.pods.ids)
    assert tensor.shape == ((1 + 2 * kinds) * 9 + 2 * kinds + 3,)
    planes = tensor[: (1 + 2 * kinds) * 9].reshape(1 + 2 * kinds, 9)
    assert planes[0].sum() == 9 and planes[1:1 + kinds].sum() == 0 and planes[1 + kinds:].sum() == 1


def test_a_game_that_could_be_endless_is_drawn_after_max_length():
    game = pyspiel.load_game("pods", {"board": "ring8", "pods": "four", "rules": "advanced", "max_length": 3})
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.move_number() == 3 and state.returns() == [0.0, 0.0]


def test_wrong_setups_are_refused():
    with pytest.raises(Exception, match="nowhere"):
        pyspiel.load_game("pods", {"board": "nowhere"})
