"""Settings: sources, unknown names and valid ranges."""

from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from omoide.errors import InvalidInput
from omoide.settings import Settings, load_settings, make_settings, memory_path


def test_arguments_override_the_environment_and_the_environment_overrides_the_file(tmp_path: Path) -> None:
    file = tmp_path / "omoide.toml"
    file.write_text("max_size = 5\nprune_percent = 2\nbackup_keep = 3\n")
    environment = {"OMOIDE_PRUNE_PERCENT": "4", "OMOIDE_BACKUP_KEEP": "6"}
    loaded = load_settings(file, environment, backup_keep=9)
    assert (loaded.max_size, loaded.prune_percent, loaded.backup_keep) == (5, 4.0, 9)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_sise": 5}, "unknown setting max_sise; did you mean max_size"),
        ({"llm_api_key": "k"}, "set the variable OMOIDE_LLM_API_KEY"),
        ({"max_size": "5"}, "setting max_size: expected int, got '5'"),
        ({"decay_threshold": 1.5}, "setting decay_threshold: expected a number from 0 to 1, got 1.5"),
        ({"embedding_batch": 0}, "expected a number from 1 to 10,000"),
        ({"learn_automatically": 3}, "expected a number from 0 to 2"),
        ({"llm_max_cost": math.inf}, "llm_max_cost: expected a number from 0, got inf"),
        ({"llm_max_cost": math.nan}, "llm_max_cost: expected a number from 0, got nan"),
        ({"time_zone": " UTC"}, "expected one line without spaces around it"),
    ],
)
def test_unknown_names_and_values_out_of_range_are_errors(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make_settings(**given)


def test_an_unknown_variable_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(InvalidInput, match="unknown variable OMOIDE_MAX_SISE; did you mean OMOIDE_MAX_SIZE"):
        load_settings(None, {"OMOIDE_MAX_SISE": "5"})
    with pytest.raises(InvalidInput, match="OMOIDE_MAX_SIZE: expected int, got 'large'"):
        load_settings(None, {"OMOIDE_MAX_SIZE": "large"})


def test_every_setting_has_a_unit_a_reason_and_a_range_that_contains_its_default() -> None:
    for setting in fields(Settings):
        assert setting.metadata["unit"], setting.name
        assert setting.metadata["reason"].endswith("."), setting.name
        if not isinstance(setting.default, str):
            assert setting.metadata["low"] <= setting.default <= setting.metadata["high"], setting.name


def test_a_path_must_be_a_file_name() -> None:
    for path in ("", "a\0b", 7):
        with pytest.raises(InvalidInput, match="path: expected a file name"):
            memory_path(path, create=True)  # type: ignore[arg-type]
