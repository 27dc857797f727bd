"""What is too large, and what is just not."""

from __future__ import annotations

from pathlib import Path

from checks import sizes


def faults(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "module.py"
    path.write_text(text, encoding="utf-8")
    return list(sizes.faults(path, "module.py"))


def test_a_line_of_121_characters_is_too_long_whatever_it_ends_in(tmp_path: Path) -> None:
    remark = "  # noqa: F841"
    fits = 'x = "' + "数" * (120 - 6 - len(remark)) + '"' + remark
    assert len(fits) == 120
    assert faults(tmp_path, fits + "\n") == []
    assert faults(tmp_path, "y = 1\n" + fits.replace("数", "数数", 1) + "\n") == [
        "module.py:2: 121 characters (limit 120)"
    ]


def test_blank_lines_do_not_count(tmp_path: Path) -> None:
    assert faults(tmp_path, "x = 1\n\n" * 300) == []
    assert faults(tmp_path, "x = 1\n" * 301) == ["module.py: 301 lines (limit 300)"]


def test_a_function_has_at_most_50_lines(tmp_path: Path) -> None:
    body = "    x = 1\n"
    assert faults(tmp_path, "def f():\n" + body * 49) == []
    assert faults(tmp_path, "def f():\n" + body * 50) == ["module.py:1: f has 51 lines (limit 50)"]


def test_a_class_has_at_most_15_public_methods(tmp_path: Path) -> None:
    methods = [f"    def m{number}(self): ...\n" for number in range(15)]
    private = "    def _own(self): ...\n"
    assert faults(tmp_path, "class C:\n" + "".join(methods) + private) == []
    more = "class C:\n" + "".join(methods) + "    async def m15(self): ...\n"
    assert faults(tmp_path, more) == ["module.py:1: C has 16 public methods (limit 15)"]
