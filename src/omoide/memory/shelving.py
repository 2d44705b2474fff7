"""Shelving: whole documents under a name, and conversations turn by turn, for programs that keep theirs here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from hashlib import sha256
from typing import Any

from omoide.domain import Node
from omoide.memory.rooms import positive
from omoide.memory.writing import Writing
from omoide.observe import drafts, validate
from omoide.observe.drafts import content_key

_ALL = 1_000_000


class Shelving(Writing):
    """A document is a note: found by recall as any other, and here by its name."""

    def shelve(
        self,
        shelf: str,
        name: str,
        text: str,
        *,
        body: Any = None,
        tags: Collection[str] = (),
        origin: str = "agent",
    ) -> Node:
        """Keeps a document under a name: a new one, or new words for the one that has it, whose old ones are history.

        `text` is what it is found by; `body` is anything JSON can hold, given back as it is. What was archived under
        the name comes back into use.
        """
        held = self.shelved(shelf, name)
        if held is not None and held.state in ("archived", "expired"):
            held = self._store.unarchive(held.id)
        if held is None or held.state != "live":
            return self._placed(shelf, name, text, body=body, tags=tags, origin=origin)
        if (held.text, held.details, set(held.tags)) == (text, body, set(tags)):
            return held
        said = drafts.NodeUpdate(text=text, tags=tags)
        words, values = drafts.draft_update(held, said, self._settings, self._mentioned)
        node = self._store.rewrite(held.id, words, values | {"details": validate.details(body, "body")})
        self._background.wake()
        return node

    def shelved(self, shelf: str, name: str) -> Node | None:
        """The document of that name, also when it is archived; None where there is none."""
        key = content_key("statement", _key(shelf, name))
        return self._store.document(validate.required_name(shelf, "shelf"), str(name), key)

    def shelf(self, shelf: str) -> list[Node]:
        """The documents of a shelf that are in use, the latest written first."""
        return self._store.on_shelf(validate.required_name(shelf, "shelf"))

    def turns(self, session: str, limit: int | None = None) -> list[Node]:
        """What was said in a session and is still in use, in order; with a limit, the latest of it."""
        wanted = _ALL if limit is None else positive(limit, "limit")
        ids = self._store.said_in(validate.required_name(session, "session"), 0, wanted)
        found = self._store.nodes(ids)
        return [found[id] for id in ids if id in found]

    def _placed(self, shelf: str, name: str, text: str, *, body: Any, tags: Collection[str], origin: str) -> Node:
        said = drafts.RememberedStatement(
            text=text,
            kind="note",
            details=body,
            tags=tags,
            origin=origin,
            key=_key(shelf, name),
            attributes={"title": name, "category": shelf},
        )
        draft = drafts.draft_statement(said, self._clock(), self._settings, self._mentioned)
        node = self._store.add([draft])[0]
        if node.state == "erased":  # the name was somebody's who was forgotten; what is written under it now is new
            node = self._store.add([replace(draft, key=None)])[0]
        self._background.wake()
        return node


def _key(shelf: str, name: str) -> str:
    """Names may be longer than a key may be, and may hold what is redacted from one."""
    return sha256(f"{shelf}\n{name}".encode("utf-8", "surrogatepass")).hexdigest()
