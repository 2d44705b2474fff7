"""Predicates of the rules: which have one value, and which imply a relation."""

from __future__ import annotations

# Predicates with one value at a time: a new value ends the old one. All others may have several.
SINGLE_VALUED = frozenset(
    """
    name nickname age birthday born_in lives_in located_in home_town timezone nationality native_language
    works_at works_as studies_at studies job_title employer manager
    married_to partner relationship_status marital_status
    email phone address diet
    deployed_on hosted_on plan version status deadline default_branch package_manager
    """.split()
)

# The entity relation that a fact of a predicate implies.
RELATION_OF_PREDICATE = {
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


# Relatives of whom there is only one, so `wife_works_at` is single-valued.
_UNIQUE_RELATIVES = frozenset("mother father wife husband partner girlfriend boyfriend fiance fiancee".split())


def is_single_valued(predicate: str) -> bool:
    """Whether a predicate has one value at a time. Every favorite_* does."""
    relative, _, rest = predicate.partition("_")
    return (
        predicate in SINGLE_VALUED
        or relative == "favorite"
        or (relative in _UNIQUE_RELATIVES and rest in SINGLE_VALUED)
    )
