#!/usr/bin/env python3
"""Runs the notebooks of examples/notebooks, and writes their outputs into them with --write.

Without it, says which outputs differ from those in the files; pictures are not compared. Needs nbclient, ipykernel, pandas, matplotlib
and the package podsgame.
"""

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Any, List

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "notebooks"


def run(path: Path) -> Any:
    """Returns the notebook with the outputs of a run; an error of a cell is raised."""
    notebook = nbformat.read(path, as_version=4)
    os.environ.pop("MPLBACKEND", None)  # the kernel's own shows pictures
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    for cell in notebook.cells:
        cell.metadata.clear()
    return notebook


def shown(notebook: Any) -> List[List[str]]:
    """Returns what each cell shows as text, without what differs from run to run."""
    cells = []
    for cell in notebook.cells:
        texts = []
        before = None
        for output in cell.get("outputs", []):
            # What is printed comes in one part or in several, as the kernel had time.
            if before == output.output_type == "stream":
                texts[-2] += output["text"]
                continue
            before = output.output_type
            texts.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
            texts.append(output.get("data", {}).get("image/svg+xml", ""))
        cells.append([re.sub(r"0x[0-9a-f]+", "0x", "".join(text)) for text in texts])
    return cells


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the outputs into the files")
    parser.add_argument("notebooks", nargs="*", type=Path, default=sorted(FOLDER.glob("*.ipynb")))
    arguments = parser.parse_args()
    different = 0
    for path in arguments.notebooks:
        ran = run(path)
        if arguments.write:
            nbformat.write(ran, path)
        for number, (now, before) in enumerate(zip(shown(ran), shown(nbformat.read(path, as_version=4)))):
            if now != before:
                different += 1
                print(f"{path.name}, cell {number}: shows {now}, the file has {before}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
