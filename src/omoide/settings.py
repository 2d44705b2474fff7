"""All settings with unit, default, valid range and reason. The only module that reads the environment."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import Field, dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from omoide.errors import CannotWrite, InvalidInput, NotFound
from omoide.language.statement_words import topics_named
from omoide.language.text import MAX_TEXT_BYTES

VARIABLE_PREFIX = "OMOIDE_"
_KEY = "llm_api_key"
LEARN_WHEN_IDLE = 2  # value of `learn_automatically`
_TOKENS = 100_000_000
_DAYS = 36_500


def _number(default: float, unit: str, reason: str, low: float = 0, high: float = math.inf) -> Any:
    return field(default=default, metadata={"unit": unit, "reason": reason, "low": low, "high": high})


def _text(default: str, unit: str, reason: str) -> Any:
    return field(default=default, metadata={"unit": unit, "reason": reason})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of one memory, read once when it opens.

    Later sources override earlier ones: defaults, the TOML file, environment variables, arguments.
    """

    key_from: str = _text(
        "",
        "file:PATH, keyring, keyring:NAME or prompt",
        "Where the key of the memory is. Empty: it is not encrypted. The key itself is never a setting.",
    )
    sensitive_topics: str = _text(
        "identity, intimacy",
        "health, money, intimacy, identity, minors",
        "What speaks of these is hidden, also from the user, until they consent. A helper often needs the others.",
    )
    max_text_bytes: int = _number(
        MAX_TEXT_BYTES, "bytes", "A longer turn is a document; store it in parts.", 1, 1_000_000_000
    )
    busy_timeout: float = _number(
        30.0, "seconds", "How long a write waits for other processes before it raises Busy.", 0, 86_400
    )
    reinforce_weight: int = _number(3, "score", "Added by `reinforce`: an explicit signal, so it counts most.", 0, 1000)
    demote_weight: int = _number(1, "score", "Subtracted by `demote`: one complaint does not sink a memory.", 0, 1000)
    decay_rate_default: float = _number(0.1, "per day^0.8", "How fast an unconfirmed memory loses confidence.", 0, 10)
    decay_threshold: float = _number(
        0.05, "confidence", "An unconfirmed memory with less confidence is archived.", 0, 1
    )
    context_token_budget: int = _number(2000, "tokens", "Size of a context pack without `budget`.", 1, _TOKENS)
    window_tokens: int = _number(
        128_000, "tokens", "Context window of the model that a live session talks to.", 1, _TOKENS
    )
    response_reserve_tokens: int = _number(
        0, "tokens", "Kept free for the answer. 0: a sixteenth of the window, from 4,000 to 8,000.", 0, _TOKENS
    )
    tokenizer: str = _text(
        "",
        "name",
        "Empty: a calibrated estimate. o200k_base, cl100k_base, llama3, qwen3, … count exactly (extra tokens).",
    )
    rrf_k: int = _number(60, "ranks", "Constant of reciprocal rank fusion: larger flattens the ranks.", 0, 10_000)
    rrf_weight_fts: float = _number(
        1.0, "factor", "Weight of full-text hits in recipes that fuse ranks (yodoca, reciprocal).", 0, 1000
    )
    rrf_weight_vector: float = _number(
        1.0, "factor", "Weight of vector hits in those recipes; `reciprocal` takes 0.7 of it.", 0, 1000
    )
    rrf_weight_graph: float = _number(
        1.0, "factor", "Weight of graph hits in those recipes; `reciprocal` takes 0.5 of it.", 0, 1000
    )
    intent_similarity_threshold: float = _number(
        0.45, "cosine", "A question less similar to every example of an intent is a general question.", 0, 1
    )
    allowed_secrets: str = _text("", "kinds, digests", "Secrets to store: password, …, sha256:… of one; with commas.")
    retention_raw_days: int = _number(7, "days", "How long a raw episode stays raw.", 0, _DAYS)
    retention_raw_important_days: int = _number(30, "days", "The same for episodes of importance 8 or more.", 0, _DAYS)
    retention_policy: str = _text(
        "carried", "name", "carried: a turn is archived once live memories state its content. kira: by its age."
    )
    retention_compressed_days: int = _number(
        90, "days", "How long compressed episodes below importance 6 stay.", 0, _DAYS
    )
    compress_after_hours: int = _number(
        24, "hours", "Age at which turns are compressed with their neighbours.", 0, 24 * _DAYS
    )
    compress_further_after_days: int = _number(
        7, "days", "Age at which a compressed episode is shortened to one or two sentences.", 0, _DAYS
    )
    time_zone: str = _text(
        "", "name", "Where a day begins for summaries, such as Europe/Berlin. Empty: the time zone of the machine."
    )
    retention_trace_days: int = _number(
        30, "days", "An older task trace is kept only if a lesson or fact refers to it.", 0, _DAYS
    )
    max_size: int = _number(
        1_000, "MB", "Larger files are pruned. Recall stays fast at ten times this size. 0: never.", 0, 1_000_000
    )
    prune_percent: float = _number(
        1.0, "% a run", "Share of the least used memories that one run archives from a file over `max_size`.", 0, 100
    )
    prune_schedule: str = _text("0 4 * * *", "cron", "When the size of the file is checked.")
    task_lease_hours: float = _number(
        24.0, "hours", "A task without activity that no process of this machine holds counts as crashed.", 0, 24 * _DAYS
    )
    embedding_batch: int = _number(32, "texts", "Fills the cores and still commits often.", 1, 10_000)
    learn_automatically: int = _number(
        LEARN_WHEN_IDLE,
        "0, 1 or 2",
        "From ended sessions: 2 when idle, unless a language model is configured, since its calls cost money; "
        "1 at once, also with a model; 0 only when `learn` is called.",
        0,
        2,
    )
    learn_idle_seconds: float = _number(
        5.0, "seconds", "Idle time before background learning, so that it delays no message.", 0, 86_400
    )
    learn_threshold: float = _number(
        0.65,
        "probability",
        "A clause less probably worth keeping is not learned. The page on learning lists the precision of each value.",
        0,
        1,
    )
    entity_enrichment_min_mentions: int = _number(
        3, "mentions", "An entity mentioned less often gets no summary.", 0, 1_000_000
    )
    entity_enrichment_batch_size: int = _number(
        20, "entities", "Entities summarized per run; with a language model each is one call.", 0, 1_000_000
    )
    causal_inference_batch_size: int = _number(
        50, "links", "Causal links looked for in one segment of a session.", 0, 1_000_000
    )
    maintain_schedule: str = _text("0 3 * * *", "cron, local time", "At night; the daemon catches up after downtime.")
    backup_folder: str = _text("", "folder", "Empty: no scheduled backups, since they need a disk that you choose.")
    backup_keep: int = _number(
        7, "copies", "One week of daily backups. Older ones made by Omoide are deleted.", 0, 100_000
    )
    llm_provider: str = _text(
        "",
        "name",
        "Empty: learning by rules, offline. openai, anthropic, ollama, lmstudio, vllm or openrouter learn more.",
    )
    llm_model: str = _text("", "name", "As the provider calls it. No default would stay good.")
    llm_models: str = _text(
        "", "operation=model, …", "Another model for extract, summarise, enrich, causes or compress."
    )
    llm_base_url: str = _text("", "address", "Address of the provider, if not its usual one.")
    llm_timeout: float = _number(
        120.0, "seconds", "For a whole call. A small model on a laptop takes a minute.", 0.001, 86_400
    )
    llm_retries: int = _number(3, "times", "Retries of a busy provider, with growing pauses: about 7 s in all.", 0, 100)
    llm_repairs: int = _number(2, "times", "How often an unusable answer is sent back with the reason.", 0, 100)
    llm_batch_tokens: int = _number(
        4_000, "tokens", "Conversation per call. With more, models begin to skip facts.", 1, _TOKENS
    )
    llm_answer_tokens: int = _number(4_000, "tokens", "Longest answer. A batch needs a tenth of it.", 1, _TOKENS)
    llm_max_cost: float = _number(1.0, "dollars a run", "Limits the damage of a loop. 0: no limit.")
    llm_max_cost_per_day: float = _number(
        0.0, "dollars a day (UTC)", "Limit for all processes together, stored in the file. 0: no daily limit."
    )
    llm_max_tokens: int = _number(1_000_000, "tokens a run", "Limit where no price is known. 0: no limit.")
    llm_price_input: float = _number(
        0.0, "dollars per million tokens", "0: the price list that the language model extra brings."
    )
    llm_price_output: float = _number(0.0, "dollars per million tokens", "The same for what the model writes.")

    fleet_lease_seconds: float = _number(
        15.0,
        "seconds",
        "How long a space stays with a server of a fleet that is gone. Renewed at a third of it.",
        1,
        3600,
    )
    fleet_open_spaces: int = _number(
        200, "spaces", "Open at once on a server of a fleet; the one used longest ago is closed first.", 1, 1_000_000
    )
    fleet_disk_size: int = _number(
        20_000, "MB", "Copies that a server of a fleet keeps. The oldest that are not open are removed.", 0, 100_000_000
    )
    fleet_memory_size: int = _number(
        4_000, "MB", "Size of the process above which a server of a fleet closes spaces.", 100, 100_000_000
    )
    fleet_maintenance_hours: float = _number(
        24.0, "hours", "Between two maintenance runs of a space of a fleet. 0: none.", 0, 8_760
    )
    fleet_space_rate: float = _number(
        0.0,
        "requests a second",
        "Limit of one space of a fleet, with a burst of ten seconds. 0: no limit.",
        0,
        1_000_000,
    )
    fleet_space_size: int = _number(
        0,
        "MB",
        "A larger space of a fleet takes no more writes until something is forgotten. 0: no limit.",
        0,
        1_000_000,
    )

    def __post_init__(self) -> None:
        for setting in fields(self):
            value = getattr(self, setting.name)
            if isinstance(setting.default, str):
                _check_text(setting.name, value)
            else:
                object.__setattr__(self, setting.name, _checked_number(setting, value))
        if self.key_from:
            check_key_source(self.key_from)
        topics_named(self.sensitive_topics)
        if self.retention_policy not in ("carried", "kira"):
            raise InvalidInput(
                f"setting retention_policy: expected carried or kira, got {self.retention_policy!r}; "
                "a policy that deletes is given to `maintain`, with `confirm`"
            )


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise InvalidInput(f"setting {name}: expected str, got {value!r}")
    if not value.isprintable() or value != value.strip():
        raise InvalidInput(f"setting {name}: expected one line without spaces around it, got {value!r}")


def _checked_number(setting: Field[Any], value: Any) -> Any:
    default: Any = setting.default
    expected = type(default)
    if expected is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not expected:
        raise InvalidInput(f"setting {setting.name}: expected {expected.__name__}, got {value!r}")
    low, high = setting.metadata["low"], setting.metadata["high"]
    if not low <= value <= high or value == math.inf:  # also refuses NaN
        raise InvalidInput(f"setting {setting.name}: expected a number {_range(setting)}, got {value!r}")
    return value


def _range(setting: Field[Any]) -> str:
    low, high = setting.metadata["low"], setting.metadata["high"]
    return f"from {low:,}" + ("" if high == math.inf else f" to {high:,}")


def load_settings(file: Path | None = None, environment: Mapping[str, str] | None = None, **given: Any) -> Settings:
    """Returns the defaults, overridden by the TOML file, then by OMOIDE_… variables, then by `given`."""
    environment = os.environ if environment is None else environment
    named = environment.get(VARIABLE_PREFIX + "CONFIG")
    file = file or (Path(named) if named else _default_file(environment))
    values: dict[str, Any] = {}
    # os.path.exists, unlike Path.exists, is False for a folder without permission.
    if file and (named or os.path.exists(file)):
        values |= _read_file(file)
    _check_variables(environment)
    for setting in fields(Settings):
        text = environment.get(VARIABLE_PREFIX + setting.name.upper())
        if text is not None:
            values[setting.name] = _parse_variable(setting.name, text, type(setting.default))
    return make_settings(**(values | given))


@contextmanager
def key_taken_from(source: str | None) -> Iterator[None]:
    """Inside, memories take their key from there, also in child processes. None changes nothing."""
    variable = VARIABLE_PREFIX + "KEY_FROM"
    before = {variable: os.environ[variable]} if variable in os.environ else {}
    if source is not None:
        check_key_source(source)
        os.environ[variable] = source
    try:
        yield
    finally:
        os.environ.pop(variable, None)
        os.environ.update(before)


def check_key_source(source: str) -> tuple[str, str]:
    """Returns the kind and the name of a key source. What is unknown is not repeated: it may be a key."""
    kind, colon, name = source.partition(":")
    if kind == "keyring" and (name or not colon):
        return kind, name or "memory"
    if (kind == "file" and name) or source == "prompt":
        return kind, name
    raise InvalidInput("where the key is: expected file:PATH, keyring, keyring:NAME or prompt, never the key itself")


def _check_variables(environment: Mapping[str, str]) -> None:
    others = ("DB", "CONFIG", "DEMO", "FLEET", "SPACES", "TOKEN", _KEY.upper())
    known = [VARIABLE_PREFIX + name for name in (*others, *(setting.name.upper() for setting in fields(Settings)))]
    for name in environment:
        if name.startswith(VARIABLE_PREFIX) and name not in known:
            near = get_close_matches(name, known, n=1)
            raise InvalidInput(f"unknown variable {name}" + (f"; did you mean {near[0]}?" if near else ""))


def without_idle_learning(loaded: Settings) -> Settings:
    """Returns settings for a process that runs one command and exits, and so is never idle."""
    return replace(loaded, learn_automatically=0) if loaded.learn_automatically == LEARN_WHEN_IDLE else loaded


def make_settings(**given: Any) -> Settings:
    """Returns the defaults with these changes. Raises InvalidInput with a suggestion for an unknown name."""
    known = [setting.name for setting in fields(Settings)]
    for name in given:
        if name == _KEY:
            variable = f"{VARIABLE_PREFIX}{_KEY.upper()}"
            raise InvalidInput(f"{_KEY} is not a setting, so that no file or log holds it; set the variable {variable}")
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; known settings are {', '.join(known)}"
            raise InvalidInput(f"unknown setting {name}{hint}")
    return replace(Settings(), **given)


def language_model_key(*others: str, environment: Mapping[str, str] | None = None) -> str:
    """Returns the key for the language model: $OMOIDE_LLM_API_KEY, the first of `others` that is set, or "".

    The key is read when needed and is not a setting, so no `repr` or log can show it.
    """
    environment = os.environ if environment is None else environment
    names = (VARIABLE_PREFIX + _KEY.upper(), *others)
    return next((key for name in names if (key := environment.get(name, "").strip())), "")


def check_settings(given: object) -> Settings:
    """Returns `given`. Raises InvalidInput if it is not a Settings object."""
    if not isinstance(given, Settings):
        raise InvalidInput(f"settings: expected omoide.Settings(…), got {type(given).__name__}")
    return given


def default_memory_path(environment: Mapping[str, str] | None = None) -> Path:
    """Returns the file that `Memory()` opens: $OMOIDE_DB, or memory.db in the user's data folder."""
    environment = os.environ if environment is None else environment
    if named := environment.get(VARIABLE_PREFIX + "DB"):
        return Path(named).expanduser()
    import platformdirs  # 40 ms, and only needed here

    return Path(platformdirs.user_data_dir("omoide")) / "memory.db"


def mcp_memory_file(environment: Mapping[str, str] | None = None) -> Path | None:
    """Returns the file of the MCP reference memory server ($MEMORY_FILE_PATH), if a client configured one."""
    environment = os.environ if environment is None else environment
    named = environment.get("MEMORY_FILE_PATH", "").strip()
    return Path(named).expanduser() if named else None


def memory_path(path: str | Path | None, create: bool) -> str:
    """Returns the file to open: `path`, or the default one.

    Raises NotFound if it does not exist and `create` is False.
    """
    found = _checked_path(_default_path(create) if path is None else path)
    if not create and found != ":memory:" and not os.path.exists(found):
        raise NotFound(f"there is no memory at {found}; check the name, or observe something to create it")
    return found


def _default_path(create: bool) -> Path:
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
    except RuntimeError as error:  # "~name" of an unknown user
        raise InvalidInput(f"path: expected a file name, got {path!r} ({error})") from None


def _default_file(environment: Mapping[str, str]) -> Path | None:
    """~/.config/omoide.toml by the XDG rule, without the cost of importing platformdirs."""
    home = environment.get("XDG_CONFIG_HOME") or (environment.get("HOME", "") and environment["HOME"] + "/.config")
    return Path(home) / "omoide.toml" if home else None


def _read_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"settings file {file}: {error}") from error


def _parse_variable(name: str, text: str, expected: type) -> Any:
    try:
        return expected(text)
    except ValueError as error:
        raise InvalidInput(f"{VARIABLE_PREFIX}{name.upper()}: expected {expected.__name__}, got {text!r}") from error


def _page_row(setting: Field[Any]) -> str:
    default: Any = setting.default
    is_text = isinstance(default, str)
    shown = f"{default:,}" if not is_text else f"`{default}`" if default else "empty"
    valid = "one line" if is_text else _range(setting)
    return f"| `{setting.name}` | {shown} | {setting.metadata['unit']} | {valid} | {setting.metadata['reason']} |"


def settings_page() -> str:
    """Returns the reference page of all settings as Markdown."""
    rows = "\n".join(map(_page_row, fields(Settings)))
    return f"""# Settings

Omoide reads settings once, when a memory opens. Later sources override earlier ones:

1. the defaults below;
2. a TOML file: `$OMOIDE_CONFIG`, or `omoide.toml` in your configuration folder;
3. environment variables: `OMOIDE_` and the name in capitals, such as `OMOIDE_MAX_TEXT_BYTES`;
4. what the program passes: `Memory(settings=…)`.

Unknown names and values outside the valid range are errors; the error suggests the nearest known name.
`$OMOIDE_DB` is the file that `Memory()` and the command line open. The key of a language model is not a setting:
it is read from the environment only, see [language-models.md](../how-to/language-models.md).

| setting | default | unit | valid | reason |
|---|---|---|---|---|
{rows}

This page is generated by `python -m omoide.settings`.
"""


if __name__ == "__main__":
    print(settings_page(), end="")


def fleet_address() -> str | None:
    """The PostgreSQL database of a fleet, of $OMOIDE_FLEET. It may hold a password, so it is no option of a command."""
    return os.environ.get("OMOIDE_FLEET") or None
