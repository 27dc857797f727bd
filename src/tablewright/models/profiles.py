"""The abilities of models, as data. A new model is a new row; the configuration overrides the table."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a model can do.

    `context_tokens` limits input and output together; if `max_output_tokens` is None, the provider limits the output.
    """

    context_tokens: int = 32_768
    max_output_tokens: int | None = None
    tools: bool = True
    images: bool = False
    structured: bool = False
    """Whether the provider can hold the model to a JSON schema."""

    def answer_tokens(self, wanted: int | None) -> int | None:
        """Return how many tokens an answer may have where `wanted` are asked for: no more than the model may write."""
        given = [most for most in (wanted, self.max_output_tokens) if most is not None]
        return min(given) if given else None


_CLAUDE = Abilities(context_tokens=200_000, max_output_tokens=16_384, images=True, structured=True)

_ROWS: tuple[tuple[str, Abilities], ...] = (
    # Ollama silently truncates a prompt to its own setting, OLLAMA_CONTEXT_LENGTH: assume little.
    ("ollama:*vl*", Abilities(context_tokens=8_192, images=True, structured=True)),
    ("ollama:*vision*", Abilities(context_tokens=8_192, images=True, structured=True)),
    ("ollama:gemma3*", Abilities(context_tokens=8_192, images=True, tools=False, structured=True)),
    ("ollama:*", Abilities(context_tokens=8_192, structured=True)),
    ("anthropic:claude-*-4-[5678]*", _CLAUDE),
    ("anthropic:claude-opus-4-1*", _CLAUDE),
    ("anthropic:claude-*-5*", _CLAUDE),
    ("anthropic:*", Abilities(context_tokens=200_000, max_output_tokens=16_384, images=True)),
    ("bedrock:*claude*", Abilities(context_tokens=200_000, max_output_tokens=16_384, images=True)),
    ("bedrock:*nova*", Abilities(context_tokens=128_000, images=True)),
    ("bedrock:*", Abilities(context_tokens=128_000)),
    ("google:*", Abilities(context_tokens=1_000_000, images=True)),
    ("*:*claude*", Abilities(context_tokens=200_000, max_output_tokens=16_384, images=True)),
    ("*:*gemini*", Abilities(context_tokens=1_000_000, images=True)),
    ("*:*gpt-5*", Abilities(context_tokens=272_000, images=True, structured=True)),
    ("*:*gpt-4.1*", Abilities(context_tokens=1_000_000, images=True, structured=True)),
    ("*:*gpt-4o*", Abilities(context_tokens=128_000, images=True, structured=True)),
    ("*:*gpt-oss*", Abilities(context_tokens=128_000)),
    ("openai:o[134]*", Abilities(context_tokens=200_000, images=True, structured=True)),
    ("*:*deepseek*", Abilities(context_tokens=128_000)),
    ("*:*qwen*vl*", Abilities(context_tokens=32_768, images=True)),
    ("*:*qwen*", Abilities(context_tokens=32_768)),
    ("*:*glm*", Abilities(context_tokens=128_000)),
    ("*:*kimi*", Abilities(context_tokens=128_000)),
)


def abilities(kind: str, model: str) -> Abilities:
    """Return the abilities of `model` at a provider of `kind`: the first matching row, else modest defaults."""
    name = f"{kind}:{model}".lower()
    return next((row for pattern, row in _ROWS if fnmatchcase(name, pattern)), Abilities())
