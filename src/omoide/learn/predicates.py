"""What kinds of facts exclude each other, as data."""

from __future__ import annotations

# One value at a time: a new one ends the old one. What is not here may be true several times over.
SINGLE = frozenset(
    """
    name nickname age birthday born_in lives_in located_in home_town timezone nationality native_language
    works_at works_as studies_at studies job_title employer manager
    married_to partner relationship_status marital_status
    email phone address diet
    deployed_on hosted_on plan version status deadline default_branch package_manager
    """.split()
)

# Those of them that never change: a later word is no news but a mistake, one way or the other.
LASTING = frozenset({"born_in", "birthday", "home_town", "native_language"})

# What one may leave and come back to: "I left Acme in 2019" does not end the job of today.
RETURNED_TO = frozenset({"works_at", "works_as", "lives_in", "studies_at", "studies", "employer", "located_in"})

# Predicates of which only one can hold of the same object: the later one ends the other.
_EXCLUSIVE: tuple[frozenset[str], ...] = (
    frozenset({"likes", "loves", "enjoys", "prefers", "dislikes", "hates", "avoids"}),
    frozenset({"uses", "stopped_using"}),
    frozenset({"owns", "sold"}),
    frozenset({"can", "cannot"}),
)
_FOND = frozenset({"likes", "loves", "enjoys", "prefers"})
_AVERSE = frozenset({"dislikes", "hates", "avoids"})

# The link between two entities that a fact of a predicate stands for.
RELATED_BY = {
    "works_at": "works_at",
    "lives_in": "located_in",
    "uses": "uses",
    "owns": "owns",
    "part_of": "part_of",
    "depends_on": "depends_on",
    "created": "created",
    "deployed_on": "deployed_on",
    "hosted_on": "deployed_on",
    "runs_on": "deployed_on",
    "written_in": "uses",
    "built_with": "uses",
    "works_on": "works_on",
    "studies_at": "studies_at",
    "graduated_from": "graduated_from",
}


# Relatives of whom there is one: what is told of one without a name (`wife_works_at`) is told of the same.
_ONLY_ONE = frozenset("mother father wife husband partner girlfriend boyfriend fiance fiancee".split())


# Facts whose object is a place.
PLACED = frozenset({"lives_in", "located_in", "born_in", "home_town", "comes_from", "grew_up_in"})


def is_single(predicate: str) -> bool:
    """Whether it has one value at a time: of bands, too, one is the favourite."""
    kin, _, told = predicate.partition("_")  # one wife works at one place; of sons there may be two
    return predicate in SINGLE or kin == "favorite" or (kin in _ONLY_ONE and told in SINGLE)


def rivals(predicate: str) -> tuple[str, ...]:
    """The predicates whose facts may stand against one of this predicate, itself included."""
    for group in _EXCLUSIVE:
        if predicate in group:
            return tuple(sorted(group))
    return (predicate,)


def excludes(new: str, held: str) -> bool:
    """Whether a fact of the one predicate about the same object says the opposite of the other."""
    if (new in _FOND and held in _AVERSE) or (new in _AVERSE and held in _FOND):
        return True
    return new != held and any(new in group and held in group for group in _EXCLUSIVE[1:])
