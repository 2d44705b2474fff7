"""recall and context: asking the memory, for people and for prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.errors import Busy, CannotWrite, EmbedderFailed
from omoide.interfaces.cli import options, view
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

if TYPE_CHECKING:
    from omoide.memory import Memory

FEW = 256  # texts: about a second of embedding, which an answer by meaning is worth
SHOWN = 20  # candidates told of in words: what a screen holds
PATIENCE = 10.0  # seconds: a batch may be in the hands of a process that died, and an answer by words is not none

Question = Annotated[
    str, typer.Argument(metavar="QUESTION", help="In your own words; - reads standard input.", show_default=False)
]
Limit = Annotated[
    int | None, typer.Option("--limit", "-n", metavar="N", help="How many at most; else as the recipe has it.")
]
Kinds = Annotated[list[str] | None, typer.Option("--kind", help="Only this kind; may be given several times.")]
After = Annotated[str | None, typer.Option("--after", metavar="TIME", help="Only what happened from then on.")]
Before = Annotated[str | None, typer.Option("--before", metavar="TIME", help="Only what happened before then.")]
Entity = Annotated[str | None, typer.Option("--entity", metavar="NAME", help="Only what speaks of it.")]
AsOf = Annotated[str | None, typer.Option("--as-of", metavar="TIME", help="From what was believed then.")]
OneSession = Annotated[str | None, typer.Option("--session", metavar="NAME", help="Only this conversation.")]
Archive = Annotated[bool, typer.Option("--archive", help="Also what was taken out of use.")]
Explain = Annotated[
    bool, typer.Option("--explain", help="Show each stage, what it handed on, and what was dropped and why.")
]
WhyNot = Annotated[
    list[int] | None,
    typer.Option("--why-not", metavar="ID", help="What became of this memory; may be given several times."),
]
Budget = Annotated[int | None, typer.Option("--budget", metavar="TOKENS", help="Default: context_token_budget.")]
Consent = Annotated[bool, typer.Option("--consent", help="Sensitive memories may be included.")]


@verb
def recall(
    call: Call,
    question: Question,
    limit: Limit = None,
    kind: Kinds = None,
    after: After = None,
    before: Before = None,
    entity: Entity = None,
    session: OneSession = None,
    tag: options.Tags = None,
    as_of: AsOf = None,
    at: options.AskedAt = None,
    audience: options.Audience = "private",
    recipe: options.Recipe = "everyday",
    archive: Archive = False,
    explain: Explain = False,
    why_not: WhyNot = None,
) -> Answer:
    """What matters here, best first, each with its reason.

    Example: omoide recall "how do we deploy?" --limit 5

    Example: omoide recall "what did we decide last week?" --kind episode --explain

    Example: omoide recall "how do we deploy?" --why-not 17
    """
    with call.open(embedder=True) as memory:
        waiting = catch_up(call, memory)
        found = memory.recall(
            options.words(question),
            at=options.asked(at),
            limit=limit,
            kinds=kind or (),
            since=options.when(after),
            until=options.when(before),
            subject=entity,
            session=session,
            tags=tag or (),
            as_of=options.when(as_of),
            audience=audience,
            recipe=recipe,
            archive=archive,
        )
        trace = _trace(found.trace, memory) if explain else None
        fates = [{"id": id, "text": memory.get(id).text, "fate": found.trace.explain_node(id)} for id in why_not or ()]
    answer = {
        "question": found.question,
        "hits": [told_hit(hit) for hit in found.hits],
        "waiting_for_vectors": waiting,
    }
    if trace:
        answer["trace"] = trace
    if fates:
        answer["why_not"] = fates
    if not found.hits:
        call.note("nothing found")
    return Answer(answer, view.recalled)


@verb
def context(
    call: Call,
    question: Question,
    budget: Budget = None,
    at: options.AskedAt = None,
    session: OneSession = None,
    as_of: AsOf = None,
    audience: options.Audience = "private",
    consent: Consent = False,
    recipe: options.Recipe = "everyday",
    task: options.ForTask = None,
) -> Answer:
    """The same as Markdown for a prompt, cut to a token budget.

    Example: omoide context "deploy the app like last time" --budget 500 >> prompt.md
    """
    with call.open(embedder=True) as memory:
        waiting = catch_up(call, memory)
        words, asked = options.words(question), options.asked(at)
        pack = memory.context(
            words,
            budget=budget,
            at=asked,
            session=session,
            as_of=options.when(as_of),
            audience=audience,
            consent=consent,
            recipe=recipe,
            task=task,
        )
    call.note(f"{pack.tokens} of {pack.budget} tokens")
    return Answer(
        {
            "question": words,
            "markdown": pack.markdown,
            "tokens": pack.tokens,
            "budget": pack.budget,
            "sections": [
                {"title": part.title, "lines": [{"id": line.id, "text": line.text} for line in part.lines]}
                for part in pack.sections
            ],
            "waiting_for_vectors": waiting,
        },
        view.markdown,
    )


def catch_up(call: Call, memory: Memory) -> int:
    """Embeds what waits, if it is little; how many wait after that. Recall goes on without vectors if need be."""
    waiting = memory.admin.pending_embeddings()
    if 0 < waiting <= FEW:
        try:
            memory.flush(timeout=PATIENCE)
        except (Busy, CannotWrite, EmbedderFailed) as error:
            call.note(f"without new vectors: {error}")
        return memory.admin.pending_embeddings()
    if waiting:
        call.note(f"{waiting:,} texts wait for a vector and are found by their words alone; `omoide flush` makes them")
    return waiting


def told_hit(hit: Any) -> dict[str, Any]:
    said = {"id": hit.id, "kind": hit.kind, "text": hit.text, "score": hit.score, "why": hit.why, "arms": hit.arms}
    return {**said, "confidence": hit.confidence, "archived": hit.archived, "node": document(hit.node)}


def _trace(trace: Any, memory: Memory) -> dict[str, Any]:
    """Every stage with what it handed on; the best of the candidates in their own words, since ids tell little."""
    return {
        "milliseconds": trace.milliseconds,
        "steps": [
            {
                "stage": step.stage,
                "milliseconds": step.milliseconds,
                "note": step.note,
                "candidates": [{"id": id, "score": score} for id, score in step.candidates],
            }
            for step in trace.steps
        ],
        "considered": [{"id": id, "text": memory.get(id).text} for id in trace.considered[:SHOWN]],
        "dropped": [{"id": id, "reason": reason} for id, reason in trace.dropped.items()],
    }
