"""Two files to try Tablewright on, and questions they can answer."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from tablewright.texts.catalogue import Language, text

SAMPLE_NAMES = ("orders.csv", "门店销售.xlsx")
EXAMPLES = 3


def sample_files() -> tuple[Path, ...]:
    """Return the paths of the sample files."""
    return tuple(Path(str(files("tablewright.samples").joinpath(name))) for name in SAMPLE_NAMES)


def example_questions(language: Language) -> tuple[str, ...]:
    """Return questions in `language` (`zh` or `en`) about the sample files."""
    return tuple(text(f"sample_question_{number}", language) for number in range(1, EXAMPLES + 1))
