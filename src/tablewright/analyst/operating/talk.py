"""Messages that ask for no change: greetings, questions about the service, taking something back."""

from __future__ import annotations

import re

from tablewright.analyst.linking.text import fold
from tablewright.analyst.linking.tokens import tokenize

_TALK: tuple[tuple[str, str], ...] = (
    ("undo", (
        r"^\W*(?:please |can you |could you |请|帮我)*(?:undo|roll ?back|revert|take (?:that|it) back|撤销|撤回|回退"
        r"|回滚|恢复到?(?:上一步|之前)|取消上一步)"
    )),
    ("redo", r"^\W*(?:please |请)*(?:redo|重做|恢复撤销)"),
    ("abilities", (
        r"\bwhat (?:can|could|do) you do\b|\bwho are you\b|\bhow (?:can|do) (?:i use (?:you|this|it)"
        r"|you help)\b\W*(?:$|me\b)|\bwhat are you\b|^\W*help\W*$|你能做什么|你会(?:做)?什么|你是谁|能帮我做什么"
        r"|有什么功能|怎么用|如何使用|^\W*帮助\W*$"
    )),
    ("thanks", r"^\W*(?:thanks?|thank you|thx|great|perfect|谢谢|多谢|感谢|好的|太好了)[\w\s]{0,20}\W*$"),
    ("hello", (
        r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|你好|您好|嗨|早上好|下午好|晚上好"
        r"|在吗)[\s\w]{0,12}\W*$"
    )),
)  # fmt: skip


_HOW = (("how", "do"), ("how", "does"), ("how", "to"), ("怎", "么"), ("怎", "样"), ("如", "何"))
"""The tokens with which a message begins that asks for the way to do something, not for it to be done."""
_LONG = 30
"""Number of words from which on a message tells a story, whose question is a request."""


def asks_how(question: str) -> bool:
    """Return whether a message only asks how something is done."""
    tokens = [token.norm for token in tokenize(question) if token.kind != "mark"]
    return len(tokens) < _LONG and tuple(tokens[:2]) in _HOW


def talk(question: str) -> str | None:
    """Return the message code of the answer to such a message; None for any other."""
    low = fold(question).strip()
    return next((code for code, pattern in _TALK if re.search(pattern, low)), None)
