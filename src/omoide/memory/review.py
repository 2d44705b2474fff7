"""`memory.review` and `memory.trust`: what somebody says about stored memories, and who may see the sensitive ones."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from omoide.clock import DAY, to_micros
from omoide.domain import Node
from omoide.domain.edge import Contradiction
from omoide.domain.node import Written
from omoide.domain.trust import AuditEntry, Consent, ProposedChange, outranked
from omoide.errors import Conflict, InvalidInput, NotAllowed
from omoide.memory.core import Namespace, positive
from omoide.observe import validate
from omoide.observe.drafts import NodeUpdate, corrected_statement, draft_update
from omoide.observe.redaction import redact


class ReviewNamespace(Namespace):
    """Confirm, change, rate and reconcile memories."""

    def confirm(self, id: int) -> Node:
        """Confirm a memory: sets its confidence to 1.0 and stops its decay.

        Args:
            id: Id of the memory.

        Returns:
            The confirmed memory.

        Raises:
            NotFound: There is no memory with this id.
        """
        self._core.require(id)
        return self._core.store.nodes.confirm(id)

    def update(
        self,
        /,
        id: int,
        text: str | None = None,
        *,
        tags: Collection[str] | None = None,
        importance: int | None = None,
        sensitive: bool | None = None,
        audience: str | None = None,
        origin: str = "user",
        **attributes: Any,
    ) -> Node:
        """Change a memory in place. Its score is kept and the earlier text stays in the history.

        What an agent or a tool would change of the user's words becomes a proposal, which `accept` applies.

        Args:
            id: Id of the memory.
            text: The new text.
            tags: The new tags.
            importance: The new importance, from 1 to 10.
            sensitive: Whether it is left out of prompts unless the caller has consent.
            audience: Who may read it: `private` or `shared`.
            origin: Who changes it.
            attributes: Fields of the kind to change.

        Returns:
            The changed memory; the unchanged one if the change became a proposal.

        Raises:
            NotFound: There is no memory with this id.
            InvalidInput: The memory is an episode and its text cannot change, or a value is invalid.
        """
        core = self._core
        update = NodeUpdate(
            text=text,
            tags=tags,
            importance=importance,
            sensitive=sensitive,
            audience=audience,
            attributes=attributes,
        )
        old = core.require(id)
        words, values = draft_update(old, update, core.settings, core.entities_in)
        if outranked(validate.origin(origin), old) and values.keys() & {"sensitive", "audience"}:
            raise NotAllowed(f"only the user changes who may see memory {id}")
        if outranked(origin, old) and (words.text is not None or "attributes" in values):
            fields = values.get("attributes", {})
            number = core.store.proposals.propose(id, "update", words.text, fields, origin)
            return replace(old, written=Written("proposed", (number,)))
        node = core.store.nodes.update(id, words, values)
        core.background.wake()
        return node

    def reinforce(self, id: int) -> Node:
        """Record that a memory helped: raises its score by `reinforce_weight`.

        Args:
            id: Id of the memory.

        Returns:
            The memory with its new score.
        """
        self._core.require(id)
        return self._core.store.nodes.adjust_score(id, self._core.settings.reinforce_weight, hit=True)

    def demote(self, id: int) -> Node:
        """Record that a memory was outdated or irrelevant: lowers its score by `demote_weight`.

        Args:
            id: Id of the memory.

        Returns:
            The memory with its new score.
        """
        self._core.require(id)
        return self._core.store.nodes.adjust_score(id, -self._core.settings.demote_weight, hit=False)

    def uncertain(self, limit: int = 20, *, below: float = 0.5) -> list[Node]:
        """List memories to check: uncertain or contradicted ones, then those that may be out of date.

        Args:
            limit: Greatest number of memories.
            below: Only memories with less confidence than this, from 0 to 1.

        Returns:
            The memories, the least certain first, then those that are due longest.
        """
        return self._core.seen.nodes.uncertain(validate.fraction(below, "below"), positive(limit, "limit"))

    def contradictions(self, limit: int = 20) -> list[Contradiction]:
        """List pairs of live memories that contradict each other, the latest first.

        Args:
            limit: Greatest number of pairs.

        Returns:
            The pairs; `resolve` keeps one memory of a pair.
        """
        return self._core.seen.links.contradictions(positive(limit, "limit"))

    def resolve(self, keep: int, over: int) -> Node:
        """Resolve a contradiction: keeps one memory and supersedes the other.

        Args:
            keep: Id of the memory to keep.
            over: Id of the memory to supersede.

        Returns:
            The kept memory.

        Raises:
            InvalidInput: Both ids are the same.
        """
        if keep == over:
            raise Conflict(f"memory {keep} cannot supersede itself; pass the two ids that contradict each other")
        self._core.require(keep)
        self._core.require(over)
        return self._core.store.links.resolve_contradiction(keep, over)

    def proposals(self, limit: int = 20) -> list[ProposedChange]:
        """List the changes to the user's memories that wait for the user, the latest first.

        Args:
            limit: Greatest number of proposals.

        Returns:
            The proposals, each with the memory as it is and the words that would replace it.
        """
        return self._core.seen.proposals.open_proposals(positive(limit, "limit"))

    def accept(self, proposal: int) -> Node:
        """Accept a proposal, as the user: the change is made and counts as the user's own word.

        Args:
            proposal: Id of the proposal.

        Returns:
            The corrected or changed memory.

        Raises:
            NotFound: There is no proposal with this id.
            InvalidInput: It is decided already, or its memory was replaced meanwhile.
        """
        from omoide.learn.statement_writer import StatementDoor

        core = self._core
        asked = core.seen.proposals.require_open(proposal)
        if asked.verb == "update":
            node = self.update(asked.node.id, asked.text, **asked.attributes)
            core.store.proposals.decide(proposal, "accepted")
            return node
        statement = corrected_statement(
            asked.node, asked.text or asked.node.text, asked.since, "user", asked.attributes
        )
        until = None if asked.since is None else to_micros(asked.since)
        node = StatementDoor.of(core.store).correct(asked.node.id, core.draft(statement), until, accepts=proposal)
        core.background.wake()
        return node

    def refuse(self, proposal: int) -> ProposedChange:
        """Refuse a proposal: the memory stays as the user said it.

        Args:
            proposal: Id of the proposal.

        Returns:
            The refused proposal.

        Raises:
            NotFound: There is no proposal with this id.
            InvalidInput: It is decided already.
        """
        self._core.seen.proposals.require_open(proposal)
        return self._core.store.proposals.decide(proposal, "refused")


# `memory.trust`: who may see what is sensitive, and for how long.


MOST_HOURS = 24 * 366


class TrustNamespace(Namespace):
    """Consent of the user to show sensitive memories."""

    _for_others = False

    def grant_consent(self, session: str, reason: str, *, hours: float = 1.0) -> Consent:
        """Consent, as the user, to show sensitive memories in a session. It expires by itself.

        Verbs that read take the name of the session as `consent`. What is sensitive is never shown to others.

        Args:
            session: The session in which they may be shown.
            reason: Why the user consents; kept in the log.
            hours: How long it holds.

        Returns:
            The consent.

        Raises:
            InvalidInput: A value is invalid.
        """
        if isinstance(hours, bool) or not isinstance(hours, int | float) or not 0 < hours <= MOST_HOURS:
            raise InvalidInput(f"hours: expected a number up to {MOST_HOURS}, got {hours!r}")
        why = redact(validate.required_name(reason, "reason")).text
        until = self._core.clock() + int(hours * DAY / 24)
        return self._core.store.consents.grant(validate.required_name(session, "session"), why, until)

    def revoke_consent(self, session: str) -> list[Consent]:
        """End the consent for a session at once.

        Args:
            session: The session.

        Returns:
            What was in force.

        Raises:
            NotFound: No consent is in force for this session.
        """
        return self._core.store.consents.revoke(validate.required_name(session, "session"))

    def audit(self, limit: int = 20) -> list[AuditEntry]:
        """List who changed memories, when, through which interface and with which verb or tool, the latest first.

        Entries hold ids and no words. Each has a digest of itself and the one before; `admin.doctor` checks the chain.

        Args:
            limit: Greatest number of entries.

        Returns:
            The entries.
        """
        return self._core.store.audit.latest(positive(limit, "limit"))

    def consents(self, limit: int = 20) -> list[Consent]:
        """List all consents to show sensitive memories, the latest first, also those that ended.

        Args:
            limit: Greatest number of consents.

        Returns:
            The consents, each with its session, reason and times.
        """
        return self._core.store.consents.list_consents(positive(limit, "limit"))
