"""An agent loop with a memory: two sessions, the pack before each reply, and "where was I?" when the agent comes back.

    python examples/agent.py                     # scripted and offline, the same every time
    OMOIDE_LLM_PROVIDER=ollama OMOIDE_LLM_MODEL=qwen3:4b python examples/agent.py   # a model answers

Any server that speaks OpenAI's protocol will do (`pip install ".[openai]"`, docs/how-to/language-models.md).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import indent
from typing import Any

from omoide import Memory
from omoide.clock import to_micros
from omoide.errors import InvalidInput
from omoide.providers.selection import ENDPOINTS
from omoide.settings import Settings, language_model_key, load_settings
from omoide.working.live_session import LiveSession
from omoide.working.prompt import Prompt

Message = dict[str, str]
Reply = Callable[[list[Message]], str]

SYSTEM = "You are Kira, Otto's assistant. Answer in one or two sentences."
MONDAY = datetime(2026, 2, 9, 9, 30, tzinfo=UTC)
SESSIONS = {
    "monday": (
        ("We decided to move the billing database to Postgres.", "Good. I will prepare the billing migration."),
        ("Never deploy the billing database on a Friday, please.", "Understood: no deploy on a Friday."),
        ("By the way, which tomato plants want little sun?", "Cherry tomatoes do with five hours of sun."),
    ),
    "tuesday": (
        ("Good morning! What were we doing with the billing database?", "We are moving it to Postgres."),
        ("Can you deploy it on Friday?", "You told me never to deploy it on a Friday. Is Thursday fine?"),
    ),
}


class Clock:
    """Stands still until it is told how much time has passed, so that every run prints the same."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def __call__(self) -> int:
        return to_micros(self._now)

    def passes(self, **time: float) -> None:
        self._now += timedelta(**time)


def main(path: str) -> None:
    settings, clock = load_settings(), Clock(MONDAY)
    with Memory(path, embedder=None, settings=settings, clock=clock) as memory:
        for name, said in SESSIONS.items():
            reply = asked(settings) if settings.llm_provider else scripted([words for _, words in said])
            converse(memory, clock, name, [words for words, _ in said], reply)
            report = memory.learn()  # what it was about is known from now on, not only what was said
            print(
                f"\nlearned: {', '.join(each.text for each in report.entries if each.verb == 'learned') or 'nothing'}"
            )
            clock.passes(days=1)
        print("\n== what is left of it ==")
        for told in reversed(memory.narrative.list()):
            print(f"{told.session}: {told.text}")


def converse(memory: Memory, clock: Clock, session: str, messages: Sequence[str], reply: Reply) -> None:
    """The whole loop: where was I, then before and after each reply, and the end of the block ends the session."""
    print(f"\n== {session} ==")
    where = memory.narrative.recap(session=session)
    if where:
        print(f"where was I?\n{indent(where.text, '  | ')}")
    with memory.live(session, window=16_000, system=SYSTEM) as live:
        for number, message in enumerate(messages):
            first = where.markdown if number == 0 else ""
            exchange(live, message, first, reply)
            clock.passes(minutes=5)


def exchange(live: LiveSession, message: str, first: str, reply: Reply) -> None:
    print(f"\nuser: {message}")
    prompt = live.before(message)
    print(f"  [{', '.join(prompt.triggers)} · {prompt.tokens} of {prompt.budget:,} tokens]")
    if prompt.markdown:
        print(indent(prompt.markdown, "  | "))
    answer = reply(sent(prompt, first))
    live.after(answer)
    print(f"agent: {answer}")


def sent(prompt: Prompt, first: str) -> list[Message]:
    """What the model gets. What was remembered goes behind the system prompt here and is not stored with it."""
    system, *rest = [dict(each) for each in prompt.messages]
    return [{**system, "content": f"{system['content']}\n\n{first}"} if first else system, *rest]


def scripted(replies: Sequence[str]) -> Reply:
    """Says what it was given to say, whatever it is asked."""
    waiting = iter(replies)
    return lambda messages: next(waiting)


def asked(settings: Settings) -> Reply:
    """A model behind OpenAI's protocol, at the place that the settings name."""
    from openai import OpenAI

    place = ENDPOINTS.get(settings.llm_provider)
    if place is None or place.protocol != "openai" or not settings.llm_model:
        raise InvalidInput("the example needs llm_provider and llm_model of a server that speaks OpenAI's protocol")
    own = [place.key] if place.key and not settings.llm_base_url else []
    client = OpenAI(
        base_url=settings.llm_base_url or place.address,
        api_key=language_model_key(*own) or "none",
        timeout=settings.llm_timeout,
        max_retries=settings.llm_retries,
    )

    def reply(messages: list[Message]) -> str:
        typed: Any = messages
        done = client.chat.completions.create(model=settings.llm_model, messages=typed)
        return (done.choices[0].message.content or "").strip() or "…"

    return reply


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(str(Path(folder) / "agent.db"))
