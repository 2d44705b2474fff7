"""A memory with a marker in every place that can hold text, and a search for it in all its bytes."""

from __future__ import annotations

import json
from pathlib import Path

import apsw

from omoide import Memory
from tests.conftest import run
from tests.open_file import open_file

MARK = "qzvorm"  # ends every planted word: an index keeps only how a word differs from the one before it
THEN = "2026-04-01T09:{:02}:00+00:00"
LATER = "2026-04-20T09:{:02}:00+00:00"


def word(place: str) -> str:
    return f"{place}{MARK}"


OTTO, ANNA, BERLIN = (word(name).title() for name in ("Otto", "Anna", "Berl"))
TURNS = (
    f"My name is {OTTO}. I live in {BERLIN}. I have a wombat.",
    f"My sister {ANNA} is a nurse. {OTTO} told it to the wombat.",
    f"I think {word('Kotl')} is overrated. The wombat agrees with {OTTO}.",
    f"Always use {word('pnpm')}, not {word('npm')}. So the wombat told {OTTO}.",
    f"To deploy: 1. run the {word('tests')} 2. feed the wombat 3. call {OTTO}",
    f"The wombat in Japan: 東京の思い出と{word('tokyo')}, {OTTO}; {word('FLÜSSE')}.",
)


def plant(memory: Memory) -> None:
    """Everything that is marked was said by the user in one session in early April; the rest later, by the agent."""
    ids = [
        memory.observe(
            text,
            session=word("session"),
            channel=word("channel"),
            speaker=word("speaker"),
            tags=[word("tag"), "animals"],
            task=word("task"),
            details={"note": word("details"), word("field"): [word("deep")]},
            at=THEN.format(number),
            key=f"{word('key')} {number}",
        ).id
        for number, text in enumerate(TURNS)
    ]
    first = ids[0]
    memory.end(word("session"), summary=f"About the {word('summary')} wombat")
    memory.learn()
    fact = memory.remember(
        f"The wombat of {OTTO} is {word('old')}", sources=[first], at=THEN.format(10), tags=[word("stated")]
    )
    memory.review.update(fact.id, f"The wombat of {OTTO} is {word('new')}", importance=7)
    memory.remember(f"The wombat story of {OTTO}", kind="narrative", sources=ids, at=THEN.format(11))
    memory.graph.entity(
        OTTO,
        type="person",
        aliases=[word("alias")],
        description=f"A {word('describer')} of a wombat",
        summary=f"Known for {word('told')}",
        quirk=word("quirk"),
    )
    memory.graph.entity(word("Otti").title(), type="person")
    memory.graph.merge(word("Otti").title(), into=OTTO)
    memory.graph.relate(OTTO, word("relates"), word("Blue").title(), source_node=first, since=word("since"))
    keep(memory, first)
    _behind_the_doors(memory.path)


def keep(memory: Memory, marked: int) -> None:
    """What must survive, though it is linked to what goes."""
    for number, text in enumerate(("The kangaroo sleeps.", "A kangaroo hops.", "Many a kangaroo eats grass.")):
        node = memory.observe(text, role="agent", session="zoo", at=LATER.format(number))
        memory.graph.link(node.id, marked, "related_to", predicate=word("predicate"), evidence=[word("evidence")])
    kept = memory.observe("The zoo is closed.", role="agent", session="zoo", at=LATER.format(5))
    memory.graph.link(kept.id, kept.id - 1, "causal", evidence=[f"since {word('Berl')} closed it"])
    memory.end("zoo", summary=f"The zoo, and {word('Berl')}")


def _behind_the_doors(path: str) -> None:
    """Places that nothing writes to yet, or that only a crash leaves filled."""
    db = open_file(path)
    db.execute(
        "INSERT INTO ledger (agent_id, last_checkpoint, current_task, state, context) VALUES ('a', 0, ?, ?, ?)",
        (f"move to {word('Berl')}", json.dumps({"in": word("Berl")}), json.dumps([{"x": word("Berl")}, "kept"])),
    )
    for name, after in ((word("session"), 0), ("zoo", 0)):
        db.execute(
            """
            INSERT INTO journal (session_id, after_id, upto_id, extractor, proposal, created_at)
            SELECT id, ?, 99, 'rules', ?, 0 FROM session WHERE name = ?
            """,
            (after, json.dumps({"claims": [word("Berl")]}), name),
        )
    db.execute("UPDATE embedding_queue SET error = ?", (f"cannot embed {word('Berl')}",))
    db.execute("UPDATE session SET learn_error = ?", (f"cannot learn {word('Berl')}",))
    db.close()


# In a process of its own: whoever opens and closes a file takes away the locks that SQLite has on it.
SEEN = """
import os, pathlib, sys

def readable(file):
    if "OMOIDE_KEY_FROM" not in os.environ or file.name.endswith("-gate"):
        return file.read_bytes()
    from tests.open_file import readable_bytes
    return readable_bytes(file)

for each in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    if each.is_file() and sys.argv[2].encode() in readable(each).lower():
        print(each.name)
"""


def marker_locations(path: str, mark: str = MARK) -> list[str]:
    """Every file of a folder, and every row of the file, in which the marker can be seen; in any case."""
    found = run(SEEN, Path(path).parent, mark).split()
    db = open_file(path, apsw.SQLITE_OPEN_READONLY)
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL")]
    for table in tables:
        if db.execute("SELECT sql LIKE 'CREATE VIRTUAL%' FROM sqlite_schema WHERE name = ?", (table,)).get:
            continue
        columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]
        for row in db.execute(f'SELECT * FROM "{table}"'):
            for column, value in zip(columns, row, strict=True):
                data = value.encode() if isinstance(value, str) else value
                if isinstance(data, bytes) and mark.encode() in data.lower():
                    found.append(f"{table}.{column}: {value!r:.80}")
    db.close()
    return found
