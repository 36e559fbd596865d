"""What the package's README shows works, from the first line to the plot."""

import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[2] / "src" / "python" / "README.md"


def test_the_readme(tmp_path, monkeypatch, capsys):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 2
    names = {}
    for block in blocks:
        exec(block, names)
    assert (tmp_path / "fair.png").read_bytes().startswith(b"\x89PNG")
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("b@a1 b@a3 ") and shown[1].startswith("R13 t@c2 is illegal by R13: it would have no liberty")
    assert shown[2:] == ["win in 5", "d@a2", "win in 5", "0 win in 5 loss in 6 white", "90 win in 5 win in 5 first",
                         "180 loss in 6 win in 5 black", "270 win in 5 win in 5 first"]
