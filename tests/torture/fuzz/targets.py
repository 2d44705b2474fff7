"""What is fuzzed: each target takes the bytes of an input and checks what must hold whatever they are.

A target returns the work that may grow with the input, so that it can be counted; `check` is done beside it.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

from omoide import Memory
from omoide.errors import OmoideError
from omoide.interfaces.adapters.anthropic_files import Files
from omoide.interfaces.hooks.agents import AGENTS
from omoide.interfaces.mcp.handlers import Handlers
from omoide.interfaces.mcp.stdio import StdioConnection
from omoide.interfaces.tools import chosen
from omoide.language.escaping import escape_hidden, escape_text, unescape_text
from omoide.language.registry import languages
from omoide.language.time import parse_time, resolve_time
from omoide.language.time.mentioned import dates_in_statement, question_time
from omoide.observe.redaction import redact
from omoide.providers.protocols import Completion, CompletionRequest, TokenPrice
from omoide.transfer.formats import FORMATS
from omoide.transfer.jsonl import encode_line, new_digest
from omoide.transfer.skill_files import parse_skill, render_skill
from tests.conftest import START, Ticking, contents, counted, ticking, unsound
from tests.interfaces.terminal import run_here

ASKED = datetime(2026, 5, 3, 9, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Target:
    """`run` takes a folder and the input. Work: at most `calls` and `calls_per_byte` function calls."""

    run: Callable[[Path, bytes], object]
    calls: int
    calls_per_byte: int


def text_of(data: bytes) -> str:
    """With half a surrogate pair for each byte that is not UTF-8."""
    return data.decode("utf-8", "surrogateescape")


def opened(folder: Path, **given: Any) -> Memory:
    return Memory(folder / "memory.db", **({"embedder": None, "clock": Ticking(START), "ids": counted()} | given))


# ── texts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def time_phrases(folder: Path, data: bytes) -> None:
    text = text_of(data)
    for prefer in ("past", "future"):
        when = parse_time(text, ASKED, prefer=prefer)
        for clue in when.clues if when else ():
            assert text[clue.phrase.start : clue.phrase.end] == clue.phrase.text
    span = resolve_time(text, ASKED)
    assert span is None or span.start < span.end
    for language in languages():
        question_time(language, text, ASKED)
        dates_in_statement(text, ASKED, language)


@cache
def known() -> Memory:
    """A memory that questions are asked of. It is not written to."""
    memory = Memory(":memory:", embedder=None, clock=ticking(), ids=counted())
    memory.graph.entity("Otto", type="person", aliases=["オットー"])
    for text in ("Otto drinks green tea", "お茶が好きです", "I moved to Berlin in March", "Ask before you force-push"):
        memory.observe(text, session="s")
    return memory


def question(folder: Path, data: bytes) -> None:
    try:
        known().recall(text_of(data))
    except OmoideError:
        return
    assert known().context(text_of(data), budget=200).tokens <= 200


def statement(folder: Path, data: bytes) -> None:
    with opened(folder) as memory:
        texts = [each for each in text_of(data).split("\n---\n") if each.strip()]
        turns = []
        for number, text in enumerate(texts):
            with suppress(OmoideError):
                turns.append(memory.observe(text, role=("user", "agent")[number % 2], session="s"))
        if turns:
            memory.end("s")
            assert memory.learn().failed == {}
        assert [memory.get(each.id).text for each in turns] == [each.text for each in turns]
        assert unsound(memory) == []


def redaction(folder: Path, data: bytes) -> None:
    once = redact(text_of(data)).text
    assert redact(once).text == once
    assert "hunter2hunter2" not in redact(f"password: hunter2hunter2\n\n{text_of(data)}").text.split("\n\n")[0]


def escaping(folder: Path, data: bytes) -> None:
    text = text_of(data)
    assert unescape_text(escape_text(text)) == text
    assert escape_hidden(escape_text(text)) == escape_text(text)
    unescape_text(text)


# ── documents and files of others ─────────────────────────────────────────────────────────────────────────────────


def document(folder: Path, data: bytes) -> None:
    skill = parse_skill(data.decode("utf-8", "replace"))
    again = render_skill(skill.name, skill.fields, skill.front, skill.sections)
    assert parse_skill(again).fields == skill.fields
    (folder / "SKILL.md").write_bytes(data)
    with opened(folder) as memory:
        with suppress(OmoideError):
            for each in memory.tasks.import_skills([folder / "SKILL.md"]):
                each.node is None or memory.tasks.skill_markdown(each.node.id)
        with suppress(OmoideError):
            saved = memory.documents.save("fuzz", "a", text_of(data))
            found = memory.documents.get("fuzz", "a")
            assert found is not None
            assert found.text == saved.text
        assert unsound(memory) == []


def imported(name: str, format: str | None, folder: Path, data: bytes) -> None:
    """Imports all, or fails and leaves the file as it was; a second time adds nothing."""
    (folder / name).write_bytes(sealed(data) if format == "jsonl" else data)
    with opened(folder) as memory:
        before = contents(str(folder / "memory.db"))

        def take() -> int:
            if format == "jsonl":
                return memory.admin.import_(folder / name).total("added")
            return memory.admin.import_from(folder / name, format).total("added")

        try:
            take()
        except OmoideError:
            assert contents(str(folder / "memory.db")) == before
        else:
            assert take() == 0
        assert unsound(memory) == []


def sealed(data: bytes) -> bytes:
    """An export with an end line that fits it: otherwise the first check would be the only one that is tried."""
    lines = [line for line in data.split(b"\n") if line.strip() and not line.startswith(b'{"end"')]
    lines = [re.sub(rb', ?"content_hash": ?"[^"]*"', b"", line) for line in lines]  # it would name a changed text
    digest = new_digest()
    for line in lines:
        digest.update(line + b"\n")
    return b"\n".join([*lines, encode_line({"end": {"lines": len(lines), "digest": digest.hexdigest()}})])


def loki(folder: Path, data: bytes) -> None:
    """The files of a folder as one JSON document; exporting in place leaves them as they are."""
    try:
        given = json.loads(data)
        files = {name: each for name, each in given.items() if name in LOKI_FILES}
    except (ValueError, RecursionError, AttributeError):
        return
    for name, each in files.items():
        (folder / "loki" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "loki" / name).write_text(json.dumps(each))
    with opened(folder) as memory:
        with suppress(OmoideError):
            memory.admin.import_loki(folder / "loki")
            memory.admin.export_loki(folder / "loki")
            for name, each in files.items():
                assert json.loads((folder / "loki" / name).read_text()) == each
        assert unsound(memory) == []


LOKI_FILES = (
    "semantic/patterns.json", "semantic/anti-patterns.json", "semantic/facts.json", "semantic/links.json",
    "episodic/2026-01-06/task-001.json", "skills/s.json", "ledgers/a.json", "handoffs/h.json", "learnings/l.json",
)  # fmt: skip


# ── what agents and models send ───────────────────────────────────────────────────────────────────────────────────

EXPECTED = ("InvalidInput", "NotFound", "JSONDecodeError", "ValueError")


def hook(folder: Path, data: bytes) -> None:
    """The agent goes on, and the log names what is wrong with the event."""
    agent = AGENTS[len(data) % len(AGENTS)].name
    words = ["hook", "--db", str(folder / "memory.db"), "--limit", "300", "--agent", agent]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "OMOIDE_LEARN_AUTOMATICALLY": "0"}
    done = run_here(words, folder, environment, data)
    assert (done.code, done.err) == (0, "")
    assert not done.out or json.loads(done.out)
    log = folder / "memory.hooks.log"
    for line in log.read_text("utf-8").splitlines() if log.exists() else ():
        assert line.split()[1].rstrip(":") in EXPECTED if line[:3] == "202" else True, line


def mcp(folder: Path, data: bytes) -> None:
    """The server goes on, and nothing is an internal error."""
    sets = ("all", "reference")[len(data) % 2]
    with opened(folder) as memory:
        memory.observe("My name is Otto and I live in Oslo", session="s")
        out = io.BytesIO()
        ping = b'\n{"jsonrpc":"2.0","id":"after","method":"ping"}\n'
        StdioConnection(Handlers(memory, chosen(sets)), out).serve(io.BytesIO(data + ping))
        answers = [json.loads(line) for line in out.getvalue().splitlines()]
        assert {"jsonrpc": "2.0", "id": "after", "result": {}} in answers
        assert [each for each in answers if each.get("error", {}).get("code") == -32603] == []
        assert unsound(memory) == []


def memory_tool(folder: Path, data: bytes) -> None:
    """A command is answered or refused; a refused one changes nothing."""
    try:
        commands = json.loads(data)
    except (ValueError, RecursionError):
        return
    with opened(folder) as memory:
        files = Files(memory)
        for command in commands if isinstance(commands, list) else [commands]:
            before = _files(memory)
            try:
                files.run(command)
            except OmoideError:
                assert _files(memory) == before
        assert unsound(memory) == []


def _files(memory: Memory) -> Mapping[Any, str]:
    return {each.attributes["title"]: each.text for each in memory.documents.list("memories")}


class Scripted:
    """A language model that always gives the same answer."""

    name = "scripted"

    def __init__(self, text: str) -> None:
        self._text = text

    def price(self, operation: str) -> TokenPrice:
        return TokenPrice(0.0, 0.0)

    def complete(self, request: CompletionRequest) -> Completion:
        return Completion(text=self._text, model=self.name)


def model_answer(folder: Path, data: bytes) -> None:
    """Nothing is learned or some is; no session fails for another reason than an unusable answer."""
    with opened(folder, language_model=Scripted(text_of(data))) as memory:
        memory.observe("My name is Otto. I moved to Berlin last month. Always use pnpm, not npm.", session="s")
        memory.observe("Nice!", role="agent", session="s")
        memory.end("s")
        with suppress(OmoideError):
            failed = memory.learn().failed
            assert not any(re.match(r"[A-Z]\w*: ", each) for each in failed.values()), failed
        assert unsound(memory) == []


_FILES = {
    "chatgpt": "conversations.json", "claude": "conversations.json", "mem0": "mem0.json", "letta": "sam.af",
    "memory-service": "service.json", "graphiti": "graph.json", "mcp": "memory.jsonl", "claude-code": "s9.jsonl",
    "codex": "rollout-2025-10-29.jsonl", "turns": "turns.jsonl", "openclaw": "MEMORY.md", "markdown": "Coffee.md",
    "jsonl": "export.jsonl",
}  # fmt: skip
assert _FILES.keys() == {*FORMATS, "jsonl"}

TARGETS: dict[str, Target] = {
    "time": Target(time_phrases, 60_000, 10_000),
    "question": Target(question, 200_000, 3_000),
    "statement": Target(statement, 400_000, 3_000),
    "redaction": Target(redaction, 60_000, 300),
    "escaping": Target(escaping, 60_000, 300),
    "document": Target(document, 400_000, 3_000),
    **{
        f"import-{form}": Target(partial(imported, name, form), 400_000, 3_000) for form, name in sorted(_FILES.items())
    },
    "import-detected": Target(partial(imported, "given.json", None), 400_000, 3_000),
    "loki": Target(loki, 400_000, 3_000),
    "hook": Target(hook, 400_000, 3_000),
    "mcp": Target(mcp, 400_000, 3_000),
    "memory-tool": Target(memory_tool, 400_000, 3_000),
    "model-answer": Target(model_answer, 400_000, 3_000),
}
