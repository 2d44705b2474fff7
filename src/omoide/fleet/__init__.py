"""A fleet of servers: PostgreSQL holds the truth, each server keeps files as a fast copy."""

from omoide.fleet.fleet import Fleet, HeldElsewhere
from omoide.fleet.registry import FleetSpaces

__all__ = ["Fleet", "FleetSpaces", "HeldElsewhere"]
