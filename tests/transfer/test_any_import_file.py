"""Any bytes given as an import file lead to a clear error or a report, and nothing is half-written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import OmoideError
from omoide.transfer.formats import FORMATS
from tests.transfer import samples

_NAMES = "conversations.json memory.jsonl rollout-1.jsonl a.jsonl a.json MEMORY.md a.md a.zip a.af".split()
_FIELDS = sorted(
    {
        *"mapping current_node message author role content parts chat_messages sender text memory results id".split(),
        *"created_at create_time type payload entities relations observations name from to relationType".split(),
        *"agents messages blocks value sessionId uuid timestamp tool_calls function arguments parent".split(),
    }
)
_WORDS = st.sampled_from([*"user assistant tool entity relation message response_item x".split(), "\ud800", "\0"])
_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | _WORDS | st.text(max_size=8)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_FIELDS), inner, max_size=5),
    max_leaves=25,
)


def _tried(folder: Path, name: str, content: bytes, format: str | None) -> None:
    (folder / name).write_bytes(content)
    with Memory(":memory:", embedder=None) as memory:
        try:
            taken = memory.admin.import_from(folder / name, format)
        except OmoideError:  # anything else would fail here
            pass
        else:
            assert taken.format in FORMATS
            assert memory.admin.import_from(folder / name, format).total("added") == 0
        assert [each for each in memory.admin.doctor() if not each.ok] == []


@pytest.mark.parametrize("format", [None, *FORMATS])
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(_NAMES), content=st.binary(max_size=200))
def test_any_bytes(tmp_path: Path, format: str | None, name: str, content: bytes) -> None:
    _tried(tmp_path, name, content, format)


@pytest.mark.parametrize("format", [None, *FORMATS])
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(_NAMES), value=_VALUES, many=st.booleans())
def test_any_json_with_the_fields_of_others(
    tmp_path: Path, format: str | None, name: str, value: Any, many: bool
) -> None:
    _tried(tmp_path, name, json.dumps([value, value] if many else value).encode(), format)


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_damage_to_a_real_file(tmp_path: Path, format: str, data: st.DataObject) -> None:
    place = samples.everything(tmp_path)[format]
    if place.is_dir():
        place = sorted(each for each in place.rglob("*.*") if each.suffix in (".md", ".json"))[0]
    whole = place.read_bytes()
    start = data.draw(st.integers(0, len(whole) - 1))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    _tried(tmp_path, place.name, whole[:start] + data.draw(st.binary(max_size=6)) + whole[end:], format)
