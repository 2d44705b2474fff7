"""`omoide demo`: three days with an assistant that remembers. The file stays for the reader to query."""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.errors import InvalidInput
from omoide.interfaces.cli import output
from omoide.interfaces.cli.command import Call
from omoide.interfaces.cli.output import Answer

if TYPE_CHECKING:
    from rich.console import Console

    from omoide.memory import Memory

_FIRST_TURN = "Hi, I'm Otto. I live in São Paulo and I work at Acme."  # by which a file of the demo is recognised
MONDAY = datetime(2026, 2, 9, 9, 30, tzinfo=UTC)
THURSDAY = MONDAY + timedelta(days=3)
QUESTION = "Can you release the Kira app like we did last time?"

DAYS = {
    "monday": [
        ("user", _FIRST_TURN),
        ("agent", "Nice to meet you, Otto. What are we building?"),
        ("user", "Please deploy the Kira app to Vercel. And never suggest Docker, I hate it."),
        ("tool:shell", "npm test: 41 passed. vercel --prod: https://kira.vercel.app is live."),
        ("agent", "Kira is live on Vercel with edge functions. The tests ran first."),
    ],
    "tuesday": [
        ("user", "To release Kira: 1. run npm test 2. run npm run build 3. run vercel --prod"),
        ("agent", "Understood, three steps."),
        ("user", "Oh, and always use pnpm, not npm."),
        ("user", "If I lived in Lisbon I would surf every morning."),
    ],
    "wednesday": [
        ("user", "Big news: I moved to Berlin yesterday!"),
        ("agent", "Congratulations! Did somebody help you?"),
        ("user", "My sister Ana carried all the boxes."),
        ("user", "What should I cook tonight? I have lentils and a lot of carrots."),
        ("agent", "A lentil soup with roasted carrots takes forty minutes."),
    ],
}


def demo(
    call: Call,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The file that the demo writes.")] = Path("demo.db"),
) -> Answer:
    """Show observing, learning, recalling and forgetting with a file of its own.

    \b
    Examples:
      omoide demo
    """
    from omoide.memory import Memory

    _clear(path)
    with Memory(path, embedder=None if call.no_embedder else "default") as memory:
        if call.json:
            observe(memory)
            memory.learn()
            found = memory.recall(QUESTION, at=THURSDAY, limit=5)
            return Answer({"path": memory.path, "question": QUESTION, "answers": found.texts}, str)
        show(memory)
    return Answer(None, lambda _: "", silent=True)


def _clear(path: Path) -> None:
    """Deletes the file of an earlier demo; any other file is somebody's memory and an error."""
    from omoide.errors import OmoideError
    from omoide.memory import Memory

    if not path.exists():
        return
    try:
        with Memory(path, embedder=None) as memory:
            ours = memory.get(1).text == _FIRST_TURN
    except OmoideError:
        ours = False
    if not ours:
        raise InvalidInput(f"{path} is not a file of the demo; name another file")
    for ending in ("", "-wal", "-shm", "-gate"):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def observe(memory: Memory) -> tuple[int, float]:
    """Observes every turn by itself, as an agent would; returns the number of turns and the milliseconds."""
    count = 0
    start = time.perf_counter()
    for number, (day, turns) in enumerate(DAYS.items()):
        for minute, (role, text) in enumerate(turns):
            memory.observe(text, role=role, session=day, at=MONDAY + timedelta(days=number, minutes=minute))
            count += 1
    took = 1000 * (time.perf_counter() - start)
    memory.end("wednesday")
    return count, took


def show(memory: Memory) -> None:
    console = output.console(sys.stdout, markup=True)
    console.width = min(110, console.width)
    for part in (
        _show_observing,
        _show_learning,
        _show_recall,
        _show_context,
        _show_time,
        _show_forgetting,
        _show_file,
    ):
        part(console, memory)


def _show_observing(console: Console, memory: Memory) -> None:
    console.print("\n[bold]1 · Three days of conversation are observed.[/] Every word is stored, without a model.\n")
    written, took = observe(memory)
    for day, turns in DAYS.items():
        console.print(f"  [cyan]{day:10}[/] {turns[0][1]} [dim]… {len(turns)} turns[/]")
    console.print(f"\n  [dim]{written} turns, durable on disk, {took / written:.1f} ms each.[/]")


def _show_learning(console: Console, memory: Memory) -> None:
    from rich.markup import escape

    console.print("\n[bold]2 · It learns from them,[/] by rules, offline. Every fact quotes its evidence.\n")
    for entry in memory.learn().entries:
        if entry.kind in ("fact", "preference", "procedure"):
            console.print(f"  [green]{entry.verb:10}[/] {escape(entry.text)}")
            console.print(f"             [dim]“{escape(entry.why)}”[/]")
    if not any("Lisbon" in text for text in memory.recall("Lisbon", kinds=["fact"]).texts):
        console.print("\n  [dim]Nothing was learned from “If I lived in Lisbon …”: it is hypothetical.[/]")
    memory.flush()


def _show_recall(console: Console, memory: Memory) -> None:
    from rich.markup import escape

    console.print(f"\n[bold]3 · On Thursday Otto asks:[/] “{QUESTION}”\n")
    memory.recall(QUESTION, at=THURSDAY)  # the first question loads the embedder; the second shows the usual time
    recall = memory.recall(QUESTION, at=THURSDAY, limit=4)
    for rank, hit in enumerate(recall, start=1):
        console.print(f"  {rank}. {escape(hit.text)} [dim]({hit.kind}, id:{hit.id})[/]")
        console.print(f"     [green]{escape(hit.why)}[/]")
    took = sum(step.milliseconds for step in recall.trace.steps)
    console.print(f"\n  [dim]{took:.0f} ms. `recall --explain` shows every stage, what was dropped, and why.[/]")


def _show_context(console: Console, memory: Memory) -> None:
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.text import Text

    pack = memory.context(QUESTION, at=THURSDAY, budget=300)
    console.print(f"\n[bold]4 · What goes into the prompt:[/] {pack.tokens} tokens of {pack.budget} allowed.\n")
    console.print(Padding(Panel(Text(pack.markdown), border_style="dim"), (0, 2)))


def _show_time(console: Console, memory: Memory) -> None:
    console.print("[bold]5 · It knows what is true now, what was true then, and what was said when.[/]\n")
    question = "Where does Otto live?"
    now = memory.recall(question, at=THURSDAY, kinds=["fact"], limit=1).texts
    then = memory.recall(question, as_of=MONDAY + timedelta(hours=12), kinds=["fact"], limit=9).texts
    console.print(f"  {question}  → {now[0]}")
    console.print(f"  … and on Monday?       → {next(text for text in then if 'lives' in text)}")
    console.print("  What did we talk about on Tuesday?")
    said = memory.recall("What did we talk about on Tuesday?", at=THURSDAY, kinds=["episode"])
    for hit in sorted(said, key=lambda hit: hit.node.event_at):
        console.print(f"    [dim]{hit.node.event_at:%a %H:%M}[/]  {hit.text}", highlight=False)


def _show_forgetting(console: Console, memory: Memory) -> None:
    from rich.markup import escape

    console.print("\n[bold]6 · “Please forget my sister.”[/] First a preview, then the bytes are erased.\n")
    for node in memory.forget(entity="Ana", preview=True).nodes:
        console.print(f"  [red]-[/] {escape(node.text)} [dim]({node.kind}, id:{node.id})[/]")
    receipt = memory.forget(entity="Ana")
    seen = "no byte of it is left in the file" if receipt.clean else "; ".join(receipt.pending) or "not clean yet"
    console.print(
        f"\n  [dim]{len(receipt.ids)} memories erased, {receipt.scan.searched} words searched for: {seen}.[/]"
    )


def _show_file(console: Console, memory: Memory) -> None:
    stats = memory.stats()
    console.print(
        f"\n[bold]All of it is one file:[/] {memory.path} "
        f"[dim]({stats.nodes} memories, {stats.edges} links, {stats.bytes // 1024} KB)[/]. Try:\n"
    )
    work = memory.recall("Where does Otto work?", at=THURSDAY, kinds=["fact"], limit=1).hits[0].id
    program = _program()
    for command in (
        'recall "what do I dislike?"',
        'recall "what did we talk about on Monday?" --at 2026-02-12T09:30:00+00:00 --explain',
        'context "release the app" --budget 300',
        f"explain {work}",
        "graph entity Otto",
        "stats",
    ):
        console.print(f"  {program} --db {memory.path} {command}", markup=False, soft_wrap=True)
    console.print()


def _program() -> str:
    """How `omoide` is called here: by its name, by its path in the virtual environment, or as a module."""
    if shutil.which("omoide"):
        return "omoide"
    beside = Path(sys.executable).with_name("omoide")
    if not beside.exists():
        return f"{shlex.quote(sys.executable)} -m omoide"
    return shlex.quote(str(beside.relative_to(Path.cwd()) if beside.is_relative_to(Path.cwd()) else beside))
