"""Continuing: the page that tells an agent what to know before it goes on, kept current and read back."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from omoide.domain import Node
from omoide.language.text import validate_text
from omoide.memory.narrating import CLOSED, THREAD, Narrating, Sees
from omoide.memory.rooms import positive
from omoide.memory.writing import Writing
from omoide.observe import validate
from omoide.observe.drafts import content_key
from omoide.store import NodeFilter

if TYPE_CHECKING:
    from omoide.transfer.continuity import ContinuityAddition, ContinuityLine, ContinuityPage, ContinuitySection

_MEMORIES, _MISTAKES, _HANDOFFS, _LEDGERS = 15, 10, 5, 5
_LATEST = 100  # of which those are taken that may be told
_TAG = "continuity"
_TITLES = ("Relevant Memories", "Mistakes to Avoid", "Open Threads", "Where I Was", "Handoffs", "Ledgers")


class Continuing(Writing, Narrating):
    """Making the page twice gives the same page; reading it twice stores nothing twice."""

    def continuity(
        self,
        page: str = "",
        *,
        goal: str | None = None,
        budget: int = 1_000,
        audience: str = "private",
        consent: bool = False,
    ) -> str:
        """CONTINUITY.md: what matters for the `goal`, mistakes to avoid, what is open, where things stood.

        Of a `page` that exists only our part, between two comments, is made anew; what others wrote stays, and so does
        what they added to our part until read_continuity() has taken it up.
        """
        from omoide.transfer import continuity

        sees = Sees(validate.audience(audience) == "shared", validate.boolean(consent, "consent"))
        written = continuity.split_page(page)
        added = [*continuity.read_additions(page), *self._unknown(page)]
        unread = [each for each in added if each.ours and not self._has(each)]
        return continuity.render_continuity(
            page, self._sections(goal, sees, written), positive(budget, "budget"), unread
        )

    def read_continuity(self, page: str) -> list[Node]:
        """Takes up what somebody added to the page, each once: mistakes as what to avoid, threads as open, the rest as
        notes; what they ticked off is no longer open. What we wrote there ourselves is not stored again."""
        from omoide.transfer import continuity

        validate_text(page, self._settings.max_text_bytes)
        added = [*continuity.read_additions(page), *self._unknown(page)]
        fresh = [each for each in added if not self._has(each)]
        stored = [self._take_up(each) for each in fresh]
        for id, words in continuity.checked_off_lines(page):
            key = f"{_TAG}:closed:{id}"
            if self._store.summary_of(content_key("statement", key)) is None:
                stored.append(
                    self.remember(
                        f"Done: {words}",
                        kind="note",
                        tags=[_TAG, CLOSED],
                        details={"closes": id},
                        origin="document",
                        key=key,
                    )
                )
        return [node for node in stored if node.state != "erased"]

    def _unknown(self, page: str) -> list[ContinuityAddition]:
        """Lines that begin with an id which this file never gave: somebody wrote them, so they are kept."""
        from omoide.transfer import continuity

        newest = self._store.newest_id()  # what was forgotten had a lower one, and must not come back from a page
        return [each for id, each in continuity.lines_with_id(page) if id > newest]

    def _take_up(self, each: ContinuityAddition) -> Node:
        heading = each.heading.casefold()
        if each.done:
            return self.remember(
                f"Done: {each.text}", kind="note", tags=[_TAG, CLOSED], origin="document", key=_key(each)
            )
        if "mistake" in heading or "avoid" in heading:
            kind, tags = "antipattern", [_TAG]
        elif any(word in heading for word in ("thread", "open", "todo", "to do", "next")):
            kind, tags = "note", [_TAG, THREAD]
        else:
            kind, tags = "note", [_TAG]
        return self.remember(each.text, kind=kind, tags=tags, origin="document", key=_key(each))

    def _has(self, each: ContinuityAddition) -> bool:
        return self._store.summary_of(content_key("statement", _key(each))) is not None

    def _sections(self, goal: str | None, sees: Sees, page: ContinuityPage) -> list[ContinuitySection]:
        """In the order of the page."""
        from omoide.transfer.continuity import ContinuityLine, ContinuitySection

        where = self.where(audience="shared" if sees.shared else "private", consent=sees.sensitive)
        told = [_line(node) for node in where.narratives]
        if where.latest is not None and where.session is not None:  # said, and not told yet
            told.insert(0, ContinuityLine(self._store.last_turn(where.session.name), "latest", where.latest))
        threads = [ContinuityLine(each.id, "open", each.text) for each in where.open]
        wrong = self._store.mistakes(_MISTAKES, shared=sees.shared, sensitive=sees.sensitive)
        mistakes = [self._mistake(node, sees) for node in wrong]
        handoffs = [_line(node) for node in self._handoffs(sees)]
        ledgers = [_line(node) for node in self._ledgers(sees)]
        taken = {line.id for line in (*told, *threads, *mistakes, *handoffs, *ledgers)}
        memories = [_line(node) for node in self._relevant(goal, sees) if node.id not in taken]
        found = (memories, mistakes, threads, told, handoffs, ledgers)
        shares = (0.38, 0.2, 0.14, 0.14, 0.08, 0.06)
        return [
            ContinuitySection(title, tuple(line for line in lines if not _stands(line, page)), share)
            for title, lines, share in zip(_TITLES, found, shares, strict=True)
        ]

    def _mistake(self, node: Node, sees: Sees) -> ContinuityLine:
        """What had to be corrected, with what it was taken for."""
        from omoide.transfer.continuity import ContinuityLine

        before = [id for id in self._store.chain(node.id) if id < node.id]
        old = self._store.nodes(before[-1:]).get(before[-1]) if before else None
        was = f" (not: {old.told})" if old is not None and old.told and sees.may(old) else ""
        return ContinuityLine(node.id, node.kind, f"{node.told}{was}")

    def _relevant(self, goal: str | None, sees: Sees) -> list[Node]:
        """The best for what is to be done, or what stands at the start of a session; in an order that stays."""
        keep = NodeFilter(
            audience="shared" if sees.shared else "private", sensitive=sees.sensitive, valid_at=self._clock()
        )
        found = self._recall(goal or "", None, _MEMORIES, keep, "everyday" if goal else "session_start")
        return sorted(
            (hit.node for hit in found if hit.node.kind not in ("narrative", "handoff")), key=lambda node: node.id
        )

    def _handoffs(self, sees: Sees) -> list[Node]:
        """Work that was passed on and that nobody has taken up."""
        waiting = self._store.handoffs(None, True, _LATEST)
        return [node for node in waiting if sees.may(node)][:_HANDOFFS]

    def _ledgers(self, sees: Sees) -> list[Node]:
        """Where each agent stands, in the words by which it is found."""
        ids = [each.node_id for each in self._store.ledgers() if each.node_id is not None][:_LATEST]
        held = self._store.nodes(ids)
        return [held[id] for id in ids if id in held and sees.may(held[id])][:_LEDGERS]


def _line(node: Node) -> ContinuityLine:
    from omoide.transfer.continuity import ContinuityLine

    return ContinuityLine(node.id, node.kind, node.told)


def _stands(line: ContinuityLine, page: ContinuityPage) -> bool:
    """Whether somebody wrote the same on the page themselves."""
    return " ".join(line.text.split()) in page.around


def _key(each: ContinuityAddition) -> str:
    """The same words are the same addition, wherever on the page they stand."""
    words = blake2b(" ".join(each.text.split()).encode(), digest_size=16).hexdigest()
    return f"{_TAG}:done:{words}" if each.done else f"{_TAG}:{words}"
