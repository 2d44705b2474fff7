"""demo: three days with an assistant that remembers; the file stays to be looked into."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.errors import InvalidInput
from omoide.interfaces.cli import output
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb

if TYPE_CHECKING:
    from omoide.memory import Memory

_MARK = "Can you deploy the Kira app to Vercel? And please never suggest Docker, I hate it."  # of a file of ours
MONDAY = datetime(2026, 2, 9, 9, 30, tzinfo=UTC)
QUESTION = "Can you deploy the Kira app like we did last time?"

DAYS = {
    "monday": [
        ("user", _MARK),
        ("agent", "Understood, no Docker. Vercel offers serverless or edge functions."),
        ("user", "Edge functions. I'm on the hobby plan, so keep it cheap."),
        ("tool:shell", "npm test: 41 passed. vercel --prod: https://kira.vercel.app is live."),
        ("agent", "Kira is live on Vercel with edge functions. The tests ran first."),
    ],
    "tuesday": [
        ("user", "I'm moving to Berlin next month, can you find me a moving checklist?"),
        ("agent", "Here is one: register the new address, transfer the internet contract, pack the books first."),
        ("user", "Great. My sister Ana will help me with the boxes."),
    ],
    "wednesday": [
        ("user", "What should I cook tonight? I have lentils and a lot of carrots."),
        ("agent", "A lentil soup with roasted carrots takes forty minutes."),
    ],
}


@verb
def demo(
    call: Call,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Where the story is written.")] = Path("demo.db"),
) -> Answer:
    """A short story in a file of its own: three days are observed, a question is asked, and you see why.

    Example: omoide demo
    """
    from omoide.memory import Memory

    _clear(path)
    with Memory(path, embedder=None if call.no_embedder else "default") as memory:
        if call.json:
            observe(memory)
            found = memory.recall(QUESTION, at=MONDAY + timedelta(days=3), limit=5)
            return Answer({"path": memory.path, "question": QUESTION, "answers": found.texts}, str)
        tell(memory)
    return Answer(None, lambda _: "", silent=True)


def _clear(path: Path) -> None:
    """Of the last demo alone: a file that tells something else is somebody's memory."""
    from omoide.errors import OmoideError
    from omoide.memory import Memory

    if not path.exists():
        return
    try:
        with Memory(path, embedder=None) as memory:
            ours = memory.show(1).text == _MARK
    except OmoideError:
        ours = False
    if not ours:
        raise InvalidInput(f"{path} holds something else than a demo; name another file")
    for ending in ("", "-wal", "-shm", "-gate"):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def tell(memory: Memory) -> None:
    from rich.markup import escape
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.text import Text

    console = output.console(sys.stdout, markup=True)
    console.width = min(110, console.width)
    console.print("\n[bold]1 · Three days of conversation are observed.[/] Every word is kept, no model is asked.\n")
    written, took = observe(memory)
    for day, turns in DAYS.items():
        console.print(f"  [cyan]{day:10}[/] {turns[0][1]} [dim]… {len(turns)} turns[/]")
    console.print(f"\n  [dim]{written} turns, durable on disk, {took / written:.1f} ms each.[/]")

    console.print("\n[bold]2 · The agent notes what it learned.[/] A correction replaces; nothing is lost.\n")
    home = memory.remember("Otto lives in São Paulo", subject="Otto", predicate="located_in", object="São Paulo")
    memory.remember("Otto dislikes Docker", confidence=0.95, subject="Otto", predicate="dislikes", object="Docker")
    memory.remember(
        "Deploy to Vercel: check vercel.json → npm test → vercel --prod → open the URL",
        kind="procedure",
        name="Deploy to Vercel",
        confidence=0.8,
    )
    memory.remember(
        "Answers are short, without code comments",
        kind="preference",
        category="communication",
        name="verbosity",
        strength=0.9,
    )
    memory.correct(home.id, "Otto lives in Berlin", subject="Otto", predicate="located_in", object="Berlin")
    memory.flush()
    thursday = MONDAY + timedelta(days=3)
    console.print(f"  Where does Otto live?  → {memory.recall('Where does Otto live?', limit=1).texts[0]}")
    (old, new) = memory.history(home.id)
    console.print(f"  [dim]before: {old.node.text} ({old.node.state}), now: {new.node.text} ({new.node.state})[/]")

    console.print(f"\n[bold]3 · On Thursday Otto asks:[/] “{QUESTION}”\n")
    memory.recall(QUESTION, at=thursday)  # the first question loads the embedder; the second shows the usual pace
    recall = memory.recall(QUESTION, at=thursday, limit=5)
    for rank, hit in enumerate(recall, start=1):
        console.print(f"  {rank}. {escape(hit.text)} [dim]({hit.kind}, id:{hit.id})[/]")
        console.print(f"     [green]{escape(hit.why)}[/]")
    console.print("\n  [dim]Where the time went:[/]")
    for step in recall.trace.steps:
        console.print(f"  [dim]{step.stage:12}{step.milliseconds:6.2f} ms  {escape(step.note)}[/]")

    pack = memory.context(QUESTION, at=thursday, budget=400)
    console.print(f"\n[bold]4 · What goes into the prompt:[/] {pack.tokens} tokens of {pack.budget} allowed.\n")
    console.print(Padding(Panel(Text(pack.markdown), border_style="dim"), (0, 2)))

    found = memory.recall("What did we talk about on Tuesday?", at=thursday)
    console.print("[bold]5 · “What did we talk about on Tuesday?”[/] is answered by the calendar.\n")
    for hit in found:
        console.print(f"  {hit.node.event_at:%a %H:%M}  {hit.text}")

    stats = memory.stats()
    console.print(
        f"\n[bold]All of it is one file:[/] {memory.path} "
        f"[dim]({stats.nodes} memories, {stats.edges} links, {stats.bytes // 1024} KB)[/]. Look into it:\n"
    )
    for command in (
        'recall "what do I dislike?"',
        'recall "what did we talk about on Monday?" --at 2026-02-12T09:30:00+00:00 --explain',
        'context "deploy the app" --budget 300',
        f"show {home.id}",
        "stats",
        "doctor",
    ):
        console.print(f"  omoide --db {memory.path} {command}", markup=False, soft_wrap=True)
    console.print()


def observe(memory: Memory) -> tuple[int, float]:
    """Every turn by itself, as an agent would report it; returns how many and the milliseconds it took."""
    count = 0
    start = time.perf_counter()
    for number, (day, turns) in enumerate(DAYS.items()):
        for minute, (role, text) in enumerate(turns):
            at = MONDAY + timedelta(days=number, minutes=minute)
            memory.observe(text, role=role, speaker="Otto" if role == "user" else None, session=day, at=at)
            count += 1
    return count, 1000 * (time.perf_counter() - start)
