"""Every setting, its unit, its default and the reason for it; the only place that reads the environment."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from omoide.errors import CannotWrite, InvalidInput, NotFound
from omoide.language.text import MAX_TEXT_BYTES

VARIABLE_PREFIX = "OMOIDE_"
_KEY = "llm_api_key"
LEARN_WHEN_IDLE = 2  # of learn_automatically


def _setting(default: Any, unit: str, why: str) -> Any:
    return field(default=default, metadata={"unit": unit, "why": why})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Read once, when a memory opens: defaults, then the file, then the environment, then what the caller passes."""

    max_text_bytes: int = _setting(
        MAX_TEXT_BYTES, "bytes", "a turn longer than this is a document; it belongs in parts, or it drowns recall"
    )
    busy_timeout: float = _setting(30.0, "seconds", "how long a write waits for other processes before it raises Busy")
    reinforce_weight: int = _setting(3, "score", "Koshi: saying that a memory helped is the strong signal")
    demote_weight: int = _setting(1, "score", "Koshi: one bad mention does not sink a proven memory")
    decay_rate_default: float = _setting(0.1, "per day^0.8", "Yodoca: how fast an unconfirmed memory fades")
    decay_threshold: float = _setting(
        0.05, "confidence", "Yodoca: an unconfirmed memory of which so little is left goes to the archive"
    )
    context_token_budget: int = _setting(2000, "tokens", "Yodoca: what a pack may cost when nothing is said")
    window_tokens: int = _setting(128_000, "tokens", "Kira-L: the window of the model that a live session talks to")
    response_reserve_tokens: int = _setting(
        0, "tokens", "kept free for the answer; 0: Kira-L's sixteenth of the window, from 4,000 to 8,000"
    )
    tokenizer: str = _setting(
        "",
        "name",
        "none: a calibrated estimate; o200k_base, cl100k_base, llama3, qwen3, … count exactly (extra tokens)",
    )
    rrf_k: int = _setting(60, "ranks", "Kira-R and Yodoca: how flat the reward of a rank is")
    rrf_weight_fts: float = _setting(1.0, "factor", "Yodoca: of words, where a recipe fuses ranks (yodoca, reciprocal)")
    rrf_weight_vector: float = _setting(1.0, "factor", "Yodoca: the same of meaning; `reciprocal` takes 0.7 of it")
    rrf_weight_graph: float = _setting(1.0, "factor", "Yodoca: the same of links; `reciprocal` takes 0.5 of it")
    intent_similarity_threshold: float = _setting(
        0.45, "cosine", "Yodoca: below this likeness to an exemplar a question without a cue word stays general"
    )
    retention_raw_days: int = _setting(7, "days", "Kira-L: how long a raw episode stays in that form")
    retention_raw_important_days: int = _setting(30, "days", "Kira-L: the same for importance 8 and above")
    retention_compressed_days: int = _setting(90, "days", "Kira-L: compressed episodes below importance 6")
    compress_after_hours: int = _setting(
        24, "hours", "Kira-L: how old a turn is when it is condensed with its neighbours"
    )
    distil_after_days: int = _setting(7, "days", "Kira-L: how long a condensed episode keeps its longer words")
    time_zone: str = _setting(
        "", "name", "where a day begins for summaries, like Europe/Berlin; none: the machine's own"
    )
    retention_trace_days: int = _setting(
        30, "days", "Loki: an older trace of a task stays only if something known uses it"
    )
    archive_verbatim: int = _setting(
        1, "0 or 1", "0 drops the words of compressed episodes that expire; 1 keeps every word, packed and searchable"
    )
    max_size: int = _setting(
        1_000,
        "MB",
        "Koshi prunes from 100; recall is quick in files ten times as large, so none is cut for nothing. 0: never",
    )
    prune_percent: float = _setting(
        1.0, "% a night", "Koshi: so many of the least used are archived from a file too large"
    )
    prune_schedule: str = _setting("0 4 * * *", "cron", "Koshi: when the size of the file is looked at")
    task_lease_hours: float = _setting(
        24.0, "hours", "a task that no process of this machine holds counts as crashed after so long a silence"
    )
    embedding_batch: int = _setting(32, "texts", "large enough to fill the cores, small enough to commit often")
    learn_automatically: int = _setting(
        LEARN_WHEN_IDLE,
        "0, 1 or 2",
        "from sessions that are over: 2 when it is quiet, by rules, unless a language model is configured, since that "
        "costs; 1 at once, and with the model; 0 only when asked to",
    )
    learn_after: float = _setting(5.0, "seconds", "so long nobody told or asked anything: a message waits for nothing")
    entity_enrichment_min_mentions: int = _setting(3, "mentions", "Yodoca: spoken of less, an entity needs no summary")
    entity_enrichment_batch_size: int = _setting(
        20, "entities", "written at once; with a language model, asked about in one run, since each is a call"
    )
    causal_inference_batch_size: int = _setting(50, "links", "Yodoca: found in one stretch of a session")
    maintain_schedule: str = _setting(
        "0 3 * * *",
        "cron, local time",
        "Kira-L: at night, when nobody asks; the daemon makes up once for what it slept through",
    )
    backup_folder: str = _setting("", "folder", "none: nightly backups need a disk of the user's choice")
    backup_keep: int = _setting(7, "copies", "a week of nights; older ones that Omoide made itself are removed")
    llm_provider: str = _setting(
        "", "name", "none: rules learn offline; openai, anthropic, ollama, lmstudio, vllm or openrouter learn more"
    )
    llm_model: str = _setting("", "name", "as the provider calls it; there is no default that would stay good")
    llm_models: str = _setting(
        "", "operation=model, …", "another model for extract, summarise, enrich, causes or compress"
    )
    llm_base_url: str = _setting("", "address", "where the provider listens, if not at its usual address")
    llm_timeout: float = _setting(120.0, "seconds", "a whole call; a small model on a laptop takes a minute")
    llm_retries: int = _setting(3, "times", "a busy provider is asked again with growing pauses: some 7 s in all")
    llm_repairs: int = _setting(2, "times", "an answer that will not do is told why; a third try rarely helps")
    llm_batch_tokens: int = _setting(4_000, "tokens", "conversation in one call; longer, and models begin to skip")
    llm_answer_tokens: int = _setting(4_000, "tokens", "the longest answer; a batch yields a tenth of this")
    llm_max_cost: float = _setting(1.0, "dollars a run", "a mistake in a loop stays small; 0 is no limit")
    llm_max_cost_per_day: float = _setting(
        0.0, "dollars a day (UTC)", "of all processes together, kept in the file; 0 is no limit but that of each run"
    )
    llm_max_tokens: int = _setting(1_000_000, "tokens a run", "the same where no price is known; 0 is no limit")
    llm_price_input: float = _setting(0.0, "dollars per million tokens", "0: from the list that comes with the extra")
    llm_price_output: float = _setting(0.0, "dollars per million tokens", "the same for what the model writes")

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(item.default, str):
                _check_words(item.name, value)
            else:
                object.__setattr__(self, item.name, _checked_number(item.name, value, type(item.default)))


def _check_words(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise InvalidInput(f"setting {name}: expected str, got {value!r}")
    if not value.isprintable() or value != value.strip():
        raise InvalidInput(f"setting {name}: expected one line without spaces around it, got {value!r}")


def _checked_number(name: str, value: Any, wanted: type) -> Any:
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not wanted:
        raise InvalidInput(f"setting {name}: expected {wanted.__name__}, got {value!r}")
    if not 0 <= cast(float, value) < math.inf:  # NaN is on neither side
        raise InvalidInput(f"setting {name}: expected a number from 0, got {value!r}")
    return value


def load_settings(file: Path | None = None, environment: Mapping[str, str] | None = None, **given: Any) -> Settings:
    """Defaults, overridden by a TOML file, then by OMOIDE_… variables, then by what the caller passes."""
    environment = os.environ if environment is None else environment
    named = environment.get(VARIABLE_PREFIX + "CONFIG")
    file = file or (Path(named) if named else _default_file(environment))
    values: dict[str, Any] = {}
    if named or (file and os.path.exists(file)):  # of the path module: a folder that may not be entered holds no file
        values |= _from_file(file)
    _refuse_unknown(environment)
    for item in fields(Settings):
        text = environment.get(VARIABLE_PREFIX + item.name.upper())
        if text is not None:
            values[item.name] = _read(item.name, text, type(item.default))
    return make_settings(**(values | given))


def _refuse_unknown(environment: Mapping[str, str]) -> None:
    others = ("DB", "CONFIG", "DEMO", "TOKEN", _KEY.upper())
    known = [VARIABLE_PREFIX + name for name in (*others, *(item.name.upper() for item in fields(Settings)))]
    for name in environment:
        if name.startswith(VARIABLE_PREFIX) and name not in known:
            near = get_close_matches(name, known, n=1)
            raise InvalidInput(f"unknown variable {name}" + (f"; did you mean {near[0]}?" if near else ""))


def without_idle_learning(loaded: Settings) -> Settings:
    """For a process that does one thing and ends: it has no quiet moments."""
    return replace(loaded, learn_automatically=0) if loaded.learn_automatically == LEARN_WHEN_IDLE else loaded


def make_settings(**given: Any) -> Settings:
    """Settings with these changes; an unknown name is refused and the nearest known one is named."""
    known = [item.name for item in fields(Settings)]
    for name in given:
        if name == _KEY:
            raise InvalidInput(
                f"{_KEY} is no setting, so that no file and no log holds it: set {VARIABLE_PREFIX}{_KEY.upper()}"
            )
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known)}"
            raise InvalidInput(f"unknown setting {name}{hint}")
    return replace(Settings(), **given)


def language_model_key(*others: str, environment: Mapping[str, str] | None = None) -> str:
    """The key for the language model: $OMOIDE_LLM_API_KEY, or the first of these variables that is set; or nothing.

    Read when it is needed and kept in no setting: what is not there cannot be printed.
    """
    environment = os.environ if environment is None else environment
    return next(
        (key for name in (VARIABLE_PREFIX + _KEY.upper(), *others) if (key := environment.get(name, "").strip())), ""
    )


def check_settings(given: object) -> Settings:
    """What a program passes, if it is what it should be."""
    if not isinstance(given, Settings):
        raise InvalidInput(f"settings: expected omoide.Settings(…), got {type(given).__name__}")
    return given


def default_memory_path(environment: Mapping[str, str] | None = None) -> Path:
    """Where `Memory()` keeps the user's own space: $OMOIDE_DB, or the platform's data folder."""
    environment = os.environ if environment is None else environment
    if named := environment.get(VARIABLE_PREFIX + "DB"):
        return Path(named).expanduser()
    import platformdirs  # 40 ms, and only the nameless default needs it

    return Path(platformdirs.user_data_dir("omoide")) / "memory.db"


def mcp_memory_file(environment: Mapping[str, str] | None = None) -> Path | None:
    """The file of the reference memory server, where a client was set up for that one."""
    environment = os.environ if environment is None else environment
    named = environment.get("MEMORY_FILE_PATH", "").strip()
    return Path(named).expanduser() if named else None


def memory_path(path: str | Path | None, create: bool) -> str:
    """The file that a memory opens: the one named, or the user's own space."""
    found = _checked_path(_own_space(create) if path is None else path)
    if not create and found != ":memory:" and not os.path.exists(found):
        raise NotFound(f"there is no memory at {found}; check the name, or observe something to create it")
    return found


def _own_space(create: bool) -> Path:
    path = default_memory_path()
    if create:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotWrite(f"the folder {path.parent} cannot be created: {error.strerror}") from error
    return path


def _checked_path(path: str | Path) -> str:
    if not isinstance(path, str | Path) or not str(path) or "\x00" in str(path):
        raise InvalidInput(f"path: expected a file name, got {path!r}")
    try:
        return str(path) if str(path) == ":memory:" else str(Path(path).expanduser())
    except RuntimeError as error:  # "~name" of nobody
        raise InvalidInput(f"path: expected a file name, got {path!r} ({error})") from None


def _default_file(environment: Mapping[str, str]) -> Path | None:
    """~/.config/omoide.toml by the XDG rule, without asking platformdirs on every open."""
    home = environment.get("XDG_CONFIG_HOME") or (environment.get("HOME", "") and environment["HOME"] + "/.config")
    return Path(home) / "omoide.toml" if home else None


def _from_file(file: Path | None) -> dict[str, Any]:
    assert file is not None
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"settings file {file}: {error}") from error


def _read(name: str, text: str, wanted: type) -> Any:
    try:
        return wanted(text)
    except ValueError as error:
        raise InvalidInput(f"{VARIABLE_PREFIX}{name.upper()}: expected {wanted.__name__}, got {text!r}") from error


def _shown(default: Any) -> str:
    return f"{default:,}" if not isinstance(default, str) else f"`{default}`" if default else "none"


def settings_page() -> str:
    """The page of all settings, for the docs."""
    rows = "\n".join(
        f"| `{item.name}` | {_shown(item.default)} | {item.metadata['unit']} | {item.metadata['why']} |"
        for item in fields(Settings)
    )
    return f"""# Settings

Read once, when a memory opens: the defaults, then a TOML file (`$OMOIDE_CONFIG`, or `omoide.toml` in your
configuration folder), then `OMOIDE_…` variables (the name in capitals: `OMOIDE_MAX_TEXT_BYTES`), then what the program
passes (`Memory(settings=…)`). An unknown name is refused, and the nearest known one is named. `$OMOIDE_DB` names the
file that `Memory()` and the command line use. A key for a language model is no setting: it is read from the environment
alone, see [language-models.md](language-models.md).

| setting | default | unit | why |
|---|---|---|---|
{rows}

This page is made from `omoide.settings` (`python -m omoide.settings`).
"""


if __name__ == "__main__":
    print(settings_page(), end="")
