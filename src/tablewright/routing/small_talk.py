"""Recognizes small talk by the whole of what was said: a greeting before a question does not make it small talk."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

Talk = Literal["greeting", "thanks", "abilities"]

_PHRASES: dict[Talk, str] = {
    "greeting": r"(你|您|大家)?好(呀|啊|吗)?|哈喽|嗨|在吗|早上好|下午好|晚上好|早安|晚安|"
    r"(hi|hello|hey)( there)?|good (morning|afternoon|evening)|how are you",
    "thanks": r"(非常|十分)?(谢谢|感谢|多谢)(你|您|啦|了)?|辛苦了|"
    r"(ok )?(thanks|thank you|thx|cheers)( a lot| so much| very much)?|great|nice|好的|明白了?",
    "abilities": r"(请问)?(你|您)?(能|会|可以)(帮我)?(做|干)(什么|些什么|啥)|(你|您)是谁|(你|您)叫什么(名字)?|"
    r"(请)?介绍(一下)?(你|您)?自己|(你|您)有(什么|哪些)(功能|能力)|(怎么|如何)(用|使用)(你|您)?|帮助|使用说明"
    r"|能问(你)?(什么|哪些问题)|"
    r"what (can|do) you do|what are you( able to do)?|who are you|what is tablewright|help( me)?|"
    r"how (do|can) i use (you|this|tablewright)|how does (this|it) work|what can i ask( you)?",
}
_TALK = {talk: re.compile(f"(?:{phrases})+") for talk, phrases in _PHRASES.items()}
_GREETED = re.compile(rf"(?:{_PHRASES['greeting']})\s*(?P<rest>.+)")


def small_talk(said: str) -> Talk | None:
    """Return the kind of small talk that `said` is as a whole, or None.

    A greeting followed by other small talk counts as the latter.
    """
    words = _plain(said)
    found = next((talk for talk, pattern in _TALK.items() if pattern.fullmatch(words)), None)
    if found is None and (greeted := _GREETED.fullmatch(words)):
        return small_talk(greeted["rest"])
    return found


def _plain(said: str) -> str:
    """Return the text in lower case, without punctuation and symbols, and with single spaces."""
    kept = (char if unicodedata.category(char)[0] in "LN" else " " for char in unicodedata.normalize("NFKC", said))
    return " ".join("".join(kept).lower().split())
