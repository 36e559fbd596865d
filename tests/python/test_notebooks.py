"""The notebooks run, and show what they have in their files."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("nbclient")

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def test_there_are_three():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook(path):
    ran = subprocess.run([sys.executable, ROOT / "scripts" / "notebooks.py", path], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
