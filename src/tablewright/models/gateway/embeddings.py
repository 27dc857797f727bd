"""Embeddings over HTTP: `POST /embeddings` as OpenAI has it, which Ollama, vLLM and others speak too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx2
from pydantic_ai.exceptions import ModelHTTPError

from tablewright.errors import ModelNotSetUp, ModelRejected, TablewrightError
from tablewright.models.embeddings import Vector
from tablewright.models.gateway.config import ProviderConfig
from tablewright.models.gateway.failures import failure

BATCH = 128
"""Texts of one request; providers take between 100 and 2,048."""


class GatewayEmbeddings:
    """Implements `EmbeddingModel` over one model of one provider. Nothing is sent before the first call."""

    def __init__(self, config: ProviderConfig, model: str) -> None:
        self._config = config
        self._model = model
        self._client: httpx2.AsyncClient | None = None

    @property
    def name(self) -> str:
        """The model's name."""
        return f"{self._config.name}:{self._model}"

    async def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        found: list[Vector] = []
        for start in range(0, len(texts), BATCH):
            found += await self._batch(texts[start : start + BATCH])
        return tuple(found)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()

    async def _batch(self, texts: Sequence[str]) -> list[Vector]:
        try:
            answer = await self._open().post("embeddings", json={"model": self._model, "input": list(texts)})
            if answer.status_code != 200:
                raise ModelHTTPError(answer.status_code, self.name, _json(answer))
            return self._vectors(_json(answer), len(texts))
        except TablewrightError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the client raises is an error of the model
            secrets, place = self._config.secrets, self._config.place
            # `from None`: the client's exception may contain the request's headers
            raise failure(error, model=self.name, secrets=secrets, began=False, place=place) from None

    def _open(self) -> httpx2.AsyncClient:
        if self._config.endpoint is None or self._config.kind in {"anthropic", "google", "bedrock"}:
            raise ModelNotSetUp("provider_no_embeddings", model=self.name)
        if self._client is None:
            key = {"Authorization": f"Bearer {self._config.api_key}"} if self._config.api_key else {}
            self._client = httpx2.AsyncClient(
                base_url=f"{self._config.endpoint.rstrip('/')}/",
                headers={**key, **self._config.headers},
                timeout=httpx2.Timeout(self._config.timeout_s, connect=self._config.connect_timeout_s),
                trust_env=not self._config.local,
            )
        return self._client

    def _vectors(self, answer: Any, count: int) -> list[Vector]:
        rows = answer.get("data") if isinstance(answer, dict) else None
        try:
            ordered = sorted(rows or (), key=lambda row: int(row["index"]))
            vectors = [tuple(float(value) for value in row["embedding"]) for row in ordered]
        except (KeyError, TypeError, ValueError):
            vectors = []
        if len(vectors) != count or len({len(vector) for vector in vectors}) != 1:
            raise ModelRejected("embeddings_unusable", model=self.name)
        return vectors


def _json(answer: httpx2.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return answer.text
