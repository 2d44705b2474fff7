"""Whether two names are of one town."""

from __future__ import annotations

from omoide.layers.entity import name_key

from .places import COUNTRIES

# One town by several names, the first as it is mostly called.
_TOWNS = (
    "new york city,nyc,new york",
    "los angeles,la",
    "san francisco,sf",
    "munich,munchen",
    "cologne,koln",
    "vienna,wien",
    "rome,roma",
    "milan,milano",
    "florence,firenze",
    "venice,venezia",
    "naples,napoli",
    "turin,torino",
    "lisbon,lisboa",
    "prague,praha",
    "warsaw,warszawa",
    "copenhagen,kobenhavn",
    "brussels,bruxelles,brussel",
    "geneva,geneve,genf",
    "zurich,zuerich",
    "moscow,moskva",
    "beijing,peking",
    "kyiv,kiev",
    "mumbai,bombay",
)
_TOWN = {name: town.split(",")[0] for town in _TOWNS for name in town.split(",")}


def same_place(one: str, other: str) -> bool:
    """ "Berlin" and "Berlin, Germany", "NYC" and "New York City". "Paris, Texas" is another Paris."""
    return _town(one) == _town(other)


def _town(name: str) -> str:
    head, _, country = name.partition(",")
    whole = name if country and country.strip().casefold() not in COUNTRIES else head
    key = name_key(whole)
    return _TOWN.get(key, key)
