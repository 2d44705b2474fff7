"""Where memory rests: the only room that speaks SQL."""

from omoide.store.bindings import Reminder
from omoide.store.doctor import Finding
from omoide.store.embed import Embeds, embedded, gives_tokens, reads
from omoide.store.entities import Profile
from omoide.store.fulltext import Filter
from omoide.store.learning import Lesson, Untold
from omoide.store.ledgers import Standing
from omoide.store.nodes import Rewording
from omoide.store.pen import Pen
from omoide.store.stats import Stats
from omoide.store.store import Store
from omoide.store.tasks import Ending, Open
from omoide.store.tokens import Tokens, packed, unpacked
from omoide.store.traces import Trace

__all__ = [
    "Embeds",
    "Ending",
    "Filter",
    "Finding",
    "Lesson",
    "Open",
    "Pen",
    "Profile",
    "Reminder",
    "Rewording",
    "Standing",
    "Stats",
    "Store",
    "Tokens",
    "Trace",
    "Untold",
    "embedded",
    "gives_tokens",
    "packed",
    "reads",
    "unpacked",
]
