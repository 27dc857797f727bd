"""The appearance and the export of figures: fonts with Chinese glyphs, silenced warnings, PNG."""

from __future__ import annotations

import io
import sys
import warnings
from typing import Any

BACKEND = "module://matplotlib_inline.backend_inline"
_MAX_PIXELS = 6_000


def silence() -> None:
    """Silence warnings irrelevant to the analysis: glyphs that no installed font has, figures shown twice."""
    for message in (r"Glyph .* missing from", r"FigureCanvasAgg is non-interactive", r".*font family .* not found"):
        warnings.filterwarnings("ignore", message=message)
    import logging

    logging.getLogger("matplotlib.font_manager").setLevel(logging.CRITICAL)


def png(figure: Any) -> bytes:
    """Render a figure as PNG, at a lower resolution if it would be huge."""
    longest = max(float(side) for side in figure.get_size_inches())
    buffer = io.BytesIO()
    dpi = min(figure.dpi, _MAX_PIXELS / longest) if longest > 0 else figure.dpi
    import matplotlib

    # Code often names a single font that is not installed: fall back to those of the default list.
    wanted = [*matplotlib.rcParams["font.sans-serif"], *matplotlib.rcParamsOrig["font.sans-serif"]]
    with matplotlib.rc_context({"font.sans-serif": list(dict.fromkeys(wanted))}):
        figure.savefig(buffer, format="png", dpi=dpi, bbox_inches="tight")
    return buffer.getvalue()


def is_figure(value: Any) -> bool:
    """Return whether `value` is a figure, without importing matplotlib."""
    module = sys.modules.get("matplotlib.figure")
    return module is not None and isinstance(value, module.Figure)


def is_drawn_part(value: Any) -> bool:
    """Return whether `value` is a part of a figure or a list of parts: return values of plotting calls, which
    nobody reads."""
    if isinstance(value, list | tuple) and value:
        return all(is_drawn_part(part) for part in value)
    if type(value).__module__ == "numpy" and getattr(value, "dtype", "") == "O" and value.size:
        return is_drawn_part(list(value.flat))
    return type(value).__module__.partition(".")[0] in ("matplotlib", "seaborn") and not is_figure(value)
