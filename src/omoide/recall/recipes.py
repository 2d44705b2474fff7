"""Recipes: search plans as data. A recipe names the arms, their weights, and the settings of every later stage.

`RECIPES` holds all of them. `everyday` is the default; `kira`, `koshi`, `yodoca` and `loki` reproduce the formulas of
the designs they are named after.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from omoide.domain import LAYERS
from omoide.domain.changed import changed
from omoide.errors import unknown_name
from omoide.recall.scoring import (
    AboveLeast,
    BoundedMultipliers,
    HebbianMultipliers,
    KiraBoosts,
    MinMaxScore,
    NoMultipliers,
    RawScore,
    ReciprocalRank,
    RelativeToBest,
    ScoreMultipliers,
    ScoreNormaliser,
)
from omoide.settings import Settings
from omoide.store import NodeFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeArm:
    """One arm of a recipe: which search it runs, what it looks for, and how its scores count."""

    arm: str
    weight: float = 1.0
    normalise: ScoreNormaliser = MinMaxScore()
    candidates: int | None = None  # None: as many as the recipe says, and at least the limit
    kinds: tuple[str, ...] = ()  # only these kinds; empty: all
    outcome: str | None = None  # only episodes with this outcome
    intents: tuple[str, ...] = ()  # only for questions of these intents; empty: always
    depth: int | None = None  # links that are followed; None: by the complexity of the question
    damp_hubs: bool = True  # whether an entity that is mentioned often counts less
    keep_stop_words: bool = False
    shares_with_neighbours: bool = True  # whether neighbouring turns receive a share of its scores
    keyword_fallback: bool = False  # a vector arm that searches by keyword if the question has no embedding
    weight_setting: str | None = None  # the setting that its weight is multiplied by

    def skip_reason(self, intent: str, filter: NodeFilter) -> str | None:
        """Why this arm does not apply to the question, or None."""
        if self.intents and intent not in self.intents:
            return f"the question does not ask {' or '.join(self.intents)}"
        if self.kinds and filter.kinds and not set(self.kinds) & set(filter.kinds):
            return f"only {' or '.join(filter.kinds)} was asked for"
        return None

    def narrow(self, filter: NodeFilter) -> NodeFilter:
        """The filter restricted to the kinds and outcome of this arm."""
        if not self.kinds and not self.outcome:
            return filter
        kinds = tuple(kind for kind in self.kinds if kind in filter.kinds) if filter.kinds else self.kinds
        return changed(filter, kinds=kinds or filter.kinds, outcome=self.outcome or filter.outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourSettings:
    """How much of a score spreads to the turns said just before and after."""

    distance: int = 2  # turns
    shares: tuple[float, ...] = (0.3, 0.2)  # of the score, one and two turns away
    shares_by_words: tuple[float, ...] = (0.5, 0.35)  # where no late interaction tells the turns apart
    full_length: int = 300  # characters; a longer turn receives proportionally less
    from_best: int = 50  # only the scores of this many nodes spread; 50 to 1,000 measured alike


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankSettings:
    """How many of the best hits the reranker reads, if there is one."""

    best: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LateInteractionSettings:
    """How much the comparison token by token adds, if the embedder provides token states."""

    weight: float = 1.2  # added for the most similar
    power: float = 2.0  # of the share that others get: half as similar is a quarter as likely
    from_best: int = 50  # candidates that are compared; 30 to 100 measured alike


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateSettings:
    """How what was said later on the matter of the best candidates is found."""

    seeds: int = 1  # candidates that are compared; with 2, one of nine sets lost
    near: int = 24  # closest nodes of each that are read
    least_score: float = 0.7  # share of the best score that a seed needs
    likeness: float = 0.65  # cosine plus shared words, from which two texts speak of one matter
    most: int = 2  # nodes found for a seed; with 3, one of nine sets lost .011
    share: float = 1.1  # of the seed's score, times the likeness


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A named search plan."""

    name: str
    purpose: str  # one line
    arms: tuple[RecipeArm, ...]  # asked first, from the question alone
    follow_up_arms: tuple[RecipeArm, ...] = ()  # asked next, starting from the best nodes that were found
    unsupported_language_weight: float = 0.15  # factor of the vector arm if the embedder lacks the question's language
    seeds: int = 100  # nodes that the follow-up arms start from
    limit: int = 10  # hits, if the caller does not say
    complex_limit: int | None = None  # the same for a complex question
    candidates: int = 100  # of each arm
    half_value_length: int | None = 15  # characters; a text this short counts half ("ok, thanks!")
    neighbours: NeighbourSettings | None = NeighbourSettings()
    late_interaction: LateInteractionSettings | None = None
    updates: UpdateSettings | None = None  # whether what was said later on the matter of the best is found
    session_boost: float = 0.0  # share of the evidence for a session that its nodes gain
    multipliers: ScoreMultipliers = BoundedMultipliers()
    least_of_time: int = 0  # of ten hits, at least so many of the time that the question names, and so many others
    sequence_boost: float = 0.0  # gain of the end that is asked for: the first or the latest of several
    intent_threshold: float | None = None  # similarity to an exemplar that tells the intent; None: rules only
    # Whether the same text counts as one hit. Off by default: a repeated turn was said at another time and may answer
    # another question (recall at 10 fell by .01 to .03 on three of nine sets). Packs drop repeated texts in any case.
    drop_duplicates: bool = False
    rerank: RerankSettings | None = RerankSettings()
    read_margin: int | None = 10  # nodes read beyond the limit; None: all, if the multipliers have no bound
    min_probability: float | None = None  # if no hit reaches it, none is returned; None: hits are not judged
    briefing_depth: int = 6  # hits asked for a task briefing, as a multiple of the limit of one section
    told_once: bool = False  # whether of a learned memory and its turn one is returned
    current_first: bool = False  # whether the newest of several hits of one matter is put before the earlier ones
    pack_floor: float = 0.15  # share of the best score below which a hit does not enter the pack of a simple question

    def uses(self, arm: str) -> bool:
        return any(each.arm == arm for each in (*self.arms, *self.follow_up_arms))

    @property
    def needs_embedding(self) -> bool:
        return self.late_interaction is not None or self.uses("vector") or self.uses("profile")


_SEMANTIC = tuple(kind.kind for kind in LAYERS["semantic"])
_HOW_TO = ("pattern", "antipattern", "skill", "procedure")

# Sums of normalised scores beat reciprocal ranks on every set (docs/explanation/decisions/0004-fusion.md).
EVERYDAY = Recipe(
    name="everyday",
    purpose="the default: the best result over all measured sets",
    arms=(
        RecipeArm(arm="keyword"),
        RecipeArm(arm="vector", weight=0.85),
        # The raw score: who is named in every turn tells nothing apart.
        RecipeArm(arm="entity", weight=0.6, normalise=RawScore()),
        RecipeArm(arm="graph", weight=0.5),
        # The raw score: if no preference fits the question, the best of them must not be scaled up to 1.
        RecipeArm(arm="profile", weight=4.0, normalise=RawScore(), shares_with_neighbours=False),
        RecipeArm(arm="time"),
        RecipeArm(arm="dates", weight=0.5, normalise=RawScore(), shares_with_neighbours=False),
        RecipeArm(arm="relations", weight=2.0, normalise=RawScore(), shares_with_neighbours=False),
    ),
    follow_up_arms=(
        RecipeArm(arm="has_date", weight=0.2, normalise=RawScore(), intents=("when",), shares_with_neighbours=False),
        RecipeArm(arm="causal", weight=0.5, normalise=RawScore(), intents=("why",)),
        RecipeArm(arm="constraint", weight=3.0, normalise=AboveLeast(0.2), shares_with_neighbours=False),
    ),
    late_interaction=LateInteractionSettings(),
    updates=UpdateSettings(),
    session_boost=0.6,
    min_probability=0.03,  # at most 1 % of the answerable questions of any set fall below it
    told_once=True,
    current_first=True,
    pack_floor=0.45,  # 0.5 to 0.6 give shorter packs and lose answers
    least_of_time=3,  # 5 gained as much on two sets and lost on a third
    sequence_boost=0.05,  # little more than a tie-breaker: at 0.1 to 0.3 one set lost
)

DEEP = replace(
    EVERYDAY,
    name="deep",
    purpose="for explicit recall: more candidates, longer graph walks, more hits",
    candidates=300,
    limit=30,
    arms=tuple(replace(arm, depth=4) if arm.arm == "graph" else arm for arm in EVERYDAY.arms),
    follow_up_arms=(
        RecipeArm(arm="causal", weight=0.5, normalise=RawScore(), depth=4),
        RecipeArm(arm="recalled", weight=0.2, normalise=RawScore(), depth=1),
    ),
    neighbours=NeighbourSettings(
        distance=4, shares=(0.3, 0.2, 0.1, 0.05), shares_by_words=(0.5, 0.35, 0.2, 0.1), from_best=100
    ),
    pack_floor=0.2,
)

BEFORE_TASK = Recipe(
    name="before_task",
    purpose="before a task: what works, what fails, how it is done, how it went before",
    arms=(
        RecipeArm(arm="keyword", kinds=_HOW_TO),
        RecipeArm(arm="vector", weight=0.7, kinds=_HOW_TO),
        RecipeArm(arm="keyword", weight=0.5, kinds=("episode",), outcome="success"),
        RecipeArm(arm="vector", weight=0.4, kinds=("episode",), outcome="success"),
        RecipeArm(arm="keyword", weight=0.4, kinds=("episode",), outcome="failure"),
        RecipeArm(arm="vector", weight=0.3, kinds=("episode",), outcome="failure"),
        RecipeArm(arm="profile", weight=2.0, normalise=RawScore(), kinds=("preference",)),
    ),
    neighbours=None,
    drop_duplicates=True,
    min_probability=0.03,  # as everyday: nine of ten unrelated goals get no hits, and no lesson is lost
)

SESSION_START = Recipe(
    name="session_start",
    purpose="at the start of a session: who the user is, what happened last, what is still open",
    arms=(
        RecipeArm(arm="profile", normalise=RawScore()),
        RecipeArm(arm="recent", normalise=RawScore(), kinds=("handoff", "narrative"), candidates=5),
        RecipeArm(arm="recent", normalise=RawScore(), outcome="pending", candidates=5),
        RecipeArm(arm="recent", weight=0.5, normalise=RawScore(), candidates=10),
    ),
    half_value_length=None,
    neighbours=None,
    drop_duplicates=True,
    rerank=None,
    pack_floor=0.0,
)

RECIPROCAL = Recipe(
    name="reciprocal",
    purpose="weighted reciprocal ranks instead of scores, with the settings rrf_k and rrf_weight_…",
    arms=(
        RecipeArm(arm="keyword", normalise=ReciprocalRank(), weight_setting="rrf_weight_fts"),
        RecipeArm(arm="vector", weight=0.7, normalise=ReciprocalRank(), weight_setting="rrf_weight_vector"),
        RecipeArm(arm="entity", weight=0.5, normalise=ReciprocalRank(), weight_setting="rrf_weight_graph"),
        RecipeArm(arm="time", normalise=ReciprocalRank()),
    ),
    half_value_length=None,
    neighbours=None,
)

KEYWORD = Recipe(name="keyword", purpose="keyword search only", arms=(RecipeArm(arm="keyword"),), neighbours=None)

# The formulas of other designs know none of the later stages.
_FORMULA = Recipe(
    name="formula",
    purpose="",
    arms=(),
    half_value_length=None,
    neighbours=None,
    multipliers=NoMultipliers(),
    rerank=None,
    read_margin=None,
)

KIRA = replace(
    _FORMULA,
    name="kira",
    purpose="Kira-R's formula: reciprocal ranks, a bonus for nodes reached through the graph, boosts",
    arms=(
        RecipeArm(arm="keyword", normalise=ReciprocalRank(60), candidates=20),
        RecipeArm(arm="vector", normalise=ReciprocalRank(60), candidates=20),
        RecipeArm(arm="graph", weight=0.02, normalise=RawScore(), kinds=("fact",), depth=2, damp_hubs=False),
    ),
    multipliers=KiraBoosts(),
)

KOSHI = replace(
    _FORMULA,
    name="koshi",
    purpose="Koshi's formula: keyword search, multiplied by past usefulness",
    arms=(RecipeArm(arm="keyword", normalise=RawScore(), keep_stop_words=True),),
    limit=5,
    multipliers=HebbianMultipliers(),
)

YODOCA = replace(
    _FORMULA,
    name="yodoca",
    purpose="Yodoca's formula: reciprocal ranks, and a graph walk chosen by the intent",
    arms=(
        RecipeArm(arm="keyword", normalise=ReciprocalRank(), weight_setting="rrf_weight_fts"),
        RecipeArm(arm="vector", normalise=ReciprocalRank(), weight_setting="rrf_weight_vector"),
        RecipeArm(arm="entity", normalise=ReciprocalRank(), weight_setting="rrf_weight_graph", intents=("who", "what")),
    ),
    follow_up_arms=(
        RecipeArm(arm="causal", normalise=ReciprocalRank(), weight_setting="rrf_weight_graph", intents=("why",)),
        RecipeArm(arm="temporal", normalise=ReciprocalRank(), weight_setting="rrf_weight_graph", intents=("when",)),
    ),
    limit=5,
    complex_limit=20,
    intent_threshold=0.45,
)

LOKI = replace(
    _FORMULA,
    name="loki",
    purpose="Loki's formula: knowledge, then successes, then skills",
    arms=(
        RecipeArm(
            arm="vector",
            weight=0.5,
            normalise=RelativeToBest(),
            kinds=_SEMANTIC,
            candidates=5,
            keyword_fallback=True,
        ),
        RecipeArm(
            arm="vector",
            weight=0.3,
            normalise=RelativeToBest(),
            kinds=("episode",),
            outcome="success",
            candidates=3,
            keyword_fallback=True,
        ),
        RecipeArm(arm="keyword", weight=0.2, normalise=RelativeToBest(), kinds=("skill",)),
    ),
    limit=5,
    briefing_depth=1,
)

RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (EVERYDAY, DEEP, BEFORE_TASK, SESSION_START, RECIPROCAL, KEYWORD, KIRA, KOSHI, YODOCA, LOKI)
}


def recipe_by_name(name: str, settings: Settings) -> Recipe:
    """The recipe of this name, adjusted to the settings. An unknown name raises `InvalidInput` with a suggestion."""
    if isinstance(name, str) and name in RECIPES:
        return _with_settings(RECIPES[name], settings)
    raise unknown_name("recipe", name, RECIPES)


def _with_settings(recipe: Recipe, settings: Settings) -> Recipe:
    """Apply the settings `rrf_k`, `rrf_weight_…` and `intent_similarity_threshold`."""
    arms = (*recipe.arms, *recipe.follow_up_arms)
    if recipe.intent_threshold is None and all(arm.weight_setting is None for arm in arms):
        return recipe

    def adjusted(arm: RecipeArm) -> RecipeArm:
        if arm.weight_setting is None:
            return arm
        weight = arm.weight * getattr(settings, arm.weight_setting)
        return replace(arm, weight=weight, normalise=ReciprocalRank(settings.rrf_k))

    return replace(
        recipe,
        arms=tuple(map(adjusted, recipe.arms)),
        follow_up_arms=tuple(map(adjusted, recipe.follow_up_arms)),
        intent_threshold=None if recipe.intent_threshold is None else settings.intent_similarity_threshold,
    )
