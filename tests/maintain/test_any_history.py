"""After any sequence of operations every id is in a known state and the doctor finds no fault."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import OmoideError
from tests.conftest import START, Ticking, unsound
from tests.learn.whole import opened
from tests.transfer.test_any_round_trip import VERBS

Verb = Callable[[Memory, Path, Ticking], object]


def a_night(memory: Memory, folder: Path, clock: Ticking) -> None:
    clock.advance(days=5)
    memory.maintain()


def there_and_back(memory: Memory, folder: Path, clock: Ticking) -> None:
    """What was exported earlier comes back, as far as it was not forgotten since."""
    if (folder / "kept.jsonl").exists():
        memory.admin.import_(folder / "kept.jsonl")
    memory.admin.export(folder / "kept.jsonl", overwrite=True)


def forget_session(memory: Memory, folder: Path, clock: Ticking) -> None:
    memory.forget(session="s1")


OWN: list[Verb] = [a_night, there_and_back, forget_session]
LIVES = st.lists(
    st.one_of(
        *(
            each.map(lambda verb: lambda memory, folder, clock: verb(memory))
            for name, each in VERBS.items()
            if name != "recall"
        ),
        *map(st.just, OWN),
    ),
    max_size=20,
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(LIVES)
def test_every_id_is_accounted_for(life: list[Verb]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, clock = Path(name), Ticking(START)
        with opened(str(folder / "a.db"), clock=clock) as memory:
            for verb in life:
                with suppress(OmoideError):  # what a verb refuses leaves nothing
                    verb(memory, folder, clock)
                account = memory.admin.id_states()
                assert account.lost == 0
            assert unsound(memory) == []
