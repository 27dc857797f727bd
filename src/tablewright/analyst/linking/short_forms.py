"""Short forms in column names: abbreviations of sports tables and of common words, and units of measurement."""

from __future__ import annotations

STANDINGS = {
    "pts": "points", "gp": "games", "pld": "matches", "mp": "matches", "w": "wins", "l": "losses",
    "d": "draws", "t": "ties", "g": "goals", "a": "assists", "gf": "goals for", "ga": "goals against",
    "gd": "goal difference",
    "pf": "points for", "pa": "points against", "pim": "penalty minutes", "pos": "position", "att": "attendance",
    "yds": "yards", "td": "touchdowns", "tds": "touchdowns", "hr": "home runs", "rbi": "runs batted in",
}  # fmt: skip
"""Abbreviated column names of sports tables, used only if several columns of a table are abbreviated."""
WHOLE_WORDS = {
    "temp": "temperature", "max": "maximum", "min": "minimum", "avg": "average", "qty": "quantity", "amt": "amount",
    "dept": "department", "prod": "product", "cust": "customer", "addr": "address", "yr": "year", "yrs": "year",
}  # fmt: skip
"""Words that are often abbreviated in column names."""
UNITS = frozenset(
    {
        "mm", "cm", "km", "kmh", "kph", "mph", "kg", "mg", "lb", "lbs", "usd", "eur", "gbp", "cny", "rmb", "jpy", "pct",
        "percent",
        "kwh", "mwh", "gwh", "kw", "mw", "gw", "hz", "khz", "mhz", "ghz", "db", "hrs", "hpa", "mbar", "ppm", "ppb",
        "sqm", "sqft",
        "km2", "m2", "ha", "ml", "celsius", "fahrenheit", "kelvin", "bpm", "kcal", "kpa", "psi",
    }
)  # fmt: skip
SHORT_UNITS = frozenset({"c", "f", "k", "m", "g", "l", "s", "h"})
