"""The recipes there are: ours, and the seeds' own formulas as they write them. When to use which: docs/recipes.md."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

from omoide.config import Settings
from omoide.errors import InvalidInput
from omoide.layers import LAYERS
from omoide.recall.fuse import Own, Reciprocal, Relative
from omoide.recall.recipe import Late, Recipe, Spread, Voice
from omoide.recall.weigh import Hebbian, KiraBoosts, Unmoved

_SEMANTIC = tuple(kind.kind for kind in LAYERS["semantic"])
_HOW_TO = ("pattern", "antipattern", "skill", "procedure")

# Sums of normalised scores beat reciprocal ranks on every set (docs/decisions/0004-fusion.md).
EVERYDAY = Recipe(
    name="everyday",
    purpose="the best over all that was measured",
    voices=(
        Voice(arm="keyword"),
        Voice(arm="vector", weight=0.7),
        Voice(arm="entity", weight=0.3),
        Voice(arm="graph", weight=0.5),
        # Its own likeness, and not stretched: where no wish fits the question, the best of them is no reason either.
        Voice(arm="profile", weight=4.0, counts=Own(), lends=False),
        Voice(arm="time"),
    ),
    then=(
        Voice(arm="session", weight=0.2, counts=Own()),
        Voice(arm="causal", weight=0.5, counts=Own(), intents=("why",)),
    ),
    late=Late(),
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
        Voice(arm="session", weight=0.3, counts=Own()),
        Voice(arm="causal", weight=0.5, counts=Own(), depth=4),
    ),
    spread=Spread(reach=4, shares=(0.5, 0.35, 0.2, 0.1), from_best=100),
    floor=0.05,
)

BEFORE_TASK = Recipe(
    name="before_task",
    purpose="before work begins: what works, what fails, how it is done, how it went before",
    voices=(
        Voice(arm="keyword", kinds=_HOW_TO),
        Voice(arm="vector", weight=0.7, kinds=_HOW_TO),
        Voice(arm="keyword", weight=0.5, kinds=("episode",), outcome="success"),
        Voice(arm="vector", weight=0.4, kinds=("episode",), outcome="success"),
        Voice(arm="keyword", weight=0.4, kinds=("episode",), outcome="failure"),
        Voice(arm="vector", weight=0.3, kinds=("episode",), outcome="failure"),
        Voice(arm="profile", weight=2.0, counts=Own(), kinds=("preference",)),
    ),
    spread=None,
    distinct=True,
    least_probable=0.03,  # as everyday: nine of ten goals of another world get nothing, and no lesson was lost
)

SESSION_START = Recipe(
    name="session_start",
    purpose="before anything is asked: who the user is, what was going on, what is still open",
    voices=(
        Voice(arm="profile", counts=Own()),
        Voice(arm="recent", counts=Own(), kinds=("handoff", "narrative"), reach=5),
        Voice(arm="recent", counts=Own(), outcome="pending", reach=5),
        Voice(arm="recent", weight=0.5, counts=Own(), reach=10),
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
        Voice(arm="keyword", counts=Reciprocal(), knob="rrf_weight_fts"),
        Voice(arm="vector", weight=0.7, counts=Reciprocal(), knob="rrf_weight_vector"),
        Voice(arm="entity", weight=0.5, counts=Reciprocal(), knob="rrf_weight_graph"),
        Voice(arm="time", counts=Reciprocal()),
    ),
    half_worth=None,
    spread=None,
)

KEYWORD = Recipe(name="keyword", purpose="words alone", voices=(Voice(arm="keyword"),), spread=None)

KIRA = Recipe(
    name="kira",
    purpose="Kira-R's formula: reciprocal ranks, a bonus for what the graph reaches, boosts",
    voices=(
        Voice(arm="keyword", counts=Reciprocal(60), reach=20),
        Voice(arm="vector", counts=Reciprocal(60), reach=20),
        Voice(arm="graph", weight=0.02, counts=Own(), kinds=("fact",), depth=2, damps_hubs=False),
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
    voices=(Voice(arm="keyword", counts=Own(), every_word=True),),
    limit=5,
    half_worth=None,
    spread=None,
    multipliers=Hebbian(),
    rerank=None,
    slack=None,
)

YODOCA = Recipe(
    name="yodoca",
    purpose="Yodoca's formula: reciprocal ranks, and a walk through the graph by what is asked",
    voices=(
        Voice(arm="keyword", counts=Reciprocal(), knob="rrf_weight_fts"),
        Voice(arm="vector", counts=Reciprocal(), knob="rrf_weight_vector"),
        Voice(arm="entity", counts=Reciprocal(), knob="rrf_weight_graph", intents=("who", "what")),
    ),
    then=(
        Voice(arm="causal", counts=Reciprocal(), knob="rrf_weight_graph", intents=("why",)),
        Voice(arm="temporal", counts=Reciprocal(), knob="rrf_weight_graph", intents=("when",)),
    ),
    limit=5,
    complex_limit=20,
    intent_threshold=0.45,
    half_worth=None,
    spread=None,
    multipliers=Unmoved(),
    rerank=None,
    slack=None,
)

LOKI = Recipe(
    name="loki",
    purpose="Loki's formula: knowledge, then successes, then skills",
    voices=(
        Voice(arm="vector", weight=0.5, counts=Relative(), kinds=_SEMANTIC, reach=5, or_words=True),
        Voice(
            arm="vector", weight=0.3, counts=Relative(), kinds=("episode",), outcome="success", reach=3, or_words=True
        ),
        Voice(arm="keyword", weight=0.2, counts=Relative(), kinds=("skill",)),
    ),
    limit=5,
    depth_of_briefing=1,
    half_worth=None,
    spread=None,
    multipliers=Unmoved(),
    rerank=None,
    slack=None,
)

RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (EVERYDAY, DEEP, BEFORE_TASK, SESSION_START, RECIPROCAL, KEYWORD, KIRA, KOSHI, YODOCA, LOKI)
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

    threshold = None if recipe.intent_threshold is None else settings.intent_similarity_threshold
    voices, then = tuple(map(turned, recipe.voices)), tuple(map(turned, recipe.then))
    return replace(recipe, voices=voices, then=then, intent_threshold=threshold)
