"""The application as a whole: what it opens it closes."""

from __future__ import annotations

from pathlib import Path

from tests.support.model_requests import Connected
from tests.support.parts import FakeParts

from tablewright.models.catalogue import Models


async def test_leaving_the_application_closes_the_connections_of_its_models(tmp_path: Path) -> None:
    model = Connected([], name="builtin")

    async with FakeParts(folder=tmp_path, models=Models({"builtin": model})).opening():
        assert not model.closed

    assert model.closed
