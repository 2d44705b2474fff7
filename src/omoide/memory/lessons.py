"""Lessons that are told without being asked for: bound to a tool, a path, a command or an error."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.domain.trigger import Binding, normalize_trigger, trigger_event
from omoide.errors import InvalidInput
from omoide.memory.rooms import Rooms, positive
from omoide.observe import validate
from omoide.store import Reminder

_LONGEST = 100_000  # bytes of an error or a command that are looked at


class Lessons(Rooms):
    """Fast enough to be asked before every tool use: no search, no model, a lookup by keys."""

    def bind(
        self,
        id: int,
        *,
        path: str | None = None,
        command: str | None = None,
        tool: str | None = None,
        error: str | None = None,
    ) -> Binding:
        """Binds a memory to what it is to be told for. All that is given must hold; bind again for other cases.

        `path` is a glob (`src/**/*.ts`, `**/migrations/**`), `command` the first words of one (`git push --force`),
        `error` any telling part of the message; its numbers, paths and addresses do not count.
        """
        if path is command is tool is error is None:
            raise InvalidInput("bind needs a path, a command, a tool or an error to bind the memory to")
        trigger = normalize_trigger(
            validate.name(tool, "tool"), validate.name(path, "path"), _text(command, "command"), _text(error, "error")
        )
        return self._store.bind(id, trigger)

    def unbind(self, id: int, binding: int | None = None) -> int:
        """Takes away one binding of a memory, or all of them; tells how many there were."""
        return self._store.unbind(id, binding)

    def bindings(self, id: int | None = None) -> list[Binding]:
        """What a memory is bound to, or all bindings."""
        if id is not None:
            self._store.node(id)
        return self._store.bindings(id)

    def lessons(
        self,
        *,
        tool: str | None = None,
        path: str | None = None,
        command: str | None = None,
        error: str | None = None,
        limit: int = 3,
        consent: bool = False,
        audience: str = "private",
    ) -> list[Reminder]:
        """What is bound to what happens, the most specific first, each with the reason. Any text is safe."""
        for field, given in (("tool", tool), ("path", path), ("command", command), ("error", error)):
            if given is not None and not isinstance(given, str):
                raise InvalidInput(f"{field}: expected a text, got {type(given).__name__}")
        asked = trigger_event(tool, path, command and command[:_LONGEST], error)
        sensitive = validate.boolean(consent, "consent")
        return self._store.lessons(asked, positive(limit, "limit"), sensitive, validate.audience(audience))


def told(reminders: Sequence[Reminder]) -> str:
    """For a prompt: quoted as data, each with the reason why it is told now; nothing when there is nothing to say."""
    from omoide.recall.context_pack import FENCE_CLOSE, FENCE_OPEN, escape_fence

    if not reminders:
        return ""
    lines = [
        f"- {escape_fence(' '.join(each.node.told.split()))} ({escape_fence(each.why)}) [id:{each.node.id}]"
        for each in reminders
    ]
    return "\n".join((FENCE_OPEN, "### Lessons for this", *lines, FENCE_CLOSE))


def _text(given: str | None, field: str) -> str | None:
    return validate.name(given, field, _LONGEST)
