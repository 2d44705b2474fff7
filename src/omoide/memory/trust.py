"""`memory.trust`: who may see what is sensitive, and for how long."""

from __future__ import annotations

from omoide.clock import DAY
from omoide.domain.audit_entry import AuditEntry
from omoide.domain.consent import Consent
from omoide.errors import InvalidInput
from omoide.memory.core import Namespace, positive
from omoide.observe import validate
from omoide.observe.redaction import redact

_MOST_HOURS = 24 * 366


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
        if isinstance(hours, bool) or not isinstance(hours, int | float) or not 0 < hours <= _MOST_HOURS:
            raise InvalidInput(f"hours: expected a number up to {_MOST_HOURS}, got {hours!r}")
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
        """List who may or might see what is sensitive: every consent, the latest first, also what has ended.

        Args:
            limit: Greatest number of consents.

        Returns:
            The consents, each with its session, reason and times.
        """
        return self._core.store.consents.list_consents(positive(limit, "limit"))
