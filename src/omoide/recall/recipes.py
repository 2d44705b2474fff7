"""Recipes: plans for recall, as data. Which arms speak, how loud, how they are fused, what moves a hit up or down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches

from omoide.config import Settings
from omoide.errors import InvalidInput
from omoide.recall.fuse import Count, Reciprocal, Stretched
from omoide.recall.weigh import Multipliers, Weigher
from omoide.store import Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """One arm in a recipe: which search is asked, for what, and what its answer counts."""

    arm: str
    weight: float = 1.0
    counts: Count = Stretched()
    reach: int | None = None  # candidates; None: as many as the recipe reaches for, and as were asked for
    kinds: tuple[str, ...] = ()  # only these; none: all
    outcome: str | None = None  # only episodes that ended so
    intents: tuple[str, ...] = ()  # asked only for questions of these intents; none: always
    knob: str | None = None  # the setting by whose factor its weight goes

    def silent(self, intent: str, keep: Filter) -> str | None:
        """Why this voice has nothing to say here, if it has nothing."""
        if self.intents and intent not in self.intents:
            return f"the question does not ask {' or '.join(self.intents)}"
        if self.kinds and keep.kinds and not set(self.kinds) & set(keep.kinds):
            return f"only {' or '.join(keep.kinds)} was asked for"
        return None

    def narrowed(self, keep: Filter) -> Filter:
        """What may be found by this voice, within what may be found at all."""
        kinds = tuple(kind for kind in self.kinds if kind in keep.kinds) if keep.kinds else self.kinds
        return replace(keep, kinds=kinds or keep.kinds, outcome=self.outcome or keep.outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How much of a hit's score reaches the short turns said beside it: an answer often stands one turn away."""

    reach: int = 2
    shares: tuple[float, ...] = (0.5, 0.35)  # of the score, one and two turns away
    full_length: int = 300  # characters; a longer turn speaks for itself and takes less, in proportion
    from_best: int = 50  # beyond them there is nothing worth lending: 50 to 1,000 measured alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """How much a comparison word by word adds to the best candidates, where the embedder gives token states."""

    weight: float = 0.8  # for the most alike of them; 0.5 to 1.0 measured alike
    from_best: int = 50  # 30 to 100 measured alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A named plan."""

    name: str
    voices: tuple[Voice, ...]  # the arms that are asked first, from the question alone
    then: tuple[Voice, ...] = ()  # the arms that start from the best of what those found
    seeds: int = 5  # how many of the best they start from
    reach: int = 100  # candidates of each arm, where its voice does not say
    half_worth: int | None = 15  # characters: a turn so short is worth half of what its words say ("ok, thanks!")
    spread: Spread | None = Spread()
    late: Late | None = None
    multipliers: Weigher = Multipliers()
    slack: int | None = 10  # read and weighed beyond the limit; None: all, where multipliers have no bound
    least_probable: float | None = None  # below it a question is not answered at all; None: hits are not judged
    floor: float = 0.15  # of the best score: what lies below does not enter a pack, however much room there is

    def asks(self, arm: str) -> bool:
        return any(voice.arm == arm for voice in (*self.voices, *self.then))

    @property
    def reads_meaning(self) -> bool:
        """Whether the question must be embedded."""
        return self.late is not None or self.asks("vector")

    def louder(self, **weights: float) -> Recipe:
        """The same with other weights for some arms; one of weight 0 is not asked."""
        return replace(self, voices=_weighted(self.voices, weights), then=_weighted(self.then, weights))


def _weighted(voices: tuple[Voice, ...], weights: dict[str, float]) -> tuple[Voice, ...]:
    changed = (replace(voice, weight=weights.get(voice.arm, voice.weight)) for voice in voices)
    return tuple(voice for voice in changed if voice.weight > 0)


RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        # Sums of normalised scores beat reciprocal ranks on every set (docs/decisions/0004-fusion.md).
        Recipe(
            name="everyday",
            voices=(
                Voice(arm="keyword"),
                Voice(arm="vector", weight=0.7),
                Voice(arm="entity", weight=0.3),
                Voice(arm="time"),
            ),
            late=Late(),
            least_probable=0.03,  # at most 1 % of the answerable questions of any set fall below it
        ),
        Recipe(
            name="reciprocal",
            voices=(
                Voice(arm="keyword", counts=Reciprocal(), knob="rrf_weight_fts"),
                Voice(arm="vector", weight=0.7, counts=Reciprocal(), knob="rrf_weight_vector"),
                Voice(arm="entity", weight=0.5, counts=Reciprocal(), knob="rrf_weight_graph"),
                Voice(arm="time", counts=Reciprocal()),
            ),
            half_worth=None,
            spread=None,
        ),
        Recipe(name="keyword", voices=(Voice(arm="keyword"),), spread=None),
    )
}


def recipe_of(name: str, settings: Settings) -> Recipe:
    """By name; an unknown one is refused with the nearest. Voices with a knob follow the settings."""
    if isinstance(name, str) and name in RECIPES:
        return _tuned(RECIPES[name], settings)
    near = get_close_matches(str(name), RECIPES, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known recipes are {', '.join(RECIPES)}"
    raise InvalidInput(f"unknown recipe {name!r}; {hint}")


def _tuned(recipe: Recipe, settings: Settings) -> Recipe:
    def turned(voice: Voice) -> Voice:
        if voice.knob is None:
            return voice
        return replace(voice, weight=voice.weight * getattr(settings, voice.knob), counts=Reciprocal(settings.rrf_k))

    return replace(recipe, voices=tuple(map(turned, recipe.voices)), then=tuple(map(turned, recipe.then)))
