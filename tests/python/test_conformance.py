"""The binding against the engine in pure Python, which was written from the rules alone: three implementations compared."""

import importlib.util
import json
import random
import sys
from pathlib import Path

import podsgame
import pytest
from podsgame import Setup

ENGINE = Path(__file__).resolve().parents[2] / "scripts" / "conform_engine.py"

SETUPS = [("nook9", "four"), ("ring8", "trio"), ("den12", "mini5"), ("lair16", "four"), ("lane8", "duo")]

#: Positions for each preset, all setups together.
POSITIONS = 500


@pytest.fixture(scope="module")
def engine():
    spec = importlib.util.spec_from_file_location("conform_engine", ENGINE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def ask(session, **request):
    answer, _ = session.answer(json.dumps({"id": 1, **request}))
    assert answer["type"] != "error", (request, answer)
    return answer


@pytest.mark.parametrize("rules", podsgame.PRESETS)
def test_the_engine_in_python_agrees(engine, rules):
    seed = 20261126
    print("seed", seed)
    draw = random.Random(seed)
    compared, illegal, captures = 0, 0, 0
    while compared < POSITIONS:
        board, pods = draw.choice(SETUPS)
        setup = Setup(board, pods, rules, orientation=draw.choice([0, 90, 180, 270]))
        session = engine.Session()
        ask(session, type="game", **json.loads(setup._record()))
        position = setup.start(draw.choice(["white", "black"]))
        for _ in range(30):
            text, actions = str(position), position.legal_actions()
            wanted = ask(session, type="moves", position=text)
            found = {"status": position.status, "actions": [str(action) for action in actions]}
            assert found == {key: wanted[key] for key in found}, (repr(setup), text)
            assert position.legal_actions("reference") == actions, (repr(setup), text)
            compared += 1
            space = setup.action_space()
            for action in draw.sample(space, min(6, len(space))):
                answer = ask(session, type="apply", position=text, action=str(action))
                assert (answer["type"] == "applied") == position.is_legal(action), (repr(setup), text, action)
                if answer["type"] == "illegal":
                    illegal += 1
                    clause = position.explain(action).clause
                    assert position.status != "ongoing" or answer.get("clause", clause) == clause, (text, action)
            if not actions:
                break
            action = draw.choice(actions)
            answer = ask(session, type="apply", position=text, action=str(action))
            result = position.transition(action)
            assert answer["position"] == str(result.position), (repr(setup), text, action)
            assert ("".join(answer["returned"]), "".join(answer["removed"])) == (result.returned, result.removed)
            captures += bool(result.returned or result.removed)
            position = result.position
    assert compared >= POSITIONS and illegal > 300
    assert captures > 20 or not setup.can_cycle, captures


def test_a_broken_engine_is_noticed(engine, monkeypatch):
    """The comparison can fail: an engine that forgets a clause is found."""
    monkeypatch.setattr(engine.Game, "attacks_a_foe", lambda *_: False)
    with pytest.raises(AssertionError):
        test_the_engine_in_python_agrees(engine, "standard")
