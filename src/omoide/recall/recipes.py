"""What a recipe is: a plan for recall as data. Which arms speak, how loud, how they count, what moves a hit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches

from omoide.domain import LAYERS
from omoide.errors import InvalidInput
from omoide.recall.scoring import (
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
    """One arm in a recipe: which search is asked, for what, and what its answer counts."""

    arm: str
    weight: float = 1.0
    counts: ScoreNormaliser = MinMaxScore()
    reach: int | None = None  # candidates; None: as many as the recipe reaches for, and as were asked for
    kinds: tuple[str, ...] = ()  # only these; none: all
    outcome: str | None = None  # only episodes that ended so
    intents: tuple[str, ...] = ()  # asked only for questions of these intents; none: always
    depth: int | None = None  # how far links are walked; None: by the weight of the question
    damps_hubs: bool = True  # whether what everything is linked to counts less
    every_word: bool = False  # stop words too
    lends: bool = True  # whether the turns beside a hit share what it counts
    or_words: bool = False  # goes by meaning; where none can be read, by words
    knob: str | None = None  # the setting by whose factor its weight goes

    def silent(self, intent: str, keep: NodeFilter) -> str | None:
        """Why this voice has nothing to say here, if it has nothing."""
        if self.intents and intent not in self.intents:
            return f"the question does not ask {' or '.join(self.intents)}"
        if self.kinds and keep.kinds and not set(self.kinds) & set(keep.kinds):
            return f"only {' or '.join(keep.kinds)} was asked for"
        return None

    def narrowed(self, keep: NodeFilter) -> NodeFilter:
        """What may be found by this voice, within what may be found at all."""
        kinds = tuple(kind for kind in self.kinds if kind in keep.kinds) if keep.kinds else self.kinds
        return replace(keep, kinds=kinds or keep.kinds, outcome=self.outcome or keep.outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadSettings:
    """How much of a hit's score reaches the short turns said beside it: an answer often stands one turn away."""

    reach: int = 2
    shares: tuple[float, ...] = (0.5, 0.35)  # of the score, one and two turns away
    full_length: int = 300  # characters; a longer turn speaks for itself and takes less, in proportion
    from_best: int = 50  # beyond them there is nothing worth lending: 50 to 1,000 measured alike


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankSettings:
    """How many of the best a reranker reads again, where there is one."""

    best: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LateInteractionSettings:
    """How much a comparison word by word adds to the best candidates, where the embedder gives token states."""

    weight: float = 0.8  # for the most alike of them; 0.5 to 1.0 measured alike
    from_best: int = 50  # 30 to 100 measured alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A named plan."""

    name: str
    purpose: str  # one line for whoever chooses
    voices: tuple[RecipeArm, ...]  # the arms that are asked first, from the question alone
    then: tuple[RecipeArm, ...] = ()  # the arms that start from the best of what those found
    guess: float = 0.15  # of the vector arm's weight, where the embedder was not made for the question's language
    seeds: int = 100  # how many of the best they start from
    limit: int = 10  # hits, where the asker does not say
    complex_limit: int | None = None  # the same for a question that asks for much
    reach: int = 100  # candidates of each arm, where its voice does not say
    half_worth: int | None = 15  # characters: a turn so short is worth half of what its words say ("ok, thanks!")
    spread: SpreadSettings | None = SpreadSettings()
    late: LateInteractionSettings | None = None
    company: float = 0.0  # share of the best score in its session that each of its turns gets
    multipliers: ScoreMultipliers = BoundedMultipliers()
    row: float = 0.0  # how much the end that is asked for gains: the first or the latest of several
    intent_threshold: float | None = None  # likeness to an exemplar that tells the intent; None: rules alone
    # The same words said twice are one hit. Not by default: what was said again was said at another time, and answers
    # another question (recall at 10 on three of nine sets .01 to .03 lower). Packs say a sentence once in any case.
    distinct: bool = False
    rerank: RerankSettings | None = RerankSettings()
    slack: int | None = 10  # read and weighed beyond the limit; None: all, where multipliers have no bound
    least_probable: float | None = None  # below it a question is not answered at all; None: hits are not judged
    depth_of_briefing: int = (
        6  # times the limit of a section that is looked at to fill all of them; 1: that many in all
    )
    floor: float = 0.15  # of the best score: what lies below does not enter a pack, however much room there is

    def asks(self, arm: str) -> bool:
        return any(voice.arm == arm for voice in (*self.voices, *self.then))

    @property
    def reads_meaning(self) -> bool:
        """Whether the question must be embedded."""
        return self.late is not None or self.asks("vector") or self.asks("profile")

    def louder(self, **weights: float) -> Recipe:
        """The same with other weights for some arms; one of weight 0 is not asked."""
        return replace(self, voices=_with_weights(self.voices, weights), then=_with_weights(self.then, weights))


def _with_weights(voices: tuple[RecipeArm, ...], weights: dict[str, float]) -> tuple[RecipeArm, ...]:
    changed = (replace(voice, weight=weights.get(voice.arm, voice.weight)) for voice in voices)
    return tuple(voice for voice in changed if voice.weight > 0)


# The recipes there are: ours, and the seeds' own formulas as they write them. When to use which: docs/recipes.md.


_SEMANTIC = tuple(kind.kind for kind in LAYERS["semantic"])
_HOW_TO = ("pattern", "antipattern", "skill", "procedure")

# Sums of normalised scores beat reciprocal ranks on every set (docs/decisions/0004-fusion.md).
EVERYDAY = Recipe(
    name="everyday",
    purpose="the best over all that was measured",
    voices=(
        RecipeArm(arm="keyword"),
        RecipeArm(arm="vector", weight=0.7),
        RecipeArm(arm="entity", weight=0.3),
        RecipeArm(arm="graph", weight=0.5),
        # Its own likeness, and not stretched: where no wish fits the question, the best of them is no reason either.
        RecipeArm(arm="profile", weight=4.0, counts=RawScore(), lends=False),
        RecipeArm(arm="time"),
    ),
    then=(
        RecipeArm(arm="session", weight=0.2, counts=RawScore()),
        RecipeArm(arm="causal", weight=0.5, counts=RawScore(), intents=("why",)),
    ),
    late=LateInteractionSettings(),
    company=0.3,
    least_probable=0.03,  # at most 1 % of the answerable questions of any set fall below it
    row=0.05,  # little more than a tie-breaker: at 0.1 to 0.3 one set lost
)

DEEP = replace(
    EVERYDAY,
    name="deep",
    purpose="asked to remember: reaches wider, walks further, returns more",
    reach=300,
    limit=30,
    voices=tuple(replace(voice, depth=4) if voice.arm == "graph" else voice for voice in EVERYDAY.voices),
    then=(
        RecipeArm(arm="session", weight=0.3, counts=RawScore()),
        RecipeArm(arm="causal", weight=0.5, counts=RawScore(), depth=4),
    ),
    spread=SpreadSettings(reach=4, shares=(0.5, 0.35, 0.2, 0.1), from_best=100),
    floor=0.05,
)

BEFORE_TASK = Recipe(
    name="before_task",
    purpose="before work begins: what works, what fails, how it is done, how it went before",
    voices=(
        RecipeArm(arm="keyword", kinds=_HOW_TO),
        RecipeArm(arm="vector", weight=0.7, kinds=_HOW_TO),
        RecipeArm(arm="keyword", weight=0.5, kinds=("episode",), outcome="success"),
        RecipeArm(arm="vector", weight=0.4, kinds=("episode",), outcome="success"),
        RecipeArm(arm="keyword", weight=0.4, kinds=("episode",), outcome="failure"),
        RecipeArm(arm="vector", weight=0.3, kinds=("episode",), outcome="failure"),
        RecipeArm(arm="profile", weight=2.0, counts=RawScore(), kinds=("preference",)),
    ),
    spread=None,
    distinct=True,
    least_probable=0.03,  # as everyday: nine of ten goals of another world get nothing, and no lesson was lost
)

SESSION_START = Recipe(
    name="session_start",
    purpose="before anything is asked: who the user is, what was going on, what is still open",
    voices=(
        RecipeArm(arm="profile", counts=RawScore()),
        RecipeArm(arm="recent", counts=RawScore(), kinds=("handoff", "narrative"), reach=5),
        RecipeArm(arm="recent", counts=RawScore(), outcome="pending", reach=5),
        RecipeArm(arm="recent", weight=0.5, counts=RawScore(), reach=10),
    ),
    half_worth=None,
    spread=None,
    distinct=True,
    rerank=None,
    floor=0.0,
)

RECIPROCAL = Recipe(
    name="reciprocal",
    purpose="weighted reciprocal ranks instead of scores, with the settings rrf_k and rrf_weight_…",
    voices=(
        RecipeArm(arm="keyword", counts=ReciprocalRank(), knob="rrf_weight_fts"),
        RecipeArm(arm="vector", weight=0.7, counts=ReciprocalRank(), knob="rrf_weight_vector"),
        RecipeArm(arm="entity", weight=0.5, counts=ReciprocalRank(), knob="rrf_weight_graph"),
        RecipeArm(arm="time", counts=ReciprocalRank()),
    ),
    half_worth=None,
    spread=None,
)

KEYWORD = Recipe(name="keyword", purpose="words alone", voices=(RecipeArm(arm="keyword"),), spread=None)

KIRA = Recipe(
    name="kira",
    purpose="Kira-R's formula: reciprocal ranks, a bonus for what the graph reaches, boosts",
    voices=(
        RecipeArm(arm="keyword", counts=ReciprocalRank(60), reach=20),
        RecipeArm(arm="vector", counts=ReciprocalRank(60), reach=20),
        RecipeArm(arm="graph", weight=0.02, counts=RawScore(), kinds=("fact",), depth=2, damps_hubs=False),
    ),
    half_worth=None,
    spread=None,
    multipliers=KiraBoosts(),
    rerank=None,
    slack=None,
)

KOSHI = Recipe(
    name="koshi",
    purpose="Koshi's formula: words that were found useful grow louder",
    voices=(RecipeArm(arm="keyword", counts=RawScore(), every_word=True),),
    limit=5,
    half_worth=None,
    spread=None,
    multipliers=HebbianMultipliers(),
    rerank=None,
    slack=None,
)

YODOCA = Recipe(
    name="yodoca",
    purpose="Yodoca's formula: reciprocal ranks, and a walk through the graph by what is asked",
    voices=(
        RecipeArm(arm="keyword", counts=ReciprocalRank(), knob="rrf_weight_fts"),
        RecipeArm(arm="vector", counts=ReciprocalRank(), knob="rrf_weight_vector"),
        RecipeArm(arm="entity", counts=ReciprocalRank(), knob="rrf_weight_graph", intents=("who", "what")),
    ),
    then=(
        RecipeArm(arm="causal", counts=ReciprocalRank(), knob="rrf_weight_graph", intents=("why",)),
        RecipeArm(arm="temporal", counts=ReciprocalRank(), knob="rrf_weight_graph", intents=("when",)),
    ),
    limit=5,
    complex_limit=20,
    intent_threshold=0.45,
    half_worth=None,
    spread=None,
    multipliers=NoMultipliers(),
    rerank=None,
    slack=None,
)

LOKI = Recipe(
    name="loki",
    purpose="Loki's formula: knowledge, then successes, then skills",
    voices=(
        RecipeArm(arm="vector", weight=0.5, counts=RelativeToBest(), kinds=_SEMANTIC, reach=5, or_words=True),
        RecipeArm(
            arm="vector",
            weight=0.3,
            counts=RelativeToBest(),
            kinds=("episode",),
            outcome="success",
            reach=3,
            or_words=True,
        ),
        RecipeArm(arm="keyword", weight=0.2, counts=RelativeToBest(), kinds=("skill",)),
    ),
    limit=5,
    depth_of_briefing=1,
    half_worth=None,
    spread=None,
    multipliers=NoMultipliers(),
    rerank=None,
    slack=None,
)

RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (EVERYDAY, DEEP, BEFORE_TASK, SESSION_START, RECIPROCAL, KEYWORD, KIRA, KOSHI, YODOCA, LOKI)
}


def recipe_by_name(name: str, settings: Settings) -> Recipe:
    """By name; an unknown one is refused with the nearest. Voices with a knob follow the settings."""
    if isinstance(name, str) and name in RECIPES:
        return _with_settings(RECIPES[name], settings)
    near = get_close_matches(str(name), RECIPES, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known recipes are {', '.join(RECIPES)}"
    raise InvalidInput(f"unknown recipe {name!r}; {hint}")


def _with_settings(recipe: Recipe, settings: Settings) -> Recipe:
    def turned(voice: RecipeArm) -> RecipeArm:
        if voice.knob is None:
            return voice
        return replace(
            voice, weight=voice.weight * getattr(settings, voice.knob), counts=ReciprocalRank(settings.rrf_k)
        )

    threshold = None if recipe.intent_threshold is None else settings.intent_similarity_threshold
    voices, then = tuple(map(turned, recipe.voices)), tuple(map(turned, recipe.then))
    return replace(recipe, voices=voices, then=then, intent_threshold=threshold)
