"""Routes messages: keeps an index per tenant, and asks for embeddings and a model's choice where configured."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tablewright.domain.language import Language
from tablewright.errors import ModelError
from tablewright.models.base import Model, ModelRequest, StreamEnded
from tablewright.models.embeddings import EmbeddingModel, Vector
from tablewright.models.render import render
from tablewright.models.streams import closing
from tablewright.routing.workflows.candidates import Candidate, Correction, RoutingDecision, WorkflowMatcher
from tablewright.routing.workflows.choice import choice_task, chosen_by_model

MOST_TENANTS = 64
"""Indexes that are kept; the one that was used longest ago goes first."""

Vectors = Mapping[str, Sequence[Vector]]


class IndexMaker(Protocol):
    """Makes an index of candidates, from what an earlier one has found where there is one."""

    def __call__(
        self, candidates: Sequence[Candidate], *, vectors: Vectors | None, before: WorkflowMatcher | None
    ) -> WorkflowMatcher:
        """Return the index; takes a tenth of a second per thousand candidates."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptIndex:
    """An index, what it was made of, and the embeddings that it was made with."""

    candidates: tuple[Candidate, ...]
    matcher: WorkflowMatcher
    vectors: Mapping[Candidate, tuple[Vector, ...]]


class WorkflowRouter:
    """Chooses workflows for messages. What embeddings and models do not say within `limit_s` goes without them."""

    def __init__(
        self,
        make_index: Callable[[], IndexMaker],
        *,
        embeddings: EmbeddingModel | None = None,
        chooser: Callable[[], Model] | None = None,
        limit_s: float = 0.5,
    ) -> None:
        self._make_index = make_index
        self._embeddings = embeddings
        self._chooser = chooser
        self._limit_s = limit_s
        self._kept: dict[str, KeptIndex] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def route(
        self,
        utterance: str,
        *,
        tenant: str,
        candidates: Sequence[Candidate],
        among: Collection[str] | None = None,
        corrections: Sequence[Correction] = (),
        tables: bool = False,
        language: Language = "en",
    ) -> RoutingDecision:
        """Return the choice for `utterance`.

        `candidates` are all published workflows of the tenant, of which this user may start `among` (None: all).
        `corrections` are the user's own, the oldest first; `tables`: there are tables that it may be a question about.
        Without candidates nothing is loaded.
        """
        if not candidates or (among is not None and not among):
            return RoutingDecision(workflow_id=None, reason="no_candidates")
        kept = await self.prepared(tenant, candidates)
        vector = await self._vector(utterance) if kept.vectors else None
        decision = kept.matcher.match(utterance, corrections=corrections, among=among, vector=vector, tables=tables)
        if self._chooser is None or decision.reason == "correction" or not decision.shortlist:
            return decision
        return await self._chosen(self._chooser(), utterance, decision, language)

    async def aclose(self) -> None:
        """Close the connections to the endpoint of embeddings."""
        if self._embeddings is not None:
            await self._embeddings.aclose()

    async def prepared(self, tenant: str, candidates: Sequence[Candidate]) -> KeptIndex:
        """Return the tenant's index, made anew where its workflows have changed; beside the event loop."""
        wanted = tuple(candidates)
        async with self._locks.setdefault(tenant, asyncio.Lock()):
            kept = self._kept.pop(tenant, None)
            if kept is None or kept.candidates != wanted:
                kept = await self._indexed(wanted, kept)
            self._kept[tenant] = kept
            while len(self._kept) > MOST_TENANTS:
                oldest = next(iter(self._kept))
                del self._kept[oldest]
                self._locks.pop(oldest, None)
        return kept

    async def _indexed(self, wanted: tuple[Candidate, ...], before: KeptIndex | None) -> KeptIndex:
        vectors = await self._embedded(wanted, before.vectors if before else {})
        by_id = {one.id: vectors[one] for one in wanted if one in vectors}
        matcher = await asyncio.to_thread(
            self._make_index(), wanted, vectors=by_id, before=before.matcher if before else None
        )
        return KeptIndex(candidates=wanted, matcher=matcher, vectors=vectors)

    async def _embedded(
        self, wanted: Sequence[Candidate], known: Mapping[Candidate, tuple[Vector, ...]]
    ) -> dict[Candidate, tuple[Vector, ...]]:
        """Return the embeddings of the texts of candidates; of none where the endpoint fails."""
        found = {one: known[one] for one in wanted if one in known}
        missing = [one for one in wanted if one not in found]
        if self._embeddings is None or not missing:
            return found
        texts = [_texts(one) for one in missing]
        try:
            every = iter(await self._embeddings.embed([text for one in texts for text in one]))
        except ModelError:
            return found
        return found | {one: tuple(next(every) for _ in own) for one, own in zip(missing, texts, strict=True)}

    async def _vector(self, utterance: str) -> Vector | None:
        if self._embeddings is None:
            return None
        try:
            async with asyncio.timeout(self._limit_s):
                return (await self._embeddings.embed([utterance]))[0]
        except (ModelError, TimeoutError):
            return None

    async def _chosen(
        self, model: Model, utterance: str, decision: RoutingDecision, language: Language
    ) -> RoutingDecision:
        task = choice_task(utterance, decision, language)
        request = ModelRequest(messages=render(task), task=task, purpose="plan", tool_choice="none")
        try:
            async with asyncio.timeout(self._limit_s), closing(model.stream(request)) as parts:
                async for part in parts:
                    if isinstance(part, StreamEnded):
                        return chosen_by_model(part.message.text, decision)
        except (ModelError, TimeoutError):
            pass
        return decision


def _texts(candidate: Candidate) -> tuple[str, ...]:
    return tuple(text for text in (candidate.name, candidate.description, *candidate.utterances) if text.strip())
