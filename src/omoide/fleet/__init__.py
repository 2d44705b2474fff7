"""A fleet of servers: PostgreSQL holds the truth, each server keeps files as a fast copy."""

from omoide.fleet.fleet import Fleet, FleetLimits, HeldElsewhere

__all__ = ["Fleet", "FleetLimits", "HeldElsewhere"]
