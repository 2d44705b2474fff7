"""What a recipe is: a plan for recall as data. Which arms speak, how loud, how they count, what moves a hit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from omoide.recall.fuse import Count, Stretched
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
    depth: int | None = None  # how far links are walked; None: by the weight of the question
    damps_hubs: bool = True  # whether what everything is linked to counts less
    every_word: bool = False  # stop words too
    lends: bool = True  # whether the turns beside a hit share what it counts
    or_words: bool = False  # goes by meaning; where none can be read, by words
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
class Rerank:
    """How many of the best a reranker reads again, where there is one."""

    best: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """How much a comparison word by word adds to the best candidates, where the embedder gives token states."""

    weight: float = 0.8  # for the most alike of them; 0.5 to 1.0 measured alike
    from_best: int = 50  # 30 to 100 measured alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A named plan."""

    name: str
    purpose: str  # one line for whoever chooses
    voices: tuple[Voice, ...]  # the arms that are asked first, from the question alone
    then: tuple[Voice, ...] = ()  # the arms that start from the best of what those found
    guess: float = 0.15  # of the vector arm's weight, where the embedder was not made for the question's language
    seeds: int = 100  # how many of the best they start from
    limit: int = 10  # hits, where the asker does not say
    complex_limit: int | None = None  # the same for a question that asks for much
    reach: int = 100  # candidates of each arm, where its voice does not say
    half_worth: int | None = 15  # characters: a turn so short is worth half of what its words say ("ok, thanks!")
    spread: Spread | None = Spread()
    late: Late | None = None
    company: float = 0.0  # share of the best score in its session that each of its turns gets
    multipliers: Weigher = Multipliers()
    row: float = 0.0  # how much the end that is asked for gains: the first or the latest of several
    intent_threshold: float | None = None  # likeness to an exemplar that tells the intent; None: rules alone
    # The same words said twice are one hit. Not by default: what was said again was said at another time, and answers
    # another question (recall at 10 on three of nine sets .01 to .03 lower). Packs say a sentence once in any case.
    distinct: bool = False
    rerank: Rerank | None = Rerank()
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
        return replace(self, voices=_weighted(self.voices, weights), then=_weighted(self.then, weights))


def _weighted(voices: tuple[Voice, ...], weights: dict[str, float]) -> tuple[Voice, ...]:
    changed = (replace(voice, weight=weights.get(voice.arm, voice.weight)) for voice in voices)
    return tuple(voice for voice in changed if voice.weight > 0)
