"""Tables: every position of a small game, looked up one by one and many at once."""

import podsgame
import pytest
from podsgame import Draw, Loss, NotInTable, Positions, Setup, Tablebase, Win

numpy = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def setup():
    return Setup("ring8", "trio", "advanced")


@pytest.fixture(scope="module")
def folder(setup, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    podsgame.build_table(setup, folder / "ring8", memory=1 << 30)
    return folder


def walk(setup, plies, most):
    positions = Positions(setup, [setup.start()])
    every = list(positions)
    for _ in range(plies):
        positions = Positions(setup, list(positions.children().unique())[:most])
        every += positions
    return Positions(setup, every).unique()


def test_probed_values_are_the_solved_ones(setup, folder):
    tables = Tablebase(folder)
    positions = walk(setup, 6, 60)
    probed = podsgame.probe_many(tables, positions)
    seen = set()
    for number, position in enumerate(positions):
        assert probed[number] == tables.probe(position) == tables.get(position)
        seen.add(type(probed[number]))
        if number % 80 == 0:
            solved = podsgame.solve(position, method="retrograde").value
            assert solved == probed[number] == podsgame.solve(position, tables=tables).value
    assert len(positions) > 200 and {Win, Loss} <= seen


def test_every_position_of_the_table(setup, folder):
    table = podsgame.Table(folder / "ring8")
    tables = Tablebase(folder)
    rows = 0
    for tier in table.tiers():
        again = podsgame.probe_many(tables, Positions(setup, tier.positions.texts()))
        assert (again.outcomes, again.plies) == (tier.outcomes, tier.plies)
        rows += len(tier)
    assert rows > 1000
    # Each value follows from those of the next positions.
    tier = max(table.tiers(), key=len)
    for number in range(0, len(tier), max(1, len(tier) // 50)):
        children = podsgame.probe_many(tables, tier.positions[number].children())
        after = [before(children[i]) for i in range(len(children))]
        assert tier[number] == max(after)


def before(value):
    if isinstance(value, Draw):
        return value
    return Loss(value.plies + 1) if isinstance(value, Win) else Win(value.plies + 1)


def test_a_position_that_no_table_holds(folder):
    tables = Tablebase(folder)
    other = Setup("nook9", "four").start()
    assert tables.get(other) is None
    with pytest.raises(NotInTable, match="3/3/3"):
        tables.probe(other)
    probed = podsgame.probe_many(tables, Positions(other.setup, [other]))
    outcomes, plies = probed.to_numpy()
    assert outcomes.tolist() == [podsgame.UNKNOWN] and podsgame.UNKNOWN not in (-1, 0, 1) and plies.tolist() == [-1]
    with pytest.raises(KeyError):
        probed[0]


def test_a_table_is_kept_and_damage_is_found(setup, folder, tmp_path):
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    podsgame.build_table(setup, folder / "ring8")
    assert before == {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    with pytest.raises(podsgame.InputError):
        podsgame.build_table(Setup("nook9", "duo", "advanced"), folder / "ring8")
    for path in folder.iterdir():
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        (tmp_path / path.name).write_bytes(data)
    with pytest.raises(podsgame.PodsError):
        list(podsgame.Table(tmp_path / "ring8").tiers())
    with pytest.raises(podsgame.InputError):
        Tablebase(tmp_path / "nowhere")


def test_data_frames(setup, folder):
    pandas = pytest.importorskip("pandas")
    frame = podsgame.Table(folder / "ring8").dataframe()
    assert list(frame.columns) == ["position", "value", "plies"]
    assert frame.position.is_unique and set(frame.value.unique()) <= {"win", "draw", "loss"}
    assert (frame.plies.isna() == (frame.value == "draw")).all()
    assert frame.plies.dtype == pandas.Int32Dtype()
    rows = podsgame.report(Setup("nook9", "four", hands="bdt")).dataframe()
    assert rows.loc[0, "white_first"] == "win" and rows.loc[0, "white_first_plies"] == 5
    assert podsgame.solve(setup.start()).dataframe().loc[0, "position"] == str(setup.start())


def test_rows_of_an_array_are_probed_as_positions_are(setup, folder):
    tables, positions = Tablebase(folder), walk(setup, 5, 200)
    rows = numpy.frombuffer(positions.to_bytes(), "uint8").reshape(-1, positions.width)
    outcomes, plies = podsgame.probe_array(tables, setup, rows)
    assert (outcomes.dtype, plies.dtype) == (numpy.dtype("int8"), numpy.dtype("int32"))
    wanted = podsgame.probe_many(tables, positions).to_numpy()
    assert (outcomes == wanted[0]).all() and (plies == wanted[1]).all() and {1, -1} <= set(outcomes)
    # In another order, some of them several times, not side by side in memory; and as bytes.
    draw = numpy.random.default_rng(3).integers(0, len(rows), 5000)
    again, _ = podsgame.probe_array(tables, setup, numpy.asfortranarray(rows[draw]))
    assert (again == outcomes[draw]).all()
    assert (podsgame.probe_array(tables, setup, positions.to_bytes())[1] == plies).all()
    other = Setup("nook9", "duo", "advanced")
    assert podsgame.probe_array(tables, other, Positions(other, [other.start()]).to_bytes())[0] == [podsgame.UNKNOWN]
    wrong = rows.copy()
    wrong[7, 0] = 99
    with pytest.raises(podsgame.InputError, match="position 7: byte 0 is at most"):
        podsgame.probe_array(tables, setup, wrong)
    for no_rows in [rows[:, 1:], rows.astype("int32")]:
        with pytest.raises(podsgame.InputError, match="bytes"):
            podsgame.probe_array(tables, setup, no_rows)
    assert podsgame.probe_array(tables, setup, b"")[0].shape == (0,)


def test_arrays(setup):
    positions = walk(setup, 3, 100)
    lists = positions.legal_actions()
    numbers, offsets = lists.numbers(), lists.offsets()
    assert (numbers.dtype, offsets.dtype) == (numpy.dtype("uint16"), numpy.dtype("uint64"))
    assert numbers.shape == (lists.total,) and offsets.shape == (len(positions) + 1,)
    for i in [0, len(positions) // 2, len(positions) - 1]:
        own = numbers[int(offsets[i]):int(offsets[i + 1])]
        assert [setup.action(int(number)) for number in own] == positions[i].legal_actions()
    array = numpy.frombuffer(positions.to_bytes(), "uint8").reshape(-1, positions.width)
    assert Positions.from_bytes(setup, array.tobytes()) == positions
