"""The slots: kinds of facts that have consequences. Everything else that a person states is kept without a slot.

A slot says whether a new value ends the old one, how soon a value goes out of date, and whether it is a constraint
that must be considered whenever a question touches its field. Its wordings are in the files of the languages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Currency = Literal["permanent", "slow", "fast"]
"""How soon a value goes out of date: never (kinship, allergy), in years (home, job), in weeks (prices)."""

SlotGroup = Literal["identity", "relation", "constraint", "circumstance", "taste", "thing"]


@dataclass(frozen=True, slots=True)
class Slot:
    """One kind of fact. `name` is the predicate under which the fact is stored."""

    name: str
    group: SlotGroup
    currency: Currency
    single: bool = False  # one value at a time: a new value ends the old one
    relation: str | None = None  # the relation between entities that it implies

    @property
    def unchanging(self) -> bool:
        """Whether another value cannot be a change, only a contradiction: one is born once."""
        return self.single and self.currency == "permanent" and self.name in _GIVEN_BY_BIRTH

    @property
    def of_value(self) -> bool:
        """Whether the relation leads from the value to the subject: "Dele manages Priya"."""
        return self.group == "relation"


_ROWS = (
    # who somebody is
    Slot("name", "identity", "permanent", single=True),
    Slot("nickname", "identity", "permanent", single=True),
    Slot("pronouns", "identity", "slow", single=True),
    Slot("birthday", "identity", "permanent", single=True),
    Slot("age", "identity", "slow", single=True),
    Slot("born_in", "identity", "permanent", single=True),
    Slot("nationality", "identity", "permanent"),
    Slot("speaks", "identity", "permanent"),
    Slot("email", "identity", "slow", single=True),
    Slot("phone", "identity", "slow", single=True),
    Slot("blood_type", "identity", "permanent", single=True),
    # people
    Slot("partner", "relation", "slow", single=True, relation="partner_of"),
    Slot("spouse", "relation", "permanent", single=True, relation="spouse_of"),
    Slot("child", "relation", "permanent", relation="child_of"),
    Slot("parent", "relation", "permanent", relation="parent_of"),
    Slot("sibling", "relation", "permanent", relation="sibling_of"),
    Slot("relative", "relation", "permanent", relation="relative_of"),
    Slot("friend", "relation", "slow", relation="friend_of"),
    Slot("colleague", "relation", "slow", relation="colleague_of"),
    Slot("manager", "relation", "slow", single=True, relation="manages"),
    Slot("doctor", "relation", "slow", relation="doctor_of"),
    Slot("pet", "relation", "slow", relation="pet_of"),
    # what must be considered without being asked
    Slot("allergy", "constraint", "permanent"),
    Slot("diet", "constraint", "slow", single=True),
    Slot("medication", "constraint", "slow"),
    Slot("condition", "constraint", "permanent"),
    Slot("rule", "constraint", "slow"),
    # where somebody stands in life
    Slot("lives_in", "circumstance", "slow", single=True, relation="located_in"),
    Slot("address", "circumstance", "slow", single=True),
    Slot("timezone", "circumstance", "slow", single=True),
    Slot("works_at", "circumstance", "slow", single=True, relation="works_at"),
    Slot("works_as", "circumstance", "slow", single=True),
    Slot("works_on", "circumstance", "fast", relation="works_on"),
    Slot("team", "circumstance", "slow", single=True, relation="part_of"),
    Slot("studies", "circumstance", "slow", single=True),
    Slot("member_of", "circumstance", "slow", relation="part_of"),
    Slot("deadline", "circumstance", "fast", single=True),
    # tastes
    Slot("likes", "taste", "slow"),
    Slot("dislikes", "taste", "slow"),
    Slot("favorite", "taste", "slow"),
    Slot("plays", "taste", "slow"),
    # things
    Slot("owns", "thing", "slow", relation="owns"),
    Slot("uses", "thing", "slow", relation="uses"),
    Slot("kept_in", "thing", "slow", single=True),
    Slot("version", "thing", "fast", single=True),
    Slot("price", "thing", "fast", single=True),
    Slot("deployed_on", "thing", "slow", single=True, relation="deployed_on"),
)
SLOTS: dict[str, Slot] = {slot.name: slot for slot in _ROWS}
_GIVEN_BY_BIRTH = frozenset({"born_in", "birthday", "blood_type"})

# Slots of which only one can be true: for the same value (tastes), or at a time (couples).
_EXCLUSIVE: tuple[frozenset[str], ...] = (frozenset({"likes", "dislikes"}), frozenset({"partner", "spouse"}))

_OVER_WITH = {"works_as": ("works_as", "works_at")}

# Slots with one value for each matter of a subject: the favorite colour and the favorite book, the rent and the car.
PER_MATTER = frozenset({"favorite", "price", "version", "deadline", "kept_in"})

# What somebody may leave and return to: "I left Acme in 2019" does not end a job stated today.
RESUMABLE = frozenset({"works_at", "works_as", "lives_in", "studies", "team"})


# Slots that name a person, by what a person is to another. A friend may become a partner, but nobody's aunt.
_ROLES = {
    "partner": "close", "spouse": "close", "friend": "close", "colleague": "close", "manager": "close",
    "doctor": "close", "child": "child", "parent": "parent", "sibling": "sibling", "relative": "relative", "pet": "pet",
}  # fmt: skip
PEOPLE_SLOTS = frozenset(_ROLES)


def may_be_one_person(one: str, other: str) -> bool:
    """Whether one person can fill both slots for the same somebody."""
    return _ROLES.get(one) == _ROLES.get(other)


def competing_slots(name: str) -> tuple[str, ...]:
    """The slots whose statements may exclude one of this slot, including itself."""
    return next((tuple(sorted(group)) for group in _EXCLUSIVE if name in group), (name,))


def ended_slots(name: str) -> tuple[str, ...]:
    """The slots that are over with this one, whatever they held: who is without a job works nowhere."""
    return _OVER_WITH.get(name, competing_slots(name))


def is_unchanging(name: str) -> bool:
    """Whether a slot is filled for life: a birthday."""
    return name in SLOTS and SLOTS[name].unchanging


def is_single_valued(name: str) -> bool:
    """Whether a slot has one value at a time."""
    return name in SLOTS and SLOTS[name].single
