"""Every error has its words, in both languages, and its status."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tablewright import errors
from tablewright.api.errors import status_of
from tablewright.domain.language import Language
from tablewright.errors import TablewrightError
from tablewright.store import base as _store_errors  # noqa: F401  # some parts add their own
from tablewright.texts.catalogue import catalogue
from tablewright.texts.errors import describe, error_text


def tree(kind: type[TablewrightError] = TablewrightError) -> Iterator[type[TablewrightError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from tree(below)


CODES = sorted({kind.code for kind in tree() if not kind.__module__.startswith("tablewright.cli")})
LANGUAGES: tuple[Language, ...] = ("zh", "en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_message(code: str, language: Language) -> None:
    message = catalogue(language)[code]
    assert len(message) > 12
    if language == "zh":
        assert any("一" <= char <= "鿿" for char in message)


def test_every_error_of_the_docstring_exists_with_its_code() -> None:
    drawn = {word for line in (errors.__doc__ or "").splitlines() for word in line.split() if "_" in word}
    assert drawn <= set(CODES)


@pytest.mark.parametrize("kind", sorted(set(tree()), key=str))
def test_every_error_has_a_status_and_only_unexpected_ones_are_500(kind: type[TablewrightError]) -> None:
    status = status_of(kind())
    assert 400 <= status < 600
    if issubclass(kind, errors.CallerError):
        assert status < 500 or issubclass(kind, errors.Busy)


def test_a_message_is_filled_and_a_detail_that_is_a_code_is_translated() -> None:
    said = describe(errors.FileUnreadable("file_damaged", name="a.xlsx"), "zh")
    assert "a.xlsx" in said
    assert catalogue("zh")["file_damaged"] in said


def test_a_limit_in_bytes_is_said_in_megabytes() -> None:
    assert "512" in describe(errors.FileTooLarge(name="a.csv", limit_bytes=512 * 1024**2), "en")


def test_an_unknown_code_reads_as_an_internal_error() -> None:
    assert error_text("never_heard_of", "en") == catalogue("en")["internal"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_of_a_caller_cannot_break_a_message(language: Language) -> None:
    assert "{0}{x!r}" in describe(errors.FileUnreadable("file_damaged", name="{0}{x!r}"), language)
