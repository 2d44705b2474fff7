"""Every regular expression of the package against texts that make one with nested repetitions very slow.

    python -m tests.torture.patterns --characters 2000

A call of a regular expression cannot be counted from outside, so what is bounded is the processor time of each: at
2,000 characters, one that is quadratic takes some hundredths of a second, and one that is cubic takes many seconds.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import pkgutil
import random
import re
import re._constants as code  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import signal
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import omoide
from omoide.errors import MissingExtra
from omoide.language import registry

PIECES = (
    " ",
    "a",
    "1",
    "a ",
    "1 ",
    "A",
    "\n",
    "a.",
    "a,",
    "- ",
    "([",
    '"',
    "'",
    "/a",
    "a@",
    "a=",
    "<a",
    "#",
    "_*",
    "`",
)
DEPTH = 4
SAMPLES = 4


def patterns() -> dict[str, re.Pattern[str]]:
    """Those that modules hold, those of all languages, and those written in a call."""
    found: dict[str, re.Pattern[str]] = {}
    for name in _modules():
        try:
            held = [*vars(importlib.import_module(name)).values()]
        except MissingExtra:
            continue
        for each in held:
            found |= {pattern.pattern: pattern for pattern in _within(each)}
    found |= {text: re.compile(text) for text in _written()}
    for field in fields(registry.languages()[0]):
        if isinstance(getattr(registry.languages()[0], field.name), str):
            pattern = registry.language_pattern(field.name)
            found[pattern.pattern] = pattern
    return found


def _modules() -> Iterator[str]:
    for each in pkgutil.walk_packages(omoide.__path__, "omoide."):
        if not each.name.endswith("__main__"):
            yield each.name


def _within(held: Any, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(held, re.Pattern):
        if isinstance(held.pattern, str):
            yield held
    elif depth < DEPTH and not isinstance(held, type):
        inner: Any = ()
        if isinstance(held, dict):
            inner = held.values()
        elif isinstance(held, tuple | list | set | frozenset):
            inner = held
        elif is_dataclass(held):
            inner = [getattr(held, each.name, None) for each in fields(held)]
        for each in inner:
            yield from _within(each, depth + 1)


def _written() -> Iterator[str]:
    for path in Path(omoide.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re")), args=[ast.Constant(value=str(text)), *_]):
                    yield text


def sample(tree: Any, luck: random.Random) -> str:
    """A text that a pattern might match: looking ahead and back is left out."""
    return "".join(_piece(op, given, luck) for op, given in tree)


def _piece(op: Any, given: Any, luck: random.Random) -> str:
    if op is code.LITERAL:
        return chr(given)
    if op is code.IN:
        return _character(given, luck)
    if op is code.BRANCH:
        return sample(luck.choice(given[1]), luck)
    if op is code.SUBPATTERN:
        return sample(given[-1], luck)
    if op in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
        least, most, inner = given
        return "".join(sample(inner, luck) for _ in range(max(least, min(most, luck.choice((1, 1, 2))))))
    return sample(given, luck) if op is code.ATOMIC_GROUP else "a" if op in (code.ANY, code.NOT_LITERAL) else ""


_OF_CATEGORY = {"SPACE": " ", "DIGIT": "1", "WORD": "a", "NOT_SPACE": "a", "NOT_WORD": " ", "NOT_DIGIT": "a"}


def _character(allowed: Any, luck: random.Random) -> str:
    op, given = luck.choice(allowed)
    if op is code.LITERAL:
        return chr(given)
    if op is code.RANGE:
        return chr(given[0])
    return _OF_CATEGORY.get(str(given).removeprefix("CATEGORY_"), "a")


def texts(pattern: re.Pattern[str], characters: int, pieces: int) -> Iterator[str]:
    """Pieces, and what the pattern might match, again and again, with an end that it does not match."""
    luck = random.Random(1)
    tree = parser.parse(pattern.pattern, pattern.flags)
    own = [found[:200] for _ in range(SAMPLES) if (found := sample(tree, luck))]
    for piece in [*PIECES[:pieces], *own]:
        yield (piece * (characters // len(piece) + 1))[:characters] + "\0"


class TooLong(Exception):
    """The processor time of one call is over."""


def is_slow(pattern: re.Pattern[str], text: str, seconds: float) -> bool:
    """Whether searching the text takes longer than so much processor time of this process."""

    def over(number: int, frame: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        for _ in pattern.finditer(text):
            pass
    except TooLong:
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return False


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--characters", type=int, default=2_000)
    given.add_argument("--seconds", type=float, default=2.0, help="processor time of one search")
    given.add_argument("--pieces", type=int, default=len(PIECES))
    chosen = given.parse_args()
    found = patterns()
    tried = [(each, text) for each in found.values() for text in texts(each, chosen.characters, chosen.pieces)]
    slow = [(each.pattern[:200], text[:40]) for each, text in tried if is_slow(each, text, chosen.seconds)]
    for pattern, beginning in slow:
        print(f"{pattern!r} on {beginning!r} …")
    print(f"{len(found)} patterns, {len(tried)} texts of {chosen.characters} characters")
    sys.exit(f"{len(slow)} too slow" if slow else None)


if __name__ == "__main__":
    main()
