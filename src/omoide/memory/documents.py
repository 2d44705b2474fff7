"""`memory.documents`: whole documents, stored under a name in a collection."""

from __future__ import annotations

import builtins
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Any

from omoide.domain import Node
from omoide.errors import InvalidInput
from omoide.memory.core import Namespace
from omoide.observe import validate
from omoide.observe.drafts import NodeUpdate, RememberedStatement, content_key, draft_update

_ATTEMPTS = 100  # to write a document that others write, withdraw and restore at the same time


class _Changed(Exception):
    """Another thread changed the state of the document."""


class DocumentsNamespace(Namespace):
    """Documents are notes with a name: `recall` finds them like any other memory."""

    def save(
        self,
        collection: str,
        name: str,
        text: str,
        *,
        body: Any = None,
        tags: Collection[str] = (),
        origin: str = "agent",
    ) -> Node:
        """Save a document under a name. Saving again replaces its text; the old one stays in the history.

        An archived or withdrawn document of the same name is unarchived.

        Args:
            collection: Name of the collection it belongs to.
            name: Name of the document within the collection.
            text: The text that it is found by.
            body: Any data that JSON can hold, returned unchanged.
            tags: Labels to find it by.
            origin: Whose word it is.

        Returns:
            The document.
        """
        for left in reversed(range(_ATTEMPTS)):
            held = self.get(collection, name)
            if held is None or held.state not in ("live", "archived", "withdrawn"):
                added = self._add(collection, name, text, body=body, tags=tags, origin=origin)
                if added.text == text or not left or self.get(collection, name) is None:
                    return added
                continue  # another thread added it first, with other words
            with suppress(_Changed):
                return self._update(held, text, body, tags, last=not left)
        raise AssertionError("the last attempt returns or raises")

    def _update(self, held: Node, text: str, body: Any, tags: Collection[str], *, last: bool) -> Node:
        """Writes a document that is known. Raises _Changed if another thread withdrew or restored it meanwhile."""
        core = self._core
        values = {"details": validate.details(body, "body")}
        words, drafted = draft_update(held, NodeUpdate(text=text, tags=tags), core.settings, core.entities_in)
        try:
            if held.state != "live":
                held = core.store.archive.unarchive_node(held.id)
            if (held.text, held.details, set(held.tags)) == (text, body, set(tags)):
                return held
            node = core.store.nodes.update(held.id, words, drafted | values)
        except InvalidInput as error:
            if last:
                raise
            raise _Changed from error
        core.background.wake()
        return node

    def get(self, collection: str, name: str) -> Node | None:
        """Return the document of a name, in any state.

        Args:
            collection: Name of the collection.
            name: Name of the document.

        Returns:
            The document, or None if there is none.
        """
        key = content_key("statement", _key(collection, name))
        return self._core.seen.documents.find_document(validate.required_name(collection, "collection"), str(name), key)

    def list(self, collection: str) -> builtins.list[Node]:
        """List the live documents of a collection, the latest written first.

        Args:
            collection: Name of the collection.

        Returns:
            The documents.
        """
        return self._core.seen.documents.fetch_documents(validate.required_name(collection, "collection"))

    def _add(self, collection: str, name: str, text: str, *, body: Any, tags: Collection[str], origin: str) -> Node:
        core = self._core
        statement = RememberedStatement(
            text=text,
            kind="note",
            details=body,
            tags=tags,
            origin=origin,
            key=_key(collection, name),
            attributes={"title": name, "category": collection},
        )
        draft = core.draft(statement)
        node = core.store.nodes.insert([draft])[0]
        if node.state == "erased":  # an erased document had this name; the new one is another document
            node = core.store.nodes.insert([replace(draft, key=None)])[0]
        core.background.wake()
        return node


def _key(collection: str, name: str) -> str:
    """A hash, since names may be longer than a key, and may contain what would be redacted from one."""
    return sha256(f"{collection}\n{name}".encode("utf-8", "surrogatepass")).hexdigest()
