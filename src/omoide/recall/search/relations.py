"""The arms that follow names and roles ("my sister's husband", "my manager's team") and that find constraints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from omoide.domain import Node
from omoide.domain.changed import changed
from omoide.domain.entity import name_key
from omoide.domain.slots import SLOTS
from omoide.language.registry import Language, compiled_pattern, detect_language
from omoide.language.sentences import states_constraint
from omoide.language.statement_words import Kin
from omoide.recall.candidates import ArmCandidate, ArmResult, SearchSources, SkippedArm
from omoide.recall.question import Query, QuestionEmbedding
from omoide.store import NodeRow, Store
from omoide.store.entities.names import RoleHolder

_WORD = re.compile(r"[\w-]+(?:['’](?!s\b)\w+)?")
_ROLE_WORDS = 3  # words of a role: "brother in law"
_MOST_STEPS = 3
_MOST_FACTS = 20
_MOST_REPLACED = 500  # read for a question about a past time, before those of other times are left out
_ON_THE_WAY = 0.3  # of the statement that says who somebody is, where another one is asked for
_UNASKED = 0.2  # of what else is known of whom the question means


@dataclass(slots=True)
class _Way:
    """The people that a question names, and the statements that lead to them."""

    names: list[str]
    words: str
    steps: list[int] = field(default_factory=list)


def relations_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Statements about whom the question names, directly or by roles, and the statements that lead there."""
    if query.filter.audience == "shared":
        return SkippedArm("relations were told in private")
    text = query.question.text
    language = detect_language(text)
    ways = _ways(text, language, query, sources.store)
    if not ways and not query.about_user:
        return SkippedArm("the question names nobody whose relations are known")
    asked = [slot for slots, pattern in language.slot_questions for slot in _if_asked(slots, pattern, text)]
    scores: dict[int, tuple[float, str]] = {}
    for way in ways:
        found = [id for id, _ in _facts_of(way.names, asked, query, sources.store)] if asked else []
        back = () if way.steps else asked  # "who works at Acme?" asks in the other direction
        holders = sources.store.roles.role_holders(way.names, asked, back) if asked else []
        found += [each.node_id for each in holders if each.node_id is not None]
        for id in found:
            scores[id] = 1.0, f"known of {way.words}"
        for id in way.steps:
            scores.setdefault(id, (_ON_THE_WAY if found else 1.0, f"says who is {way.words}"))
        if not found and way.steps:
            for id, _ in sources.store.roles.facts_of(way.names, None, _MOST_FACTS):
                scores.setdefault(id, (_UNASKED, f"known of {way.words}"))
    for id, score in _of_user(query, asked, sources.store).items():
        scores.setdefault(id, (score, "known of the user"))
    if not scores:
        return SkippedArm("the question names nobody whose relations are known")
    passing = sources.store.search.passing(sorted(scores), query.filter)
    return ArmResult.ranked("relations", (ArmCandidate(id, *scores[id]) for id in passing), query.candidate_limit)


def _of_user(query: Query, asked: Sequence[str], store: Store) -> dict[int, float]:
    """What is known of the user in the slots that the question asks for; of many in one slot, each counts less."""
    if not asked or not query.about_user:
        return {}
    found = _facts_of(store.roles.user_names(), asked, query, store)
    counts = Counter(slot for _, slot in found)
    return {id: 1 / counts[slot] for id, slot in found}


def _facts_of(names: Sequence[str], asked: Sequence[str], query: Query, store: Store) -> list[tuple[int, str | None]]:
    """The facts about somebody in these slots, newest first: those of now, or of the past time that is asked about."""
    past = query.filter.as_of is not None
    found = store.roles.facts_of(names, asked, _MOST_REPLACED if past else _MOST_FACTS, replaced=past)
    passing = set(store.search.passing(sorted(id for id, _ in found), query.filter))
    return [(id, slot) for id, slot in found if id in passing][:_MOST_FACTS]


def _if_asked(slots: str, pattern: str, text: str) -> Sequence[str]:
    return slots.split() if compiled_pattern(pattern).search(text) else ()


def _ways(text: str, language: Language, query: Query, store: Store) -> list[_Way]:
    """From the user ("my") or a named entity along the roles that follow: "my sister's husband"."""
    words = _WORD.findall(text)
    known = store.entities.name_index() if query.entities else {}
    ways: list[_Way] = []
    at = 0
    while at < len(words):
        start: list[str] = []
        if words[at].lower() in ("my", "our"):
            start = store.roles.user_names()
        elif known and (ids := [id for id in known.get(name_key(words[at]), ()) if id in query.entities]):
            start = store.roles.names_of(ids)
        at += 1
        if not start:
            continue
        way, at = _follow(_Way(start, words[at - 1]), words, at, language, store)
        if way.steps or words[at - 1].lower() not in ("my", "our"):
            ways.append(way)
    return ways


def _follow(way: _Way, words: list[str], at: int, language: Language, store: Store) -> tuple[_Way, int]:
    kin = language.statements.relatives if language.statements else {}
    for _ in range(_MOST_STEPS):
        at = at + 1 if at < len(words) and words[at].lower() == "s" else at
        longer = (" ".join(words[at : at + size]).lower() for size in range(_ROLE_WORDS, 0, -1))
        role = next((each for each in longer if each in kin), None)
        if role is None:
            break
        holders = _with_word(role, store.roles.role_holders(way.names, *_types(kin[role].slot, kin)))
        at += len(role.split())
        way.words = f"{way.words} {role}"
        if not holders:
            break
        way.names = sorted({name for each in holders for name in (each.name, *_other_names(each.name, store))})
        way.steps += [each.node_id for each in holders if each.node_id is not None]
    return way, at


def _types(slot: str, kin: dict[str, Kin]) -> tuple[list[str], list[str]]:
    """Predicates and relations from the subject to who holds a role, and those in the other direction."""
    known = SLOTS.get(slot)
    roles = [word.replace(" ", "_") for word, each in kin.items() if each.slot == slot]
    inverse = [f"{role}_of" for role in roles] + ([known.relation] if known and known.relation else [])
    return [slot, *roles, *(f"has_{role}" for role in roles)], inverse


def _with_word(role: str, holders: list[RoleHolder]) -> list[RoleHolder]:
    """Of several, those who are called by this word: a sister, not a brother."""
    called = re.compile(rf"\b{re.escape(role)}\b", re.IGNORECASE)
    return [each for each in holders if called.search(each.text.replace("_", " "))] or holders


def _other_names(name: str, store: Store) -> list[str]:
    ids = store.entities.name_index().get(name_key(name), ())
    return store.roles.names_of(ids) if ids else []


# The constraint arm: allergies, limits, rules and wishes that a request must respect though it does not name them.
#
# "Find a restaurant for Friday" shares no word with "Lenka hasn't eaten meat since she was 15". Of the nodes closest to
# the request, those that state a constraint are raised; constraints that were learned as such are considered wherever
# they rank.


_MAX_LEARNED = 200  # learned constraints that are considered, the newest
_MAX_CONSTRAINTS = 12
_MAX_CLOSE = 40  # of the best nodes so far, those closest to the request
_READ_AT_ONCE = 40
CONSTRAINT_PREDICATES = (*(name for name, slot in SLOTS.items() if slot.group == "constraint"), "dislikes")


def is_constraint(node: Node | NodeRow) -> bool:
    """Whether a memory is, or may state, a standing constraint."""
    if node.kind == "fact":
        return node.attributes.get("predicate") in CONSTRAINT_PREDICATES or states_constraint(node.text)
    return node.kind == "preference" or (node.role == "user" and states_constraint(node.text))


def states_no_constraint(node: Node | NodeRow) -> bool:
    """Whether nothing but another text could make a memory a constraint."""
    return node.kind not in ("fact", "preference") and not is_constraint(node)


def constraint_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Constraints close to a request, among the best nodes so far and among all that were learned."""
    if not isinstance(query.embedding, QuestionEmbedding):
        return SkippedArm(query.embedding.reason)
    if query.seeds is None or not query.is_request:
        return SkippedArm("it asks for nothing to be done")
    facts = changed(query.filter, kinds=("fact",), predicates=CONSTRAINT_PREDICATES)
    wishes = changed(query.filter, kinds=("preference",))
    learned = [id for each in (facts, wishes) for id in sources.store.search.matching(each, _MAX_LEARNED)]
    vectors, asked = sources.vectors(), query.embedding.vector
    close = vectors.scores(asked, query.seeds.ids.tolist())[:_MAX_CLOSE]
    similar = vectors.scores(asked, sorted({*close.ids.tolist(), *learned})) if learned else close
    similar = similar[similar.scores > 0]
    now = query.filter.as_of is None
    if now:
        similar = similar[sources.store.search.columns().may_constrain(similar.ids)]
    read = sources.rows if now else sources.store.nodes.fetch_readable
    found: list[ArmCandidate] = []
    for start in range(0, len(similar), _READ_AT_ONCE):  # the closest first, until enough state a constraint
        some = similar[start : start + _READ_AT_ONCE]
        nodes = read(some.ids.tolist(), query.filter)
        stated = [(id, score) for id, score in some if id in nodes and is_constraint(nodes[id])]
        found += [ArmCandidate(id, score, "a constraint to respect") for id, score in stated]
        if now and (others := [id for id, node in nodes.items() if node.id == id and states_no_constraint(node)]):
            sources.store.search.mark_without_constraint(others)
        if len(found) >= _MAX_CONSTRAINTS:
            break
    return ArmResult.ranked("constraint", found, _MAX_CONSTRAINTS)
