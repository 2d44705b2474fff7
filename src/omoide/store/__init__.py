"""Where memory rests: the only room that speaks SQL."""

from omoide.store.condensing import Condensed, Waiting
from omoide.store.doctor import Finding
from omoide.store.embed import Embeds, embedded, gives_tokens, reads
from omoide.store.entities import Profile
from omoide.store.fulltext import Filter
from omoide.store.learning import Lesson, Untold
from omoide.store.nodes import Rewording
from omoide.store.pen import Pen
from omoide.store.snapshots import Snapshot
from omoide.store.stats import Stats
from omoide.store.store import Store
from omoide.store.tokens import Tokens, packed, unpacked

__all__ = [
    "Condensed",
    "Embeds",
    "Filter",
    "Finding",
    "Lesson",
    "Pen",
    "Profile",
    "Rewording",
    "Snapshot",
    "Stats",
    "Store",
    "Tokens",
    "Untold",
    "Waiting",
    "embedded",
    "gives_tokens",
    "packed",
    "reads",
    "unpacked",
]
