"""The reference memory server of npm and our tool set `reference`: the same calls, the same answers."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from omoide import Memory
from tests.clients.programs import BIN

SERVER = BIN / "mcp-server-memory"
CALLS = int(os.environ.get("REFERENCE_CALLS", "1000"))
pytestmark = [pytest.mark.clients, pytest.mark.skipif(not SERVER.exists(), reason="`make test-clients` installs it")]

NAMES = "Otto Ada Grace_Hopper Acme Berlin Köln 東京 C C++ Node.js project-x Nobody".split()
TYPES = "person company city Project tool Mensch".split()
TIES = ["works_at", "lives in", "knows", "USES", "maintains"]
THINGS = ["old clocks", "black tea", "SQLite", "the sea", "Grüße", "a “quoted” word", "C:\\temp", "mañana"]
SAID = [f"{verb} {thing}" for verb in ("Likes", "Has seen", "Wrote about", "Repairs") for thing in THINGS]
ASKED = [
    *NAMES,
    *TYPES,
    *THINGS,
    "likes",
    "Repairs",
    "OLD CLOCKS",
    "ea",
    "xylophone",
    "ü",
]  # what no text has, recall may find


class Server:
    """A server over stdio: a call at a time."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._count = 0

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._count += 1
        self._send({"id": self._count, "method": method, "params": params})
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._count:
                return dict(answer["result"])
        raise AssertionError(f"{self._process.args!r} ended")

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """What a client sees; `isError` may be left out where it is false."""
        return {"isError": False, **self.ask("tools/call", name=name, arguments=arguments)}

    def greet(self) -> Server:
        about = {"name": "replay", "version": "1"}
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=about)
        self._send({"method": "notifications/initialized"})
        return self

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()


@contextmanager
def started(*words: str, **settings: str) -> Iterator[Server]:
    environment = {"PATH": os.environ["PATH"], **settings}
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=environment) as it:
        yield Server(it).greet()
        it.stdin.close() if it.stdin else None


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    ours = (sys.executable, "-m", "omoide", "mcp", "--db", str(tmp_path / "ours.db"), "--tools", "reference")
    with ExitStack() as stack:
        yield (
            stack.enter_context(started(str(SERVER), MEMORY_FILE_PATH=str(tmp_path / "theirs.jsonl"))),
            stack.enter_context(started(*ours, "--no-embedder", HOME=str(tmp_path))),
        )


def calls(seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Random calls; now and then about what does not exist. Within one call nothing is said twice."""
    rng = random.Random(seed)

    def some(of: list[str], most: int) -> list[str]:
        return rng.sample(of, rng.randint(0, most))

    def ties(most: int) -> list[dict[str, str]]:
        found = {(rng.choice(NAMES), rng.choice(NAMES), rng.choice(TIES)) for _ in range(rng.randint(0, most))}
        return [{"from": source, "to": target, "relationType": type} for source, target, type in sorted(found)]

    for _ in range(CALLS):
        match rng.choice("create create tie tie add add add lose untie unsay read search search open".split()):
            case "create":
                new = [{"name": each, "entityType": rng.choice(TYPES)} for each in some(NAMES, 3)]
                yield "create_entities", {"entities": [{**each, "observations": some(SAID, 3)} for each in new]}
            case "tie":
                yield "create_relations", {"relations": ties(3)}
            case "add":
                told = [{"entityName": each, "contents": some(SAID, 3)} for each in some(NAMES, 2)]
                yield "add_observations", {"observations": told}
            case "lose":
                yield "delete_entities", {"entityNames": some(NAMES, 1)}
            case "untie":
                yield "delete_relations", {"relations": ties(4)}
            case "unsay":
                gone = [{"entityName": each, "observations": some(SAID, 12)} for each in some(NAMES, 3)]
                yield "delete_observations", {"deletions": gone}
            case "read":
                yield "read_graph", {}
            case "search":
                yield "search_nodes", {"query": rng.choice(ASKED)}
            case "open":
                yield "open_nodes", {"names": some(NAMES, 4)}


@pytest.mark.parametrize("seed", [1, 2])
def test_random_calls_are_answered_alike(both: tuple[Server, Server], seed: int) -> None:
    theirs, ours = both
    for number, (name, arguments) in enumerate(calls(seed)):
        expected = theirs.call(name, **arguments)
        assert ours.call(name, **arguments) == expected, f"call {number}: {name} {arguments}"
    assert ours.call("read_graph") == theirs.call("read_graph")


def test_the_file_that_the_server_wrote_is_imported_whole(both: tuple[Server, Server], tmp_path: Path) -> None:
    theirs, _ = both
    for name, arguments in itertools.islice(calls(3), 200):
        theirs.call(name, **arguments)
    graph = json.loads(theirs.call("read_graph")["content"][0]["text"])
    with Memory(tmp_path / "imported.db", embedder=None) as memory:
        taken = memory.admin.import_from(tmp_path / "theirs.jsonl")
        found = memory.graph.read()
    assert (taken.format, taken.unplaced) == ("mcp", {})
    assert {each.name for each in found.entities} >= {each["name"] for each in graph["entities"]}
    assert len(found.relations) == len(
        {(each["from"], each["relationType"], each["to"]) for each in graph["relations"]}
    )


def test_the_tools_are_described_alike(both: tuple[Server, Server]) -> None:
    fields = ("name", "title", "description", "annotations")
    theirs, ours = ([[each[it] for it in fields] for each in server.ask("tools/list")["tools"]] for server in both)
    assert sorted(ours) == sorted(theirs)
