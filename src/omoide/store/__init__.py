"""Where memory rests: the only room that speaks SQL."""

from omoide.store.arriving import Arrival
from omoide.store.backup import Copied
from omoide.store.doctor import Finding
from omoide.store.embed import Embeds, embedded, gives_tokens, reads
from omoide.store.entities import Profile
from omoide.store.fulltext import Filter
from omoide.store.learning import Lesson, Untold
from omoide.store.moved import Line, Tally
from omoide.store.nodes import Rewording
from omoide.store.pen import Pen
from omoide.store.restore import Restored, restore
from omoide.store.runs import LEASE, Round
from omoide.store.stats import Stats
from omoide.store.store import Store
from omoide.store.tokens import Tokens, packed, unpacked

__all__ = [
    "LEASE",
    "Arrival",
    "Copied",
    "Embeds",
    "Filter",
    "Finding",
    "Lesson",
    "Line",
    "Pen",
    "Profile",
    "Restored",
    "Rewording",
    "Round",
    "Stats",
    "Store",
    "Tally",
    "Tokens",
    "Untold",
    "embedded",
    "gives_tokens",
    "packed",
    "reads",
    "restore",
    "unpacked",
]
