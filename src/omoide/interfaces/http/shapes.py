"""What requests hold: the verbs' own arguments, checked once more by Memory, which knows the rules."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

Id = Annotated[int, Field(ge=1, le=2**62)]
Time = Annotated[str | None, Field(description="An ISO time with its zone.")]


Limit = Annotated[int, Query(ge=1, le=1000)]


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Turn(Shape):
    """One turn, action, tool result or event."""

    text: str
    role: str = "user"
    speaker: str | None = None
    session: str | None = None
    channel: str | None = None
    at: Time = None
    type: str | None = None
    tags: list[str] = []
    outcome: str | None = None
    parent: Id | None = None
    details: Any = None
    task: str | None = None
    sensitive: bool = False
    audience: str = "private"
    key: str | None = None


class Turns(Shape):
    turns: Annotated[list[Turn], Field(max_length=10_000)]


class Statement(Shape):
    """One sentence to keep as knowledge."""

    text: str
    kind: str = "fact"
    tags: list[str] = []
    confidence: float = 1.0
    importance: int = 5
    at: Time = None
    valid_from: Time = None
    valid_until: Time = None
    sensitive: bool = False
    audience: str = "private"
    key: str | None = None
    attributes: dict[str, Any] = {}


class Question(Shape):
    text: str
    at: Time = None
    limit: Annotated[int | None, Field(ge=1, le=1000)] = None
    kinds: list[str] = []
    after: Time = None
    before: Time = None
    entity: str | None = None
    session: str | None = None
    tags: list[str] = []
    as_of: Time = None
    audience: str = "private"
    recipe: str = "everyday"


class Message(Shape):
    """What a pack is wanted for."""

    text: str
    budget: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    at: Time = None
    session: str | None = None
    as_of: Time = None
    audience: str = "private"
    consent: bool = False
    recipe: str = "everyday"


class Correction(Shape):
    text: str
    at: Time = None


class Lesson(Shape):
    session: str | None = None


class Forgetting(Shape):
    """Exactly one way of naming what goes. Nothing goes while `preview` is true."""

    id: Id | list[Id] | None = None
    session: str | None = None
    entity: str | None = None
    query: str | None = None
    origin: str | None = None
    before: Time = None
    sources: bool = False
    preview: bool = True


class Maintenance(Shape):
    jobs: Annotated[list[str] | None, Field(description="Some of the nightly jobs; without it, all.")] = None
    dry_run: bool = False


class Wording(Shape):
    """What changes; what is left out stays."""

    text: str | None = None
    tags: list[str] | None = None
    importance: int | None = None


class Outcome(Shape):
    outcome: Literal["success", "failure", "partial"]


class Link(Shape):
    source: Id
    target: Id
    type: str = "related_to"


class Profile(Shape):
    type: str | None = None
    aliases: list[str] = []
    description: str | None = None
    summary: str | None = None
    importance: int | None = None


class Merge(Shape):
    into: str


class Relation(Shape):
    source: str
    type: str
    target: str


class Ending(Shape):
    summary: str | None = None


class Goal(Shape):
    """A task that is about to begin."""

    goal: str
    action_type: str | None = None
    files: list[str] = []
    limit: Annotated[int, Field(ge=1, le=100)] = 5
    budget: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    audience: str = "private"
    consent: bool = False
    recipe: str = "before_task"


class Trace(Shape):
    """How a task went."""

    goal: str
    outcome: Literal["success", "failure", "partial"]
    agent: str | None = None
    phase: str | None = None
    type: str | None = None
    constraints: list[str] = []
    files: list[str] = []
    actions: list[dict[str, Any]] = []
    errors: list[dict[str, Any]] = []
    artifacts: list[str] = []
    commit: str | None = None
    seconds: float | None = None
    session: str | None = None
    tags: list[str] = []
    sensitive: bool = False
    audience: str = "private"
    at: Time = None
    details: Any = None
    key: str | None = None


class Condition(Shape):
    """Of several, all must hold."""

    path: str | None = None
    command: str | None = None
    tool: str | None = None
    error: str | None = None


class Event(Condition):
    """What is about to happen, or went wrong."""

    limit: Annotated[int, Field(ge=1, le=100)] = 3
    consent: bool = False
    audience: str = "private"


class Narrative(Shape):
    """Without a text it is made from what was said since the last."""

    text: str | None = None
    nodes: list[Id] = []
    topic: str | None = None
    session: str | None = None
    previous: Id | None = None
    at: Time = None


class Checkpoint(Shape):
    task: str | None = None
    state: dict[str, Any] | None = None
    context: dict[str, Any] | None = None
    completed: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    at: Time = None


class Handoff(Shape):
    model_config = ConfigDict(extra="forbid", serialize_by_alias=True)

    what_was_done: str
    to: str | None = None
    sender: Annotated[str | None, Field(alias="from")] = None
    artifacts: list[str] = []
    git_state: str | None = None
    needs_testing: list[str] = []
    known_issues: list[str] = []
    relevant_patterns: list[Any] = []
    at: Time = None
    details: Any = None
    key: str | None = None


class Acceptance(Shape):
    agent: str


class Document(Shape):
    """`text` is what it is found by, `body` is given back as it is."""

    text: str
    body: Any = None
    tags: list[str] = []
    origin: str = "agent"
