"""Numbers as a report writes them: short, and never more exact than what was measured."""

from __future__ import annotations


def number(value: float) -> str:
    """Return a number with separated thousands and about four digits: 1,234,567 · 1,235 · 12.35 · 0.01235."""
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}"
    if abs(value) >= 1:
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    return f"{value:.3g}"


def percent(share: float) -> str:
    """Return a share as percent: 34 % is 34%, small ones with a digit more."""
    return f"{share:.1%}" if abs(share) < 0.1 else f"{share:.0%}"


def change(share: float) -> str:
    """Return a relative change with its sign."""
    return f"{'+' if share > 0 else '-'}{percent(abs(share))}"


def probability(p: float) -> str:
    """Return a p-value with its sign of comparison: `= 0.003` or `< 0.0001`."""
    return "< 0.0001" if p < 0.0001 else f"= {p:.2g}"
