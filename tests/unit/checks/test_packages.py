"""Folders that the import rules would pass over."""

from __future__ import annotations

from pathlib import Path

from checks import packages


def make(source: Path, *names: str) -> Path:
    for name in names:
        file = source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    return source


def test_a_folder_with_modules_and_no_init_is_a_fault(tmp_path: Path) -> None:
    source = make(tmp_path / "house", "__init__.py", "hall/door.py", "attic/__init__.py", "attic/beam.py")
    (fault,) = packages.faults(source)
    assert fault.startswith("house/hall:")


def test_a_folder_between_a_package_and_its_parent_is_a_fault(tmp_path: Path) -> None:
    source = make(tmp_path / "house", "__init__.py", "hall/closet/__init__.py", "hall/closet/hook.py")
    (fault,) = packages.faults(source)
    assert fault.startswith("house/hall:")


def test_the_source_itself_is_a_package(tmp_path: Path) -> None:
    (fault,) = packages.faults(make(tmp_path / "house", "roof.py"))
    assert fault.startswith("house:")


def test_a_folder_of_resources_needs_no_init(tmp_path: Path) -> None:
    source = make(tmp_path / "house", "__init__.py", "texts/__init__.py", "texts/en/hall.json", "page/page.js")
    assert list(packages.faults(source)) == []


def test_every_folder_of_the_product_with_modules_is_a_package() -> None:
    assert packages.SOURCE.is_dir()
    assert list(packages.faults(packages.SOURCE)) == []
