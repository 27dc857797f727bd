"""What a person types in a chat, as the answer to what a run asks them."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import replace

from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.service.workflow_chat.answers import answer_of

YES = frozenset({"yes", "是"})
NO = frozenset({"no", "否", "不"})
"""The words that a question says it can be answered with; further words that agree are configured."""


def answer_in_words(request: OpenRequest, words: str, continue_words: Collection[str]) -> RequestAnswer:
    """Return the answer that `words` are.

    What asks for consent is given it by a word that agrees and by nothing else. One that declines leaves it at that;
    any other words say what is wanted instead. An option may be given by its number.
    """
    said = _plain(words)
    if request.kind != "question":
        if said in NO:
            return RequestAnswer(decision="reject")
        agreeing = YES | {_plain(word) for word in continue_words}
        return answer_of(request, said if said in agreeing else words, continue_words=agreeing)
    if said.isdecimal() and len(said) < 4 and 0 < int(said) <= len(request.options):
        return replace(answer_of(request, words, continue_words=()), text=request.options[int(said) - 1])
    return answer_of(request, words, continue_words=())


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().strip(".!。！").casefold()
