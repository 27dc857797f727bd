"""What models can do, and that the gateway costs nothing until it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.support.patience import PATIENCE_S

from tablewright.models.gateway.config import ProviderConfig
from tablewright.models.gateway.model import GatewayModel
from tablewright.models.profiles import Abilities, abilities


@pytest.mark.parametrize(
    ("kind", "model", "context_tokens", "images"),
    [
        ("anthropic", "claude-sonnet-4-5", 200_000, True),
        ("openai", "gpt-4o-mini", 128_000, True),
        ("openai", "anthropic/Claude-Opus", 200_000, True),
        ("vllm", "Qwen/Qwen2.5-VL-7B", 32_768, True),
        ("vllm", "Qwen/Qwen3-32B", 32_768, False),
        ("ollama", "qwen3:8b", 8_192, False),
        ("openai", "something-new", Abilities().context_tokens, False),
    ],
)
def test_abilities_are_looked_up_by_provider_and_model(
    kind: str, model: str, context_tokens: int, images: bool
) -> None:
    found = abilities(kind, model)

    assert (found.context_tokens, found.images) == (context_tokens, images)


def test_what_the_configuration_says_wins_over_the_table() -> None:
    config = ProviderConfig(name="mine", kind="openai", images=True, tools=False, context_tokens=9, max_output_tokens=5)

    assert GatewayModel(config, "something-new").abilities == Abilities(
        context_tokens=9, max_output_tokens=5, tools=False, images=True
    )


def test_a_provider_never_shows_its_secrets() -> None:
    config = ProviderConfig(
        name="mine", kind="openai", api_key="sk-hidden", headers={"x": "hidden"}, secret_key="hidden"
    )

    assert "hidden" not in repr(config)
    assert set(config.secrets) == {"sk-hidden", "hidden"}


@pytest.mark.parametrize(
    ("base_url", "local"),
    [
        (None, False),
        ("http://localhost:8000/v1", True),
        ("http://[::1]:8000", True),
        ("https://models.example.com", False),
    ],
)
def test_a_provider_on_this_machine_is_known_as_local(base_url: str | None, local: bool) -> None:
    assert ProviderConfig(name="mine", kind="openai", base_url=base_url).local is local


def test_making_a_gateway_model_imports_no_sdk() -> None:
    code = (
        "import sys, tablewright.models.gateway.model as g, tablewright.models.gateway.config as c\n"
        "import tablewright.models.catalogue, tablewright.models.render, tablewright.models.wrappers\n"
        "g.GatewayModel(c.ProviderConfig(name='a', kind='openai'), 'm')\n"
        "print([n for n in ('pydantic_ai', 'openai', 'anthropic', 'httpx2') if n in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE_S)

    assert done.stdout.strip() == "[]"


def test_an_answer_is_no_longer_than_the_model_may_write() -> None:
    small, open_ended = Abilities(max_output_tokens=5), Abilities()
    assert [small.answer_tokens(wanted) for wanted in (None, 3, 8)] == [5, 3, 5]
    assert [open_ended.answer_tokens(wanted) for wanted in (None, 8)] == [None, 8]
