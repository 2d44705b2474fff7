"""The context pack: as many recalled memories as the answer needs, as Markdown in a token budget, fenced as data."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache

from omoide.domain import Entity, Node
from omoide.domain.node import is_data_origin
from omoide.domain.quotation import Fence, redaction_note
from omoide.language.registry import compiled_pattern, detect_language
from omoide.language.sentences import is_courtesy, is_filler, split_sentences
from omoide.recall.budget_selection import (
    PackItem,
    TextForm,
    TokenRoom,
    choose_forms,
    comparison_words,
    distinct_forms,
    pack_values,
    remaining_value,
)
from omoide.recall.pack_markdown import (
    PackLine,
    PackSection,
    day_header,
    entity_line,
    line_ids,
    memory_line,
    newest_first,
    pack_markdown,
)
from omoide.recall.question import Query, value_of
from omoide.recall.results import Hit, Recall, RecallTrace
from omoide.recall.search.relations import is_constraint
from omoide.store import NodeFilter, Store

CountTokens = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class PackWriter:
    """What writing a memory depends on: the terms that excerpts are chosen by, the time, and the token counter."""

    terms: Sequence[str]
    now: datetime
    count: CountTokens
    fence: Fence = field(default_factory=Fence.new)
    earlier: Mapping[int, int] = field(default_factory=dict)  # memory → the newer one on the same matter
    by_day: bool = False  # whether all memories stand under their days, not only turns


_TOO_SMALL = "the budget is too small for any of what was found; give more tokens"
_EARLIER_VALUE = 0.8  # of a memory, if a newer one on the same matter is there
_MOSTLY_NEW = 0.5  # the value that remains of a memory beside another one, below which it repeats that one
_NO_ROOM = "no room in the token budget"
_MAX_STANDING = 20  # preferences in a live session; more would displace the conversation
_MAX_ANSWERING = 4  # in a pack
_ANSWERING = ("communication", "formatting")  # categories of preferences that shape every answer


@dataclass(frozen=True, slots=True, repr=False)
class Pack:
    """Memories for a prompt. `tokens` never exceeds `budget`; a pack may be empty. `print(pack)` shows the Markdown."""

    markdown: str
    tokens: int
    budget: int
    sections: tuple[PackSection, ...]
    hits: tuple[Hit, ...]
    trace: RecallTrace
    reason: str = ""  # why it is empty or tiny, or what is missing from it

    @property
    def ids(self) -> list[int]:
        return line_ids(self.sections)

    def __repr__(self) -> str:
        return f"Pack({len(self.ids)} memories, {self.tokens} of {self.budget} tokens)"

    def __str__(self) -> str:
        return self.markdown


@dataclass(frozen=True, slots=True)
class PackCategory:
    """A section of a pack: its title, its share of the budget, and which hits belong to it.

    What a section leaves of its share goes to the others.
    """

    title: str
    share: float
    takes: Callable[[Hit], bool]


_STANDING, _KNOWN = "Preferences", "Known"
QUOTED = "Quoted from tools, documents and imports"  # of low origin, apart from what people and the agent said
QUOTED_SHARE = 0.5  # of the budget, at most
# One list of all that was found, by day: an old statement never stands above a newer turn.
PACK_CATEGORIES = (PackCategory(_KNOWN, 1.0, lambda hit: True),)


@dataclass(frozen=True, slots=True)
class PackExtras:
    """What belongs in a pack besides the hits: standing preferences and the entities that the question names."""

    standing: Sequence[Hit] = ()
    named: Sequence[Entity] = ()


@dataclass(frozen=True, slots=True)
class FittedPack:
    """Sections that fit a budget, as Markdown, and why the other hits were left out."""

    sections: tuple[PackSection, ...]
    markdown: str
    tokens: int
    left_out: dict[int, str]


def build_pack(recall: Recall, extras: PackExtras, budget: int, count: CountTokens, fence: Fence) -> Pack:
    """Fit standing preferences and the hits that may matter into the budget."""
    trace = recall.trace
    with trace.stage("fit") as notes:
        selected = select_hits(recall)
        tiny = selected.most_tokens < math.inf
        extras = PackExtras() if tiny or selected.reason == NOTHING_ASKED else extras
        standing = {hit.id for hit in extras.standing}
        found = tuple(hit for hit in selected.hits if hit.id not in standing)
        room = int(min(budget, selected.most_tokens))
        shown = {hit.id for hit in found}
        earlier = {old: new for old, new in recall.earlier.items() if new in shown}
        writer = PackWriter(recall.query.terms, recall.query.question.at, count, fence, earlier, by_day=True)
        chosen = _best_that_fit(found, room, writer) if tiny else found
        fitted = fit_to_budget(chosen, extras, room, writer)
        trace.dropped |= dict.fromkeys(shown, _NO_ROOM) | selected.left_out | fitted.left_out
        for id in line_ids(fitted.sections):
            trace.dropped.pop(id, None)  # a standing preference is included even if the search dropped it
        cut = _TOO_SMALL if found and not fitted.sections else ""
        reason = "; ".join(filter(None, (selected.reason, cut, redaction_note(fitted.markdown))))
        notes += [each for each in (reason, f"{fitted.tokens} of {budget} tokens") if each]
    return Pack(fitted.markdown, fitted.tokens, budget, fitted.sections, (*extras.standing, *found), trace, reason)


def _best_that_fit(found: Sequence[Hit], tokens: int, writer: PackWriter) -> list[Hit]:
    """The best hits that fit together, in order of rank: where little fits, several short lines are no better."""
    room = tokens - writer.count(writer.fence.empty) - writer.count(f"### {_KNOWN}\n")
    chosen: list[tuple[Hit, PackItem]] = []
    for hit in found:
        item = memory_item(hit.node, _KNOWN, 1.0, writer)
        known = any(item.heading == other.heading for _, other in chosen)
        cost = min(form.tokens for form in item.forms) + (0 if known else item.heading_tokens)
        new = all(remaining_value(item, other) > _MOSTLY_NEW for _, other in chosen)
        if cost <= room and new:
            chosen.append((hit, item))
            room -= cost
    return [hit for hit, _ in chosen]


def standing_preferences(store: Store, filter: NodeFilter, now: datetime) -> list[Hit]:
    """The user's preferences, the strongest first."""
    ids = store.search.matching(replace(filter, kinds=("preference",), session=None), _MAX_STANDING, "strongest")
    nodes = store.nodes.fetch(ids, filter.as_of)
    return [
        Hit(node, node.attributes["strength"], "a standing preference", ("profile",), node.effective_confidence(now))
        for node in (nodes[id] for id in ids)
        if not is_data_origin(node.origin)  # data gives no standing orders
    ]


def answering_preferences(store: Store, filter: NodeFilter, now: datetime) -> list[Hit]:
    """How the user wants to be answered: it matters whatever is asked.

    Preferences about anything else come up when the question touches their field.
    """
    found = standing_preferences(store, filter, now)
    return [hit for hit in found if hit.node.attributes["category"] in _ANSWERING][:_MAX_ANSWERING]


def fit_to_budget(
    found: Sequence[Hit],
    extras: PackExtras,
    budget: int,
    writer: PackWriter,
    categories: Sequence[PackCategory] = PACK_CATEGORIES,
) -> FittedPack:
    """Choose the hits, and the form of each, that are worth most within the budget, and write them as Markdown."""
    count = writer.count
    room = budget - count(writer.fence.empty)
    hits, left_out = _without_duplicates((*extras.standing, *found))
    values = dict(zip((hit.id for hit in found), pack_values(found), strict=True))
    values |= {hit.id: hit.score for hit in extras.standing}  # a preference is worth its strength
    standing = {hit.id for hit in extras.standing}
    order = [each.title for each in categories]
    order = [*(() if _STANDING in order else (_STANDING,)), *order, QUOTED]
    items = [entity_item(entity, _KNOWN, 1.0, count) for entity in extras.named]
    for hit in hits:
        title = _STANDING if hit.id in standing else _title(hit, categories)
        value = values[hit.id] * (_EARLIER_VALUE if hit.id in writer.earlier else 1.0)
        by_day = writer.by_day and hit.id not in standing
        items.append(memory_item(hit.node, title, value, replace(writer, by_day=by_day)))
    titles = {title: count(f"### {title}\n") for title in order}
    shares = {each.title: each.share for each in categories}
    chosen = choose_forms(items, quoting_room(items, max(0, room), shares, titles))
    nodes = {hit.id: hit.node for hit in hits}
    left_out |= {id: _NO_ROOM for id in nodes if id not in chosen}
    sections = []
    for title in order:
        own = [(item, chosen[item.key]) for item in items if item.part == title and item.key in chosen]
        if own:
            lines = [pack_line(item, nodes.get(item.key) if isinstance(item.key, int) else None, f) for item, f in own]
            sections.append(PackSection(title, newest_first(lines)))
    return _trimmed(sections, left_out, budget, writer)


def _title(hit: Hit, categories: Sequence[PackCategory]) -> str:
    if is_data_origin(hit.node.origin):
        return QUOTED
    return next(each.title for each in categories if each.takes(hit))


def quoting_room(
    items: Sequence[PackItem], tokens: int, shares: Mapping[str, float], titles: Mapping[str, int]
) -> TokenRoom:
    """The room, of which quotations take at most a share unless there is nothing else."""
    alone = all(item.part == QUOTED for item in items)
    return TokenRoom(tokens, shares, titles, {} if alone else {QUOTED: QUOTED_SHARE})


def _trimmed(sections: list[PackSection], left_out: dict[int, str], budget: int, writer: PackWriter) -> FittedPack:
    """Drop last lines until the whole fits: the sum of the parts may be a token or two less than the whole."""
    text, count = pack_markdown(sections, writer.fence), writer.count
    while sections and count(text) > budget:
        *before, last = sections
        if (id := last.lines[-1].id) is not None:
            left_out[id] = _NO_ROOM
        rest = PackSection(last.title, last.lines[:-1])
        sections = [*before, rest] if rest.lines else before
        text = pack_markdown(sections, writer.fence)
    return FittedPack(tuple(sections), text, count(text), left_out)


def entity_item(entity: Entity, part: str, value: float, count: CountTokens) -> PackItem:
    """An entity that was named, as a candidate for a pack."""
    text = entity_line(entity)
    return PackItem(("entity", entity.id), part, value, (TextForm(text, count(text + "\n")),), comparison_words(text))


def memory_item(
    node: Node, part: str, value: float, writer: PackWriter, sources: frozenset[int] = frozenset()
) -> PackItem:
    """A memory, in all forms it can take, as a candidate for a pack. `sources` are the nodes it was derived from."""

    @cache  # it is counted, and then kept
    def written(text: str) -> str:
        return memory_line(node, text, writer.now, writer.earlier.get(node.id), dated=bool(day))

    day = day_header(node, writer.now) if writer.by_day or node.kind == "episode" else ""
    found = distinct_forms(lambda text: writer.count(written(text) + "\n"), node, writer.terms)
    forms = tuple(TextForm(written(text), tokens, share) for text, tokens, share in found)
    words = comparison_words(node.text)
    return PackItem(node.id, part, value, forms, words, sources, day, writer.count(day + "\n") if day else 0)


def pack_line(item: PackItem, node: Node | None, form: TextForm) -> PackLine:
    return PackLine(node, form.text, form.tokens, item.heading)


def _without_duplicates(hits: Sequence[Hit]) -> tuple[list[Hit], dict[int, str]]:
    """The hits without repeated texts, and the reason for each that was left out."""
    first: dict[str, int] = {}
    kept: list[Hit] = []
    left_out: dict[int, str] = {}
    for hit in hits:
        same = first.setdefault(" ".join(hit.text.casefold().split()), hit.id)
        if same == hit.id:
            kept.append(hit)
        else:
            left_out[hit.id] = f"same words as [id:{same}]"
    return kept, left_out


# Which hits enter a pack: as many as the answer needs. The budget is a limit, not a target.
#
# Hits far below the best are left out; how far depends on what is asked. A question that the hits probably do not
# answer gets a few short lines, so that the reader sees what is known of its subject. Filler is never packed.


_BROAD_FACTOR = 0.7  # of the recipe's floor, for requests, lists, counts and other broad questions
_CONSTRAINT_FACTOR = 0.5  # of the floor, for standing constraints where something is to be done
_AGENT_FACTOR = 0.75  # the agent mostly repeats what the user said
_NEED, _NEED_BY_PLACE = 0.38, 0.27  # of the floor, for the best hit; and more for each later one
_UNANSWERED = 0.15  # probability that the hits answer, below which the pack is kept tiny
TINY_PACK = 140  # tokens
FILLER = "says nothing"
TOO_FAR = "far less relevant than the best"
UNANSWERED_REASON = "nothing that was told answers this; the closest lines only"
NOTHING_ASKED = "the message asks nothing"
NOTHING_FOUND = "nothing was found"


@dataclass(frozen=True, slots=True)
class PackSelection:
    """The hits for a pack, best first, and why others were left out."""

    hits: tuple[Hit, ...]
    left_out: dict[int, str] = field(default_factory=dict)
    reason: str = ""  # why the pack is empty or tiny, or what is missing from it
    most_tokens: float = math.inf


def select_hits(recall: Recall) -> PackSelection:
    """Choose the hits that may matter for the answer, whatever the budget."""
    query = recall.query
    if is_filler(query.question.text):
        return PackSelection((), {hit.id: NOTHING_ASKED for hit in recall.hits}, NOTHING_ASKED)
    left_out = {hit.id: FILLER for hit in recall.hits if says_nothing(hit.node)}
    hits = _weighed(query, [hit for hit in recall.hits if hit.id not in left_out])
    if not hits:
        return PackSelection((), left_out, _why_nothing(recall))
    least = _floor(query) * hits[0].score
    kept = tuple(hit for place, hit in _placed(hits) if hit.score >= least * _need(query, hit, place))
    kept_ids = {hit.id for hit in kept}
    left_out |= {hit.id: TOO_FAR for hit in hits if hit.id not in kept_ids}
    if recall.answered is None or recall.answered >= _UNANSWERED or (query.is_request and value_of(query) is None):
        return PackSelection(kept, left_out)
    return PackSelection(kept, left_out, UNANSWERED_REASON, TINY_PACK)


def _placed(hits: Sequence[Hit]) -> Iterator[tuple[int, Hit]]:
    """The hits with their place. Data pushes nothing back that people said."""
    said = 0
    for place, hit in enumerate(hits):
        if is_data_origin(hit.node.origin):
            yield place, hit
        else:
            yield said, hit
            said += 1


def says_nothing(node: Node) -> bool:
    """Whether a turn is only a greeting, thanks or an acknowledgement."""
    if node.kind != "episode":
        return False
    if node.role != "agent":
        return is_filler(node.text)
    return all(is_filler(each) or is_courtesy(each) for each in split_sentences(node.text))


def _weighed(query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """The hits with the agent's words behind those of others, unless the question asks for them."""
    if query.speaker is not None and query.speaker.by == "agent":
        return list(hits)
    weighed = [replace(hit, score=hit.score * _AGENT_FACTOR) if hit.node.role == "agent" else hit for hit in hits]
    return sorted(weighed, key=lambda hit: -hit.score)


def _floor(query: Query) -> float:
    """The share of the best score that a hit needs."""
    text = query.question.text
    listing = compiled_pattern(detect_language(text).collection_cues).search(text) is not None
    broad = query.is_request or listing or query.asks_only_for_time or query.complexity.name == "complex"
    return query.recipe.pack_floor * (_BROAD_FACTOR if broad else 1.0)


def _need(query: Query, hit: Hit, place: int) -> float:
    """The share of the floor that a hit needs: the more hits are better, the more.

    A constraint found for a request matters more than its score says.
    """
    need = _NEED + _NEED_BY_PLACE * math.log1p(place)
    return min(need, _CONSTRAINT_FACTOR) if query.is_request and is_constraint(hit.node) else need


def _why_nothing(recall: Recall) -> str:
    judged = next((step.note for step in recall.trace.steps if step.stage == "noise_floor"), "")
    return judged if judged.startswith("no hit") else NOTHING_FOUND
