"""A conditional logit: each workflow competes with the others and with none. Fitted by L-BFGS; the sum is convex, so
that there is one result."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import mul

PENALTY = 0.000_2
STYLE_PENALTY = 0.002
FITTING_COUNTS = 3.0
"""More of the examples are for no workflow than most people's messages are: one that fits counts so often."""
ROUNDS = 30
MEMORY = 8
NEGLIGIBLE = 1e-7
ENOUGH_DESCENT = 1e-4
LEAST_STEP = 1e-6

Vector = list[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The features of the workflows that come into question, of none, and the numbers of the styles; `right` is the
    place of the right one, None where none is; it counts `weight`."""

    fits: tuple[tuple[float, ...], ...]
    none: tuple[float, ...]
    styles: tuple[int, ...]
    right: int | None
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of the features of a workflow, of none, and of the styles."""

    fit: Vector
    none: Vector
    style: Vector


def fitted(choices: Sequence[Choice], styles: int) -> Weights:
    """Return the weights that make the right choices most probable, with a penalty on their squares."""
    fit, none = len(choices[0].fits[0]), len(choices[0].none)
    penalties = [PENALTY] * (fit + none) + [STYLE_PENALTY] * styles

    def objective(at: Vector) -> tuple[float, Vector]:
        loss, slope = _loss(choices, Weights(fit=at[:fit], none=at[fit : fit + none], style=at[fit + none :]))
        loss += sum(penalty * value * value for penalty, value in zip(penalties, at, strict=True)) / 2
        return loss, [one + penalty * value for one, penalty, value in zip(slope, penalties, at, strict=True)]

    found = least(objective, [0.0] * (fit + none + styles))
    return Weights(fit=found[:fit], none=found[fit : fit + none], style=found[fit + none :])


def _loss(choices: Sequence[Choice], at: Weights) -> tuple[float, Vector]:
    total = sum(one.weight for one in choices)
    fit, none, style = [0.0] * len(at.fit), [0.0] * len(at.none), [0.0] * len(at.style)
    loss = 0.0
    for one in choices:
        scores = [sum(map(mul, at.fit, row)) for row in one.fits]
        scores.append(sum(map(mul, at.none, one.none)) + sum([at.style[number] for number in one.styles]))
        top = max(scores)
        parts = [math.exp(score - top) for score in scores]
        whole, right = sum(parts), len(scores) - 1 if one.right is None else one.right
        share = one.weight / total
        loss += share * (math.log(whole) + top - scores[right])
        for place, row in enumerate(one.fits):
            pull = (parts[place] / whole - (place == right)) * share
            if abs(pull) > NEGLIGIBLE:
                fit = [own + pull * value for own, value in zip(fit, row, strict=True)]
        pull = (parts[-1] / whole - (right == len(scores) - 1)) * share
        none = [own + pull * value for own, value in zip(none, one.none, strict=True)]
        for number in one.styles:
            style[number] += pull
    return loss, [*fit, *none, *style]


def least(objective: Callable[[Vector], tuple[float, Vector]], start: Vector) -> Vector:
    """Return where the objective is least, by L-BFGS with steps that are halved until they descend."""
    at, (value, slope) = start, objective(start)
    moves: list[tuple[Vector, Vector]] = []
    for _ in range(ROUNDS):
        way = _direction(slope, moves)
        descent = _dot(way, slope)
        step = 1.0 if moves else 1.0 / max(1.0, math.sqrt(_dot(slope, slope)))
        while True:
            there = [one + step * move for one, move in zip(at, way, strict=True)]
            next_value, next_slope = objective(there)
            if next_value <= value + ENOUGH_DESCENT * step * descent:
                break
            step /= 2
            if step < LEAST_STEP:
                return at
        moved = [new - old for new, old in zip(there, at, strict=True)]
        turned = [new - old for new, old in zip(next_slope, slope, strict=True)]
        if _dot(moved, turned) > 0:
            moves = [*moves[-MEMORY + 1 :], (moved, turned)]
        at, value, slope = there, next_value, next_slope
    return at


def _direction(slope: Vector, moves: Sequence[tuple[Vector, Vector]]) -> Vector:
    way = [-one for one in slope]
    shares: list[float] = []
    for moved, turned in reversed(moves):
        share = _dot(moved, way) / _dot(moved, turned)
        shares.append(share)
        way = [one - share * turn for one, turn in zip(way, turned, strict=True)]
    if moves:
        moved, turned = moves[-1]
        scale = _dot(moved, turned) / _dot(turned, turned)
        way = [one * scale for one in way]
    for (moved, turned), share in zip(moves, reversed(shares), strict=True):
        back = _dot(turned, way) / _dot(moved, turned)
        way = [one + (share - back) * move for one, move in zip(way, moved, strict=True)]
    return way


def _dot(one: Vector, other: Vector) -> float:
    return math.fsum(map(mul, one, other))
