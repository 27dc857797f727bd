"""An index of published workflows that says which of them a message is for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tablewright.routing.workflows.candidates import (
    Candidate,
    Correction,
    RoutingDecision,
    RoutingReason,
    ShortlistEntry,
    WorkflowMatcher,
)
from tablewright.routing.workflows.features import Passage, Scale, WorkflowText
from tablewright.routing.workflows.known import KnownMessages, none_features
from tablewright.routing.workflows.learned import Learned, learned
from tablewright.routing.workflows.probabilities import probabilities, weighed
from tablewright.routing.workflows.search import TextSearch
from tablewright.routing.workflows.tokens import Tokens, together, tokens_of
from tablewright.routing.workflows.vectors import VectorRanking, fused

MESSAGE_CHARS = 400
"""What of a message is looked at: one that is meant for a workflow says so early."""
FOUND = 60
"""Workflows that the search returns."""
NEAR = 20
"""Those of them that are looked at closely."""
SHORTLIST = 12
"""Those of them that a decision names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What speaks for each of the workflows `ids`, and for none; `by_vector` has them by their embeddings."""

    ids: tuple[str, ...]
    fits: tuple[tuple[float, ...], ...]
    none: tuple[float, ...]
    style: frozenset[str] = frozenset()
    by_vector: tuple[str, ...] = ()


class WorkflowIndex:
    """Made of all workflows that a tenant has published; who may start which is said at each message.

    It never changes, so that it may be read by several threads: where a workflow is published or withdrawn, another
    one is made, from the parts that the one `before` has found. `vectors` are the embeddings of workflows by their
    ids, if there are any.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        *,
        vectors: Mapping[str, Sequence[Sequence[float]]] | None = None,
        parameters: Learned | None = None,
        before: WorkflowMatcher | None = None,
    ) -> None:
        self._parameters = parameters or learned()
        known = _parts_of(before)
        self.parts: dict[Candidate, tuple[Tokens, ...]] = {
            one: known.get(one) or _texts(one) for one in dict.fromkeys(candidates)
        }
        self._candidates = tuple(self.parts)
        strangers, requests = map(_known, (self._parameters.strangers, self._parameters.requests))
        background = [message.parts for message in (*strangers, *requests)]
        self._scale = Scale([together(texts) for texts in self.parts.values()], background)
        self._strangers = KnownMessages(strangers, self._scale)
        self._requests = KnownMessages(requests, self._scale)
        self._workflows: dict[str, WorkflowText] = {
            one.id: self._scale.workflow(texts) for one, texts in self.parts.items()
        }
        self._by_id = {one.id: one for one in self._candidates}
        self._search = TextSearch(tuple(self.parts.values()))
        self._vectors = VectorRanking(vectors or {})

    def match(
        self,
        utterance: str,
        *,
        corrections: Sequence[Correction] = (),
        among: Collection[str] | None = None,
        vector: Sequence[float] | None = None,
        tables: bool = False,
    ) -> RoutingDecision:
        """Choose the workflow that `utterance` is for. See `WorkflowMatcher`."""
        allowed = self._by_id.keys() if among is None else self._by_id.keys() & set(among)
        if not allowed:
            return RoutingDecision(workflow_id=None, reason="no_candidates")
        message = self.passage(utterance)
        corrected = self._correction(message, utterance, corrections)
        shortlist = self._shortlist(self.evidence(message, among=allowed, vector=vector))
        limit = self._parameters.threshold_with_tables if tables else self._parameters.threshold
        chosen, reason = _choice(shortlist, limit, corrected, allowed)
        return RoutingDecision(workflow_id=chosen, reason=reason, shortlist=shortlist, threshold=limit)

    def evidence(
        self,
        message: Passage,
        *,
        among: Collection[str] | None = None,
        vector: Sequence[float] | None = None,
        without: Collection[int] = (),
    ) -> Evidence:
        """Return the features of the workflows that come into question for `message`, and of none.

        `without` are the numbers of known messages that are left out, those for none before those for some workflow.
        """
        allowed = self._by_id.keys() if among is None else among
        by_text, by_vector = self._near(message, allowed), self._vectors.ranked(vector, allowed)
        near = tuple(dict.fromkeys((*by_text, *by_vector[:NEAR])))
        first = len(self._parameters.strangers)
        strangers = self._strangers.likenesses(message, [one for one in without if one < first])
        requests = self._requests.likenesses(message, [one - first for one in without if one >= first])
        return Evidence(
            ids=near,
            fits=tuple(self._scale.fit(message, self._workflows[one]) for one in near),
            none=none_features(message, strangers, requests),
            style=message.tokens.style,
            by_vector=by_vector,
        )

    def passage(self, text: str) -> Passage:
        """Return a message as it is compared."""
        return self._scale.passage(_message(text[:MESSAGE_CHARS]))

    def likeness(self, one: Passage, other: Passage) -> float:
        """Return how alike two messages are, 0 to 1."""
        return self._scale.likeness(one, other)

    def _near(self, message: Passage, allowed: Collection[str]) -> tuple[str, ...]:
        """Return the workflows nearest by BM25; where few of those found are allowed, of all."""
        found: tuple[str, ...] = ()
        for limit in (FOUND, len(self._candidates)):
            numbers = self._search.nearest(message.tokens, limit)
            found = tuple(one for number in numbers if (one := self._candidates[number].id) in allowed)
            if len(found) >= NEAR or len(numbers) < limit:
                break
        return found[:NEAR]

    def _shortlist(self, evidence: Evidence) -> tuple[ShortlistEntry, ...]:
        fits = [weighed(self._parameters.fit, features) for features in evidence.fits]
        none = weighed(self._parameters.none, evidence.none) + sum(
            self._parameters.style.get(part, 0.0) for part in evidence.style
        )
        scores = dict(zip(evidence.ids, probabilities(fits, none).workflows, strict=True))
        by_score = sorted(evidence.ids, key=lambda one: -scores[one])
        return tuple(self._entry(one, scores[one]) for one in fused(by_score, evidence.by_vector)[:SHORTLIST])

    def _entry(self, workflow_id: str, score: float) -> ShortlistEntry:
        one = self._by_id[workflow_id]
        return ShortlistEntry(id=one.id, name=one.name, score=round(score, 4), description=one.description)

    def _correction(self, message: Passage, utterance: str, corrections: Sequence[Correction]) -> Correction | None:
        """Return the correction of the same message, or of the nearest that is near enough; of equals the latest."""
        best: tuple[float, Correction] | None = None
        for one in corrections:
            same = one.utterance.strip().casefold() == utterance.strip().casefold()
            likeness = 2.0 if same else self._scale.likeness(message, self.passage(one.utterance))
            if likeness >= self._parameters.near and (best is None or likeness >= best[0]):
                best = likeness, one
        return best[1] if best else None


def _parts_of(index: WorkflowMatcher | None) -> dict[Candidate, tuple[Tokens, ...]]:
    return index.parts if isinstance(index, WorkflowIndex) else {}


def _choice(
    shortlist: Sequence[ShortlistEntry], limit: float, corrected: Correction | None, allowed: Collection[str]
) -> tuple[str | None, RoutingReason]:
    """Return the workflow and the reason; a workflow that was refused leaves its place to none but one as good."""
    if corrected and corrected.wanted_id in allowed:
        return corrected.wanted_id, "correction"
    refused = corrected.workflow_id if corrected else None
    best = max((one for one in shortlist if one.id != refused), key=lambda one: one.score, default=None)
    if best and best.score >= limit:
        return best.id, "match"
    return None, "correction" if refused else "no_match"


def _texts(candidate: Candidate) -> tuple[Tokens, ...]:
    return tuple(
        tokens_of(text[:MESSAGE_CHARS]) for text in (candidate.name, candidate.description, *candidate.utterances)
    )


@lru_cache(maxsize=4096)
def _message(text: str) -> Tokens:
    """Return the parts of a message; those of what a user has corrected are asked for at every message."""
    return tokens_of(text)


@lru_cache(maxsize=4)
def _known(texts: tuple[str, ...]) -> tuple[Tokens, ...]:
    return tuple(tokens_of(text[:MESSAGE_CHARS]) for text in texts)
