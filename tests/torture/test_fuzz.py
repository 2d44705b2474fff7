"""Every parser and importer, with inputs that were changed at random: errors of ours only, and bounded work."""

from __future__ import annotations

import os
import sys
import time
import zlib
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.torture.fuzz.mutate import mutated
from tests.torture.fuzz.targets import TARGETS
from tests.torture.operations import calls_of

CORPUS = Path(__file__).parent / "fuzz" / "corpus"
SECONDS = float(os.environ.get("TORTURE_SECONDS", "60"))
SAMPLE = 4  # changed inputs of each target in `make test`


def seeds(target: str) -> list[bytes]:
    """The inputs to begin with, and those that failed once."""
    return [path.read_bytes() for path in sorted((CORPUS / target).iterdir())]


def try_input(target: str, data: bytes) -> None:
    most = TARGETS[target].calls + TARGETS[target].calls_per_byte * len(data)
    assert work_of(target, data) <= most or work_of(target, data) <= most  # the first use of a pattern compiles it


def work_of(target: str, data: bytes) -> int:
    with TemporaryDirectory() as folder:
        return calls_of(lambda: TARGETS[target].run(Path(folder), data))


def changed_input(target: str, number: int, given: list[bytes]) -> bytes:
    """The same for the same number."""
    random = Random(zlib.crc32(target.encode()) + number)
    return mutated(random, random.choice(given), given)


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus_and_a_few_changes_of_it(target: str) -> None:
    given = seeds(target)
    for data in [*given, *(changed_input(target, number, given) for number in range(SAMPLE))]:
        try_input(target, data)


@pytest.mark.torture
@pytest.mark.parametrize("target", TARGETS)
def test_many_changes_of_the_corpus(target: str) -> None:
    """A failing input is kept in the corpus, where the next run begins with it."""
    until, given, first = time.monotonic() + SECONDS, seeds(target), Random().randrange(2**31)
    for number in count(first):
        data = changed_input(target, number, given)
        try:
            try_input(target, data)
        except BaseException:
            (CORPUS / target / f"failed-{sha256(data).hexdigest()[:12]}").write_bytes(data)
            raise
        if time.monotonic() > until:
            sys.stderr.write(f"{target}: {number - first + 1} inputs\n")
            return
