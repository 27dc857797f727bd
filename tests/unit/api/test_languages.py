"""Which language a request wants."""

from __future__ import annotations

import pytest

from tablewright.api.languages import preferred_language


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("zh-CN", "zh"),
        ("en", "en"),
        ("de", "en"),
        ("de, zh;q=0.3", "zh"),
        ("en;q=0.3, zh;q=0.9", "zh"),
        ("zh;q=0, en;q=0.1", "en"),
        ("en, zh", "en"),
        ("zh;q=x", "en"),
        ("", "en"),
    ],
)
def test_the_best_weighted_language_is_taken(accepted: str, language: str) -> None:
    assert preferred_language(accepted) == language
