"""Recipes: plans for recall, as data. Which arms speak, how loud, how they are fused, what moves a hit up or down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

from omoide.config import Settings
from omoide.errors import InvalidInput

Fusion = Literal["normalised", "reciprocal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How much of a hit's score reaches the short turns said beside it: an answer often stands one turn away."""

    reach: int = 2
    shares: tuple[float, ...] = (0.5, 0.35)  # of the score, one and two turns away
    full_length: int = 300  # characters; a longer turn speaks for itself and takes less, in proportion
    from_best: int = 50  # beyond them there is nothing worth lending: 50 to 1,000 measured alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Multipliers:
    """Each moves a score by at most its share up or down: nothing buries relevance."""

    recency: float = 0.01
    recency_half_life: float = 30.0  # days
    importance: float = 0.03
    confidence: float = 0.3
    reinforcement: float = 0.3
    time: float = 0.5
    speaker: float = 0.15  # the question names who said it
    myself: float = 0.25  # the user asks about themselves, and said this


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A named plan."""

    name: str
    arms: Mapping[str, float]  # the arms that are asked, with their weight in the fusion
    reach: int = 100  # candidates of each arm
    fusion: Fusion = "normalised"
    half_worth: int = 15  # characters: a turn so short is worth half of what its words say ("ok, thanks!")
    rrf_k: int = 60
    spread: Spread | None = Spread()
    multipliers: Multipliers = Multipliers()
    least_probable: float | None = None  # below it a question is not answered at all; None: hits are not judged
    floor: float = 0.15  # of the best score: what lies below does not enter a pack, however much room there is


RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        # Sums of normalised scores beat reciprocal ranks on every set (docs/decisions/0004-fusion.md).
        Recipe(
            name="everyday",
            arms={"keyword": 1.0, "vector": 0.7, "entity": 0.3, "time": 1.0},
            least_probable=0.03,  # at most 1 % of the answerable questions of any set fall below it
        ),
        Recipe(
            name="reciprocal",
            arms={"keyword": 1.0, "vector": 0.7, "entity": 0.5, "time": 1.0},
            fusion="reciprocal",
            spread=None,
        ),
        Recipe(name="keyword", arms={"keyword": 1.0}, spread=None),
    )
}


def recipe_of(name: str, settings: Settings) -> Recipe:
    """By name; an unknown one is refused with the nearest. Reciprocal ranks take their constants from the settings."""
    if isinstance(name, str) and name in RECIPES:
        recipe = RECIPES[name]
        return _tuned(recipe, settings) if recipe.fusion == "reciprocal" else recipe
    near = get_close_matches(str(name), RECIPES, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known recipes are {', '.join(RECIPES)}"
    raise InvalidInput(f"unknown recipe {name!r}; {hint}")


def _tuned(recipe: Recipe, settings: Settings) -> Recipe:
    weights = {
        "keyword": settings.rrf_weight_fts,
        "vector": settings.rrf_weight_vector,
        "entity": settings.rrf_weight_graph,
    }
    return replace(recipe, rrf_k=settings.rrf_k, arms={arm: weights.get(arm, 1.0) for arm in recipe.arms})
