"""Remembers which of the readings of a question was chosen, for when it is asked again."""

from __future__ import annotations

import logging

from tablewright.domain.events import QuestionAsked
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.offer import chosen_option
from tablewright.domain.run import OpenRequest
from tablewright.domain.scope import Scope
from tablewright.domain.vocabulary import LONGEST_QUESTION, VocabularyEntry, plain
from tablewright.errors import TablewrightError
from tablewright.store.base import Store

_log = logging.getLogger(__name__)


class ChosenReadings:
    """Stores the choices of a tenant among its vocabulary."""

    def __init__(self, store: Store, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def keep(self, scope: Scope, request: OpenRequest) -> None:
        """Remember what was chosen where the answered request offered readings.

        The answer stands whether this succeeds or not.
        """
        try:
            if request.kind == "question" and request.options and (said := _words(request)):
                await self._keep(scope, request, said)
        except TablewrightError as error:
            _log.warning("a chosen reading was not remembered: %s", error)

    async def _keep(self, scope: Scope, request: OpenRequest, said: str) -> None:
        place = chosen_option(request.options, said)
        offers = await self._offers(scope, request.run_id)
        offer = offers.get(request.id)
        if offer is None or place is None or place >= len(offer.readings):
            return
        text = offer.readings[place].text
        question = await self._question(scope, request, offers)
        if text == request.options[place] or len(question) > LONGEST_QUESTION:
            return  # it says nothing of itself but its result, or is too long to be asked again in the same words
        entry = VocabularyEntry(
            id=self._ids.new(),
            kind="reading",
            phrase=plain(question),
            meaning=text,
            created_at=self._clock.now(),
            created_by=scope.owner,
        )
        await self._store.vocabulary.add(scope, entry)

    async def _offers(self, scope: Scope, run_id: str) -> dict[str, QuestionAsked]:
        events = await self._store.log.events(scope, run_id, types=("question.asked",), own=True)
        bodies = [event.body for event in events]
        return {body.request_id: body for body in bodies if isinstance(body, QuestionAsked) and body.readings}

    async def _question(self, scope: Scope, request: OpenRequest, offers: dict[str, QuestionAsked]) -> str:
        """Return the question that the readings are of: that of the run, or what was asked anew in answer to an offer
        before."""
        question = (await self._store.runs.get(scope, request.run_id)).question
        for earlier in await self._store.log.requests(scope, request.run_id):
            if earlier.id == request.id:
                break
            anew = _words(earlier)
            if earlier.id in offers and anew and chosen_option(earlier.options, anew) is None:
                question = anew
        return question


def _words(request: OpenRequest) -> str:
    answer = request.answer
    return (answer.text or "").strip() if answer is not None and answer.decision == "answer" else ""
