"""A run on the page through what it can come to: thinking, mending, a lost connection, a stop, an error."""

from __future__ import annotations

from pathlib import Path

from tests.support.browser import IN_BROWSER, given, opened
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.page_states import run_goes_through_its_states, settings_of

pytestmark = list(IN_BROWSER)


async def test_every_state_of_a_run_can_be_used_by_everybody(commands: Commands, sales: Path) -> None:
    async with FakeOpenAI() as model:
        commands.environ = settings_of(model)
        async with commands.serving() as (url, _process), opened(url, expected="502") as page:
            await given(page, sales)
            await run_goes_through_its_states(page, model)
