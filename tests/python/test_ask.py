"""Questions: values, actions to play, reports, certificates, oracle sets."""

import dataclasses
import json
import os
import signal
import threading
import time
from pathlib import Path

import podsgame
import pytest
from podsgame import Action, Draw, Loss, Setup, Unknown, Win

RESULTS = Path(__file__).resolve().parents[2] / "results"


def nook9(rules="standard", hands="bdt", **more):
    return Setup("nook9", "four", rules, hands=hands, **more)


def test_values_are_not_mixed_up():
    assert Loss(2) < Loss(4) < Draw() < Win(9) < Win(1)
    assert sorted([Win(1), Draw(), Loss(2)]) == [Loss(2), Draw(), Win(1)]
    assert Win(1) != Loss(1) and Win(None) != Win(1) and Draw() == Draw()
    unknown = Unknown("why")
    assert unknown != Draw() and Draw() != unknown and unknown not in (Win(1), Draw(), Loss(1), None, 0)
    for wrong in [lambda: unknown < Draw(), lambda: Draw() < unknown, lambda: Win(None) < Draw(), lambda: bool(unknown)]:
        with pytest.raises(TypeError):
            wrong()
    assert len({Win(1), Win(1), Loss(1), Draw(), unknown}) == 4


def test_a_solved_position():
    start = nook9().start()
    solution = podsgame.solve(start)
    assert solution.value == Win(5) and solution.position is start
    assert solution.best == (Action("d@a1"), Action("d@a2"))
    assert [str(action) for action in solution.line] == ["d@a1", "b@b2", "b@a3", "d@b1", "t@c3"]
    assert (solution.method, solution.positions, solution.positions_verified) == ("exhaustive", 153, 307)
    assert (solution.known, solution.stopped, solution.status) == ("value", None, "ongoing")
    for method in ["retrograde", "exhaustive"]:
        assert podsgame.solve(start, method=method).value == Win(5)
    assert podsgame.solve(start, method="search", winner=True).value == Win(None)
    assert podsgame.solve(start.play("d@a1")).value == Loss(4)


def test_a_draw_is_a_value():
    drawn = podsgame.solve(Setup("ring8", "trio", "advanced").position("1T1/3/B2 w d d -"))
    assert (drawn.value, drawn.known, drawn.stopped) == (Draw(), "value", None)
    assert drawn.best and all(podsgame.solve(drawn.position.play(action)).value == Draw() for action in drawn.best)


def test_a_limit_gives_unknown():
    solution = podsgame.solve(Setup().start(), method="search", max_nodes=1000)
    assert isinstance(solution.value, Unknown) and "1,000 nodes" in solution.value.stopped
    assert solution.known in ("unknown", "bounds") and solution.best == ()


def test_what_certificates_prove_is_known():
    start = Setup().start()
    solution = podsgame.solve(start)
    assert (solution.value, solution.method, solution.known) == (Loss(None), "library", "winner")
    assert "sha256 7de6b1e8" in solution.certificate and solution.certificate.endswith("about the empty board at 0°")
    assert podsgame.solve(start, method="library") == solution
    best = podsgame.best(start, max_nodes=1000)
    assert (best.judgement, best.method, best.certificate) == (Loss(None), "library", solution.certificate)
    [row] = podsgame.report(Setup(), winners=True, max_nodes=10)
    assert (row.white_first, row.black_first, row.outcome_class) == (Loss(None), Loss(None), "second")
    assert row.row["method"] == "library"


def test_the_library_can_be_left_out():
    start = Setup().start()
    without = podsgame.solve(start, library=False, max_nodes=100)
    assert isinstance(without.value, Unknown) and without.certificate is None
    assert isinstance(podsgame.best(start, library=False, max_nodes=1000).judgement, podsgame.Guess)
    [row] = podsgame.report(Setup(), library=False, winners=True, max_nodes=10)
    assert isinstance(row.white_first, Unknown) and isinstance(row.black_first, Unknown)
    with pytest.raises(podsgame.InputError, match="the library has no certificate for this position"):
        podsgame.solve(nook9().start(), method="library")
    assert podsgame.solve(nook9().start()).certificate is None


def test_wrong_questions():
    start = nook9("advanced").start()
    with pytest.raises(podsgame.InputError, match="no table"):
        podsgame.solve(start, method="table")
    with pytest.raises(podsgame.InputError, match="one of exhaustive"):
        podsgame.solve(start, method="magic")
    with pytest.raises(podsgame.InputError, match="R21"):
        podsgame.solve(start, method="exhaustive")
    with pytest.raises(podsgame.InputError, match="seconds"):
        podsgame.solve(start, time=-1)
    with pytest.raises(podsgame.InputError, match="threads"):
        podsgame.solve(start, threads=0)
    too_large = podsgame.solve(Setup(rules="advanced").start(), method="retrograde", memory=1 << 20)
    assert isinstance(too_large.value, Unknown) and "limit of 1.0 MiB of memory" in too_large.value.stopped


def test_an_action_to_play():
    proven = podsgame.best(nook9().position("3/1B1/2q w dt bt -"), max_nodes=10_000)
    assert (proven.action, proven.judgement, proven.method) == (Action("t@a3"), Loss(4), "alpha-beta")
    guessed = podsgame.best(Setup().start(), max_nodes=2_000, library=False, threads=1)
    assert isinstance(guessed.judgement, podsgame.Guess) and guessed.method is None
    assert guessed.position.is_legal(guessed.action)
    assert guessed == podsgame.best(Setup().start(), max_nodes=2_000, library=False, threads=1)
    end = nook9().position("3/1B1/2q w dt bt -")
    while end.status == "ongoing":
        end = end.play(end.legal_actions()[0])
    over = podsgame.best(end, max_nodes=1)
    assert over.action is None and over.judgement == Loss(0)


def test_a_report():
    rows = podsgame.report(nook9(orientation=turn) for turn in (0, 90, 180, 270))
    assert [row.white_first for row in rows] == [Win(5), Win(5), Loss(6), Win(5)]
    assert [row.black_first for row in rows] == [Loss(6), Win(5), Win(5), Win(5)]
    assert [row.outcome_class for row in rows] == ["white", "first", "black", "first"]
    assert rows[0].row["random_play_score"] == pytest.approx(0.455, abs=1e-3)
    assert rows[0].row["verified"] == "reference" and rows[0].row["stopped"] is None
    assert isinstance(podsgame.report(nook9(), winners=True)[0].white_first, Win)


def test_columns_are_those_of_the_command_line():
    header = (RESULTS / "balance" / "balance.csv").read_text().splitlines()[0]
    assert list(podsgame.report(nook9())[0].row) == header.split(",")


def test_a_certificate(tmp_path):
    start = nook9().start()
    certificate = podsgame.prove(start, exact=True)
    assert certificate.proof.value == Win(5) and certificate.proof.position == str(start)
    assert certificate.proof.board_is_built_in and certificate.proof.pods_are_built_in
    file = tmp_path / "win.proof"
    certificate.write(file)
    assert podsgame.check_proof(file) == podsgame.check_proof(str(file)) == podsgame.check_proof(certificate)
    assert podsgame.check_proof(file.read_bytes()) == certificate.proof
    with pytest.raises(FileExistsError):
        certificate.write(file)
    lines = certificate.data.splitlines(keepends=True)
    with pytest.raises(podsgame.Discrepancy):
        podsgame.check_proof(b"".join(lines[:1] + lines[2:]))
    with pytest.raises(podsgame.InputError):
        podsgame.check_proof(b"{}\n")
    with pytest.raises(podsgame.InputError, match="nowhere"):
        podsgame.check_proof(tmp_path / "nowhere")
    with pytest.raises(podsgame.LimitReached):
        podsgame.prove(Setup(rules="advanced").start(), max_nodes=1000)


def test_packed_certificates_and_their_sections(tmp_path):
    corpus = RESULTS.parent / "tests" / "corpus"
    assert podsgame.check_proof(corpus / "packed" / "late.proof.xz") == podsgame.check_proof(corpus / "certificates" / "late.proof")
    assert podsgame.check_proof(corpus / "certificates" / "sections-0.proof").sections == 4
    zstandard = pytest.importorskip("zstandard")
    # As the parallel zstd packs it: a frame that is skipped, then the file.
    packed = b"\x50\x2a\x4d\x18\x02\0\0\0zz" + zstandard.compress((corpus / "certificates" / "late.proof").read_bytes())
    (tmp_path / "late.zst").write_bytes(packed)
    assert podsgame.check_proof(tmp_path / "late.zst") == podsgame.check_proof(packed) == podsgame.check_proof(corpus / "certificates" / "late.proof")


def test_an_oracle_set():
    folder = sorted(path.parent for path in (RESULTS / "oracle").rglob("manifest.json"))[0]
    oracle = podsgame.OracleSet(folder)
    assert len(oracle) == oracle.manifest["positions"]["lines"] > 0
    first = oracle[0]
    assert first == next(iter(oracle)) and first["number"] == 1
    assert {"position", "status", "actions", "illegal", "kind"} <= set(first)
    with pytest.raises(podsgame.InputError):
        podsgame.OracleSet(RESULTS)


@pytest.mark.parametrize("line, altered", [(2, ('"number":2', '"number":3')), (1, ('"status":"ongoing"', '"status":"white_won"'))])
def test_an_oracle_set_that_was_altered_is_refused(tmp_path, line, altered):
    folder = RESULTS / "oracle" / "standard"
    (tmp_path / "manifest.json").write_bytes((folder / "manifest.json").read_bytes())
    lines = (folder / "positions.jsonl").read_text().splitlines(keepends=True)
    assert altered[0] in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(*altered, 1)
    (tmp_path / "positions.jsonl").write_text("".join(lines))
    # A changed number is told by the reader, a changed answer by its digest or by the engine.
    with pytest.raises((podsgame.Discrepancy, podsgame.PodsError), match=f"line {line}|the file was altered"):
        podsgame.OracleSet(tmp_path).check()


def test_an_oracle_set_is_checked_line_by_line():
    told = []
    oracle = podsgame.OracleSet(RESULTS / "oracle" / "standard")
    assert oracle.check(progress=lambda *far: told.append(far)) == oracle.manifest
    assert told[-1][0] == "check" and told[-1][1] <= told[-1][2] == len(oracle)


def test_progress_is_told_and_may_end_the_work():
    told = []

    def tell(phase, done, total):
        told.append((phase, done, total))
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        podsgame.solve(Setup().start(), method="search", progress=tell)
    assert len(told) == 1 and isinstance(told[0][1], int)


def interrupted(question):
    """Returns the answer of a question at Ctrl-C, which comes when it has told of its progress."""

    def press(*_):
        os.kill(os.getpid(), signal.SIGINT)

    # A shell starts what runs behind it with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt) as raised:
            question(press)
    finally:
        signal.signal(signal.SIGINT, before)
    assert isinstance(raised.value, podsgame.Interrupted)
    return raised.value.known


def test_ctrl_c_ends_a_question_with_what_is_known():
    known = interrupted(lambda press: podsgame.solve(Setup().start(), method="search", progress=press))
    assert isinstance(known.value, Unknown) and known.stopped == "interrupted"
    known = interrupted(lambda press: podsgame.prove(Setup().start(), progress=press))
    assert known is None


def test_other_threads_run_meanwhile():
    """The lock of the interpreter is free: a thread counts while a question is asked."""
    count, over = [0], threading.Event()

    def work():
        while not over.is_set():
            count[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=work)
    thread.start()
    before = count[0]
    podsgame.solve(Setup().start(), method="search", max_nodes=50_000)
    after = count[0]
    over.set()
    thread.join()
    assert after > before


def test_records_call_things_as_the_rows_do():
    """Attributes are columns of the row of that command, but for those that put several columns into one."""
    start = nook9().start()
    solution, best, proof = podsgame.solve(start), podsgame.best(start, max_nodes=100), podsgame.prove(start).proof
    everything = {**solution.row, "at_least": None, "losing": None, "wins_by": None, "stopped": None, "certificate": None}
    for record, row, joined in [(solution, everything, {"row"}), (best, best.row, {"row", "judgement"}), (proof, FIELDS, set())]:
        named = {field.name for field in dataclasses.fields(record)} - joined
        assert named <= set(row), (type(record), named - set(row))


#: What `pods check-proof --format json` writes.
FIELDS = """position value plies board orientation board_is_built_in pods pods_are_built_in rules lines sections answers compared
compared_covers trailer_sha256 file_sha256""".split()
