"""Libraries of others that no import rule would hold in their place."""

from __future__ import annotations

from pathlib import Path

from checks import vendors


def test_libraries_of_others_are_found_wherever_they_are_imported(tmp_path: Path) -> None:
    (tmp_path / "hall").mkdir()
    (tmp_path / "hall" / "door.py").write_text("import os\nfrom hinges.brass import Hinge\nimport window, house.roof\n")
    (tmp_path / "hall" / "window.py").write_text(
        "from . import door\n\n\ndef open() -> None:\n    import glass.clear\n"
    )
    source = tmp_path.rename(tmp_path.with_name("house"))
    assert vendors.imported(source) == {"hinges": "hall/door.py", "glass": "hall/window.py"}


def test_a_library_is_ruled_by_the_contract_that_protects_it() -> None:
    contracts = [{"type": "protected", "protected_modules": ["hinges"]}, {"type": "layers", "layers": ["hall"]}]
    assert vendors.ruled({"tool": {"importlinter": {"contracts": contracts}}}) == {"hinges"}
