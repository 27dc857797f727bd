"""Messages that ask for no change: greetings, questions about the service, taking something back."""

from __future__ import annotations

import re

from tablewright.analyst.linking.text import fold

_TALK: tuple[tuple[str, str], ...] = (
    ("undo", r"^\W*(?:please |can you |could you |请|帮我)*(?:undo|roll ?back|revert|take (?:that|it) back|撤销|撤回|回退|回滚|恢复到?(?:上一步|之前)|取消上一步)"),
    ("redo", r"^\W*(?:please |请)*(?:redo|重做|恢复撤销)"),
    ("abilities", r"\bwhat (?:can|could|do) you do\b|\bwho are you\b|\bhow (?:can|do) (?:i use (?:you|this|it)|you help)\b\W*(?:$|me\b)|\bwhat are you\b|^\W*help\W*$|你能做什么|你会(?:做)?什么|你是谁|能帮我做什么|有什么功能|怎么用|如何使用|^\W*帮助\W*$"),
    ("thanks", r"^\W*(?:thanks?|thank you|thx|great|perfect|谢谢|多谢|感谢|好的|太好了)[\w\s]{0,20}\W*$"),
    ("hello", r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|你好|您好|嗨|早上好|下午好|晚上好|在吗)[\s\w]{0,12}\W*$"),
)  # fmt: skip


def talk(question: str) -> str | None:
    """Return the message code of the answer to such a message; None for any other."""
    low = fold(question).strip()
    return next((code for code, pattern in _TALK if re.search(pattern, low)), None)
