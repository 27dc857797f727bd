"""Two questions in one: `which region sold most and which least?`, `金额最高的部门是哪个，最低的是哪个`."""

from __future__ import annotations

import re

_MOST = (
    r"highest|lowest|most|least|fewest|largest|smallest|biggest|greatest|best|worst|longest|shortest|oldest|youngest"
    r"|cheapest|most expensive|earliest|latest|heaviest|lightest"
)
_ENGLISH = re.compile(
    rf"^(?P<head>(?:which|what|who|whose)\b.*?)\b(?P<first>{_MOST})\b(?P<tail>[^?,;]*?)\s*,?\s*\band\s+(?:which|what"
    rf"|who)"
    rf"(?:\s+(?:one|\w+))??(?:\s+(?:has|had|have|is|was|brought"
    rf"|got))?(?:\s+the)?\s+(?P<second>{_MOST})(?:\s+one)?\s*[?.]*$",
    re.IGNORECASE,
)
_BOTH = re.compile(
    rf"^(?P<head>(?:which|what|who)\b.*?)\b(?P<first>{_MOST}) and (?:the )?(?P<second>{_MOST})\b(?P<tail>[^?]*)[?.]*$",
    re.IGNORECASE,
)
_SPREAD = re.compile(r"\b(?:difference|gap|range|between the)\b|相差|之差|差[距值额多]", re.IGNORECASE)
_HAN_MOST = r"最(?:[高低多少大小好差贵早晚新老长短快慢]|便宜|年轻|年长)"
_CHINESE = re.compile(
    rf"^(?P<head>[^，,；;]*?)(?P<first>{_HAN_MOST})(?P<tail>[^，,；;]*)[，,；;、](?:而|又"
    rf"|以及)?(?:哪[个一位些家种]?)?[\u4e00-\u9fff]{{0,4}}?"
    rf"(?P<second>{_HAN_MOST})(?:的)?(?:又?是)?(?:哪[个一位些家种]?个?|谁)?[？?。]*$"
)
_HAN_BOTH = re.compile(
    rf"^(?P<head>[^，,；;]*?)(?P<first>{_HAN_MOST})的?[和与及](?P<second>{_HAN_MOST})(?P<tail>[^，,；;]*?)[？?。]*$"
)


def halves(question: str) -> tuple[str, str] | None:
    """Return both questions, each complete in itself; None if there is only one."""
    plain = question.strip()
    if _SPREAD.search(plain):
        return None  # a difference between the highest and the lowest is a single question
    for pattern in (_ENGLISH, _BOTH, _CHINESE, _HAN_BOTH):
        match = pattern.match(plain)
        if match is not None and match["first"].lower() != match["second"].lower():
            tail = match["tail"].replace("分别", "").rstrip()
            sides = (match["first"], match["second"])
            return tuple(f"{match['head']}{side}{tail}" for side in sides)  # type: ignore[return-value]
    return None
