"""The command line as a user meets it: real files, in this process except where a process of its own matters."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import pytest

from omoide import __version__
from omoide.memory import Memory
from tests.conftest import without_mark
from tests.interfaces.terminal import Ran, Terminal, read_until


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small memory: 1 and 2 said in a session, 3 a fact, 4 what replaced it, 5 a preference."""
    path = tmp_path_factory.mktemp("told") / "memory.db"
    with Memory(path, embedder=None) as memory:
        memory.observe("How do we deploy the app?", session="s1", at="2026-05-03T09:00:00+00:00")
        memory.observe("With one command to Vercel.", role="agent", session="s1", at="2026-05-03T09:01:00+00:00")
        memory.remember("The app runs on Vercel's hobby plan", tags=["vercel"])
        memory.correct(3, "The app runs on Vercel's pro plan")
        memory.remember("Answers in German", kind="preference", category="communication", strength=0.9, confidence=0.9)
        memory.graph.relate("Otto", "works_at", "Blue Harbour")
    return path


@pytest.fixture
def full(terminal: Terminal, told: Path) -> Terminal:
    shutil.copy(told, terminal.path)
    return terminal


def lines(*turns: Any) -> bytes:
    return b"".join(json.dumps(turn).encode() + b"\n" for turn in turns)


# ── each verb, for people and for programs ───────────────────────────────────────────────────────────────────────

VERBS: list[tuple[Sequence[str], str, str]] = [
    (["observe", "Otto moved to Berlin"], "[id:7] episode", "id"),
    (["remember", "Otto lives in Berlin"], "[id:7] fact", "id"),
    (["recall", "Vercel plan"], "1. [id:4] fact", "hits"),
    (["context", "Vercel plan"], "- The app runs on Vercel's pro plan [id:4]", "markdown"),
    (["get", "4"], "→ supersedes [id:3]", "node"),
    (["list", "--kind", "fact"], "[id:4] fact  The app runs", "memories"),
    (["history", "4"], "[id:3]", "versions"),
    (["stats"], "episode 2, fact 3, preference 1", "nodes"),
    (["sessions"], "s1", "sessions"),
    (["admin", "doctor"], "✓ full text: ", "findings"),
    (["end", "s1"], "s1 ended", "ended_at"),
    (["learn", "--session", "s1"], "2 turns of 1 session", "entries"),
    (["explain", "4"], "[id:3]", "evidence"),
    (["session", "s1"], "s1", "name"),
    (["review", "uncertain", "--below", "1"], "Answers in German", "uncertain"),
    (["correct", "5", "Answers in English"], "[id:7] preference", "id"),
    (["review", "update", "4", "--importance", "8"], "[id:4] fact", "id"),
    (["review", "confirm", "4"], "confirmed", "confirmed_at"),
    (["review", "reinforce", "4"], "score 3", "score"),
    (["review", "demote", "4"], "score -1", "score"),
    (["graph", "link", "4", "1", "elaborates"], "[id:4] elaborates [id:1]", "type"),
    (["graph", "entity", "otto"], "Otto works_at Blue Harbour", "relations"),
    (["graph", "relate", "Otto", "lives_in", "Berlin"], "Otto lives_in Berlin", "type"),
    (["graph", "merge", "Blue Harbour", "Otto"], "also Blue Harbour", "aliases"),
]


@pytest.mark.parametrize(("words", "seen", "name"), VERBS, ids=[" ".join(words[:2]) for words, _, _ in VERBS])
def test_a_verb_answers_people_with_lines_and_programs_with_one_document(
    full: Terminal, words: Sequence[str], seen: str, name: str
) -> None:
    twin = Terminal(full.folder / "twin")
    twin.folder.mkdir()
    shutil.copy(full.path, twin.path)
    for_people = full.run(*words)
    assert for_people.code == 0, for_people.err
    assert seen in for_people.out
    assert "\x1b" not in for_people.out
    assert name in twin.json(*words)


@pytest.mark.parametrize("words", [[], ["--help"], ["observe", "--help"]])
def test_help_shows_an_example(terminal: Terminal, words: list[str]) -> None:
    ran = terminal.spawn(*words)
    assert ran.code == 0
    assert 'omoide observe "' in ran.out


def test_the_help_page_fits_on_one_screen(terminal: Terminal) -> None:
    lines = terminal.run("--help").out.splitlines()
    assert 24 <= len(lines) <= 44
    assert max(map(len, lines)) <= 105


def test_a_group_lists_its_commands(terminal: Terminal) -> None:
    ran = terminal.run("graph", "--help")
    assert ran.code == 0
    assert "suggest-links" in ran.out


def test_the_version_is_an_option(terminal: Terminal) -> None:
    assert terminal.run("--version").out == f"omoide {__version__}\n"


def test_the_help_page_tells_the_exit_codes(terminal: Terminal) -> None:
    assert "3 not found" in terminal.run("--help").out


# ── telling ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_option_of_observe_reaches_the_memory(terminal: Terminal) -> None:
    options = "--role tool:git --speaker Git --session s1 --channel ci --type action --tag a --tag b --outcome success"
    options += " --at 2026-05-03T09:00Z"
    node = terminal.json("observe", "pushed", *options.split(), "--details", '{"files": 3}')
    assert (node["role"], node["speaker"], node["session"], node["tags"]) == ("tool:git", "Git", "s1", ["a", "b"])
    assert (node["type"], node["outcome"], node["details"]) == ("action", "success", {"files": 3})
    assert node["event_at"] == "2026-05-03T09:00:00+00:00"


def test_a_time_without_a_zone_is_local_time(terminal: Terminal) -> None:
    node = terminal.json("observe", "breakfast", "--at", "2026-05-03T09:00", TZ="XYZ5")  # five hours west
    assert node["event_at"] == "2026-05-03T14:00:00+00:00"


def test_the_same_key_is_stored_once(terminal: Terminal) -> None:
    first, again = (terminal.json("observe", "hello", "--key", "k1")["id"] for _ in range(2))
    assert first == again


def test_a_dash_reads_standard_input_word_for_word(terminal: Terminal) -> None:
    node = terminal.json("observe", "-", stdin="two\n  línes 日本\n")
    assert node["text"] == "two\n  línes 日本"


def test_a_field_is_json_or_else_a_text(terminal: Terminal) -> None:
    words = ["--kind", "preference", "--field", "strength=0.9", "--field", "name=tone", "--field", 'value=["dry"]']
    node = terminal.json("remember", "Dry humour", *words)
    assert (node["strength"], node["name"], node["value"]) == (0.9, "tone", ["dry"])


def test_lines_of_a_file_are_observed_and_options_fill_in_what_they_leave_out(terminal: Terminal) -> None:
    (terminal.folder / "chat.jsonl").write_bytes(lines({"text": "a"}, {"text": "b", "session": "s2"}) + b"\n")
    assert terminal.json("observe", "--jsonl", "chat.jsonl", "--session", "s1") == {"observed": 2, "erased": 0}
    assert {each["name"] for each in terminal.json("sessions")["sessions"]} == {"s1", "s2"}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b'{"text": \n', "line 3 is not JSON"),
        (b"[1]\n", "line 3: expected an object"),
        (lines({"text": " "}), "line 3: text is empty"),
        (lines({"txt": "hello"}), "line 3: observe has no field 'txt'; did you mean text?"),
        (lines({"text": "hello", "at": "yesterday"}), "line 3: at: 'yesterday'"),
    ],
    ids=["not json", "no object", "empty", "unknown field", "bad date"],
)
def test_a_bad_line_is_named_and_nothing_of_its_batch_is_stored(terminal: Terminal, bad: bytes, reason: str) -> None:
    ran = terminal.run("observe", "--jsonl", "-", stdin=lines({"text": "one"}, {"text": "two"}) + bad)
    assert (ran.code, ran.out) == (2, "")
    assert reason in ran.err
    assert ran.err.endswith("nothing was stored\n")
    with Memory(terminal.path, embedder=None) as memory:
        assert memory.stats().nodes == 0


def test_a_line_whose_parent_does_not_exist_is_named(terminal: Terminal) -> None:
    ran = terminal.run("observe", "--jsonl", "-", stdin=lines({"text": "one"}, {"text": "two", "parent": 99}))
    assert (ran.code, ran.err) == (3, "omoide: line 2: there is no memory 99; nothing was stored\n")


def test_batches_before_a_bad_line_are_kept_and_the_error_says_so(terminal: Terminal) -> None:
    turns = [{"text": f"turn {number}"} for number in range(700)]
    ran = terminal.run("observe", "--jsonl", "-", stdin=lines(*turns, {"text": ""}))
    assert ran.code == 2
    assert "line 701: text is empty" in ran.err
    assert "lines 1 to 500 are stored, the rest is not" in ran.err
    with Memory(terminal.path, embedder=None) as memory:
        assert memory.stats().nodes == 500


# ── asking ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_hit_has_its_reason_beneath_it_and_in_the_document(full: Terminal) -> None:
    assert (
        full.run("recall", "Vercel plan")
        .out.splitlines()[1]
        .startswith("    replaces [id:3], which was found · words Vercel")
    )
    hit = full.json("recall", "Vercel plan", "--limit", "1")["hits"][0]
    assert hit["why"].startswith("replaces [id:3], which was found · words Vercel, plan")
    assert (hit["id"], hit["kind"], hit["node"]["source_type"]) == (4, "fact", "corrected")


def test_recall_narrows_by_its_options(full: Terminal) -> None:
    options = "--kind episode --session s1 --until 2026-05-03T09:00:30+00:00"
    assert [hit["id"] for hit in full.json("recall", "deploy the app", *options.split())["hits"]] == [1]


def test_recall_with_explain_shows_the_stages_and_what_was_dropped(full: Terminal) -> None:
    ran = full.run("recall", "app Vercel", "--limit", "1", "--explain")
    assert "vector" in ran.out
    assert "skipped, no embedder was given" in ran.out
    assert "Dropped" in ran.out
    trace = full.json("recall", "app Vercel", "--limit", "1", "--explain")["trace"]
    assert {"stage", "note", "milliseconds", "candidates"} == set(trace["steps"][0])
    assert {"id", "reason"} == set(trace["dropped"][0])


def test_why_not_explains_a_missing_memory(full: Terminal) -> None:
    ran = full.run("recall", "app Vercel", "--limit", "1", "--why-not", "1")
    assert "rank: not found" in ran.out
    assert full.json("recall", "app Vercel", "--why-not", "1")["why_not"][0]["id"] == 1
    assert full.run("recall", "app", "--why-not", "999").code == 3


def test_nothing_found_is_not_an_error(full: Terminal) -> None:
    assert full.run("recall", "xylophone") == Ran(0, "", "nothing found\n")


def test_context_prints_only_markdown_and_the_token_count_on_stderr(full: Terminal) -> None:
    ran = full.run("context", "Vercel plan", "--budget", "300")
    assert ran.out.startswith("<omoide-memory")
    assert without_mark(ran.out).endswith("</omoide-memory>\n")
    assert re.fullmatch(r"\d+ of 300 tokens\n", ran.err)


def test_recall_says_how_many_texts_have_no_vector(terminal: Terminal) -> None:
    with Memory(terminal.path, embedder=None) as memory:
        memory.observe_many({"text": f"turn {number}"} for number in range(300))
    process = terminal.start("recall", "turn")
    _, err = process.communicate(timeout=60)
    assert b"300 texts have no vector yet" in err


def test_get_shows_fields_links_and_history(full: Terminal) -> None:
    seen = full.json("get", "4")
    assert seen["node"]["tags"] == ["vercel"]
    assert [(edge["type"], edge["target_id"]) for edge in seen["links"]] == [("supersedes", 3)]
    assert [version["node"]["state"] for version in seen["history"]] == ["superseded", "live"]


# ── where the options stand, what the characters are ──────────────────────────────────────────────────────────────


def test_global_options_work_before_and_after_the_command(full: Terminal, told: Path) -> None:
    before = full.run("--json", "--db", str(told), "get", "1").document
    after = full.run("get", "1", "--db", str(told), "--json").document
    assert before == after


def test_json_is_not_escaped_and_times_are_iso_8601(terminal: Terminal) -> None:
    ran = terminal.run("observe", "Grüße aus 東京", "--at", "2026-05-03T09:00:00+00:00", "--json")
    assert "Grüße aus 東京" in ran.out
    assert ran.document["event_at"] == "2026-05-03T09:00:00+00:00"


@pytest.mark.parametrize("more", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}], ids=["C locale", "ascii"])
def test_a_terminal_that_lacks_characters_is_supported(terminal: Terminal, more: dict[str, str]) -> None:
    with Memory(terminal.path, embedder=None) as memory:
        memory.observe("Grüße aus 東京 ✓")
    more = {"PYTHONUTF8": "0", **more}
    assert "[id:1]" in terminal.spawn("recall", "aus", **more).out
    assert terminal.spawn("recall", "aus", "--json", **more).document["hits"][0]["text"] == "Grüße aus 東京 ✓"
    assert "full text: " in terminal.spawn("admin", "doctor", **more).out


def test_hidden_characters_in_a_memory_are_shown_by_their_code_points(terminal: Terminal) -> None:
    with Memory(terminal.path, embedder=None) as memory:
        memory.observe("harmless \x1b]0;owned\x07 words \u202eevil \U000e0041 \u200b")
    for command in (("recall", "harmless"), ("get", "1"), ("list",), ("context", "harmless words")):
        said = terminal.run(*command).out
        assert not re.search("[\x1b\x07\u202e\u200b\U000e0041]", said), command
        assert "⟦1B⟧]0;owned⟦7⟧ words ⟦202E⟧evil ⟦E0041⟧ ⟦200B⟧" in said


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
@pytest.mark.parametrize(("more", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)], ids=["colours", "NO_COLOR"])
def test_on_a_terminal_lines_are_clipped_to_its_width(terminal: Terminal, more: dict[str, str], coloured: bool) -> None:
    with Memory(terminal.path, embedder=None) as memory:
        memory.observe("deploy " + "again and " * 30)
    ours, theirs = os.openpty()
    more = {"TERM": "xterm", "COLUMNS": "60", **more}
    process = terminal.start("--no-embedder", "recall", "deploy", more=more, stdout=theirs)
    os.close(theirs)
    seen = read_until(ours)
    _, err = process.communicate(timeout=60)
    os.close(ours)
    assert (process.returncode, err) == (0, b"")
    assert ("\x1b[36m" in seen) is coloured
    assert all(len(line) <= 60 for line in re.sub(r"\x1b\[[\d;]*m", "", seen).splitlines())


def test_output_into_a_pipe_is_not_clipped(terminal: Terminal) -> None:
    with Memory(terminal.path, embedder=None) as memory:
        memory.observe("deploy " + "again and " * 300 + "done")
    assert terminal.run("recall", "deploy").out.splitlines()[0].endswith("and done")


# ── errors ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["observe", ""], 2, "text is empty"),
        (["observe"], 2, "observe takes a TEXT"),
        (["observe", "x", "--jsonl", "y"], 2, "observe takes a TEXT"),
        (["observe", "x", "--details", "{"], 2, "--details is not JSON"),
        (["observe", "--jsonl", "missing.jsonl"], 2, "missing.jsonl: No such file"),
        (["recall", "x", "--at", "yesterday"], 2, "'yesterday' is not an ISO 8601 time"),
        (["recall", "x", "--kind", "fakt"], 2, "did you mean 'fact'?"),
        (["remember", "x", "--field", "subjct=y"], 2, "did you mean subject?"),
        (["remember", "x", "--field", "kind=y"], 2, "--field kind"),
        (["review", "update", "1"], 2, "nothing to update"),
        (["recall"], 2, "Missing argument 'QUERY'"),
        (["recal", "x"], 2, "No such command 'recal'"),
        (["recall", "x", "--limt", "3"], 2, "No such option: --limt"),
        (["get", "seven"], 2, "Invalid value for 'ID'"),
        (["get", "99"], 3, "there is no memory 99"),
        (["graph", "entity", "nobody"], 3, "nobody"),
        (["graph", "merge", "nobody", "Otto"], 3, "nobody"),
        (["graph", "split", "Otto", "nobody"], 2, "nobody"),
        (["explain", "99"], 3, "there is no memory 99"),
        (["learn", "--session", "s9"], 3, "there is no session 's9'"),
        (["tasks", "outcome", "4", "success"], 2, "only a procedure or a skill has outcomes"),
        (["tasks", "outcome", "4", "great"], 2, "expected success, failure or partial"),
        (["review", "uncertain", "--below", "2"], 2, "below"),
        (["end", "s9"], 3, "there is no session 's9'"),
        (["stats", "--db", "."], 5, "is a folder"),
        (["stats", "--db", "notes.txt"], 5, "is not an Omoide file"),
        (["observe", "hello", "--db", "no/such/folder.db"], 5, "does not exist"),
        (["stats", "--db", "otto.db.typo"], 3, "there is no memory at"),
        (["view", "--db", "otto.db.typo", "--no-browser"], 3, "there is no memory at"),
        (["agenda", "2026-13-01"], 2, "since: '2026-13-01' is not"),
        (["flush"], 6, 'pip install "omoide[minilm]"'),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_an_error_is_one_line_and_an_exit_code(full: Terminal, words: list[str], code: int, message: str) -> None:
    (full.folder / "notes.txt").write_text("just notes, and enough of them to look like a file")
    ran = full.run(*words)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("omoide: ")
    assert message in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "type"), [(["--json", "get", "99"], "NotFound"), (["recal", "--json"], "UsageError")], ids=str
)
def test_with_json_an_error_is_a_document_on_standard_error(full: Terminal, words: list[str], type: str) -> None:
    ran = full.run(*words)
    assert ran.out == ""
    error = json.loads(ran.err)["error"]
    assert error["type"] == type
    assert error["message"]


def test_a_setting_that_is_unknown_or_wrong_is_a_usage_error(terminal: Terminal) -> None:
    (terminal.folder / "settings.toml").write_text("busy_timout = 5\n")
    ran = terminal.run("stats", OMOIDE_CONFIG="settings.toml")
    assert (ran.code, ran.err) == (2, "omoide: unknown setting busy_timout; did you mean busy_timeout?\n")
    ran = terminal.run("stats", OMOIDE_BUSY_TIMEOUT="soon")
    assert (ran.code, ran.err) == (2, "omoide: OMOIDE_BUSY_TIMEOUT: expected float, got 'soon'\n")


def test_a_file_locked_by_another_process_is_busy(full: Terminal) -> None:
    other = apsw.Connection(str(full.path))
    other.execute("BEGIN IMMEDIATE")
    ran = full.run("observe", "hello", OMOIDE_BUSY_TIMEOUT="0.2")
    other.close()
    assert ran.code == 4
    assert "try again" in ran.err


def test_doctor_fails_until_the_file_is_repaired(full: Terminal) -> None:
    other = apsw.Connection(str(full.path))
    other.execute("UPDATE session SET episode_count = 99")
    other.close()
    ran = full.run("admin", "doctor")
    assert (ran.code, "✗ sessions: " in ran.out) == (1, True)
    ran = full.run("admin", "doctor", "--repair")
    assert (ran.code, "(repaired)" in ran.out) == (0, True)
    assert full.json("admin", "doctor")["healthy"] is True


# ── beside other programs ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["lines", "json"])
def test_a_closed_pipe_is_not_an_error(full: Terminal, form: list[str]) -> None:
    with full.start("--no-embedder", "recall", "Vercel app", *form) as process:
        assert process.stdout is not None
        process.stdout.close()  # before a word is printed
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell with head")
def test_output_can_be_cut_by_head(terminal: Terminal) -> None:
    with Memory(terminal.path, embedder=None) as memory:
        memory.observe_many({"text": f"deploy {number} " + "long " * 500} for number in range(100))
    for verb in ("recall deploy --limit 100", f"demo '{terminal.folder / 'demo.db'}'"):
        command = f"set -o pipefail; '{sys.executable}' -m omoide --no-embedder {verb} | head -n 1"
        shell = ["bash", "-c", command]
        ran = subprocess.run(shell, env=terminal.environment(), capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr, ran.stdout.count("\n")) == (0, "", 1)


def test_two_processes_write_at_once_and_both_are_kept(terminal: Terminal) -> None:
    started = []
    for name in ("left", "right"):
        process = terminal.start("observe", "--jsonl", "-", "--session", name)
        assert process.stdin is not None
        process.stdin.write(lines(*({"text": f"{name} {number}"} for number in range(600))))
        started.append(process)
    assert [(each.communicate(timeout=60)[1], each.returncode) for each in started] == [(b"", 0), (b"", 0)]
    counted = {each["name"]: each["episode_count"] for each in terminal.json("sessions")["sessions"]}
    assert counted == {"left": 600, "right": 600}


@pytest.fixture
def halfway(terminal: Terminal) -> Iterator[subprocess.Popen[bytes]]:
    """An import that has stored its first batch and waits for more."""
    terminal.run("observe", "the first word")
    process = terminal.start("observe", "--jsonl", "-")
    assert process.stdin is not None
    process.stdin.write(lines(*({"text": f"turn {number}"} for number in range(500))))
    process.stdin.flush()
    while process.poll() is None and terminal.json("stats")["nodes"] <= 500:
        pass
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_ends_with_130_and_no_traceback(halfway: subprocess.Popen[bytes]) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        pytest.skip("whoever started us in the background has Ctrl-C ignored, and our children inherit it")
    halfway.send_signal(signal.SIGINT)
    assert halfway.stderr is not None
    assert halfway.wait(60) == 130
    assert halfway.stderr.read() == b""


@pytest.mark.parametrize("words", [["--help"], ["observe", "hello"]], ids=["help", "observe"])
def test_startup_loads_neither_numpy_nor_a_model(terminal: Terminal, words: list[str]) -> None:
    ran = terminal.spawn(*words, PYTHONPROFILEIMPORTTIME="1")
    loaded = {line.rpartition("|")[2].strip() for line in ran.err.splitlines()}
    assert "typer" in loaded
    assert not loaded & {"numpy", "onnxruntime", "tokenizers"}


# ── the page about it ─────────────────────────────────────────────────────────────────────────────────────────────

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "command-line.md"


def test_the_examples_of_the_documentation_print_what_it_says(terminal: Terminal) -> None:
    page = PAGE.read_text("utf-8")
    (terminal.folder / "chat.jsonl").write_text(*re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL):
        for command, said in re.findall(r"^\$ omoide (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            ran = terminal.run(*shlex.split(command))
            assert _reads(said, ran.out + ran.err), f"{command}\n{ran.out}{ran.err}"


def _reads(said: str, printed: str) -> bool:
    """A `…` stands for anything, and how wide a column is depends on what stands in it. Linear, also when it fails."""
    wanted, got = (
        "\n".join(" ".join(line.split()) for line in text.splitlines()) for text in map(without_mark, (said, printed))
    )
    first, *others = wanted.split("…")
    if not others:
        return got == first
    place = len(first) if got.startswith(first) else -1
    for part in others:
        if place < 0:
            return False
        found = got.find(part, place)
        place = found + len(part) if found >= 0 else -1
    return place >= 0 and got.endswith(others[-1])
