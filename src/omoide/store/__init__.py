"""Where memory rests: the only room that speaks SQL."""

from omoide.store.ageing import Aged
from omoide.store.archive import Leaving
from omoide.store.arriving import Arrival
from omoide.store.backup import Copied
from omoide.store.bindings import Reminder
from omoide.store.condensing import Condensed, Waiting
from omoide.store.embed import Embeds, embedded, gives_tokens, reads
from omoide.store.entities import Profile
from omoide.store.finding import Finding
from omoide.store.forgotten import (
    Account,
    Closure,
    Copy,
    Erasing,
    Mention,
    Preview,
    Receipt,
    Rederived,
    Scan,
    Shaken,
    Target,
)
from omoide.store.fulltext import Filter
from omoide.store.graph import Drawn
from omoide.store.learning import Lesson, Untold
from omoide.store.ledgers import Standing
from omoide.store.moved import Line, Tally
from omoide.store.narratives import Around, Telling, Wanted
from omoide.store.nodes import Rewording
from omoide.store.pen import Forgotten, Pen
from omoide.store.restore import Restored, restore
from omoide.store.retold import Over
from omoide.store.runs import LEASE, Round
from omoide.store.snapshots import Snapshot
from omoide.store.spending import Spent
from omoide.store.stats import Stats
from omoide.store.store import Store
from omoide.store.taken import Foreign, Kept, Linked, Tied
from omoide.store.tasks import Ending, Open
from omoide.store.tokens import Tokens, packed, unpacked
from omoide.store.traces import Trace
from omoide.store.union import Union

__all__ = [
    "LEASE",
    "Account",
    "Aged",
    "Around",
    "Arrival",
    "Closure",
    "Condensed",
    "Copied",
    "Copy",
    "Drawn",
    "Embeds",
    "Ending",
    "Erasing",
    "Filter",
    "Finding",
    "Foreign",
    "Forgotten",
    "Kept",
    "Leaving",
    "Lesson",
    "Line",
    "Linked",
    "Mention",
    "Open",
    "Over",
    "Pen",
    "Preview",
    "Profile",
    "Receipt",
    "Rederived",
    "Reminder",
    "Restored",
    "Rewording",
    "Round",
    "Scan",
    "Shaken",
    "Snapshot",
    "Spent",
    "Standing",
    "Stats",
    "Store",
    "Tally",
    "Target",
    "Telling",
    "Tied",
    "Tokens",
    "Trace",
    "Union",
    "Untold",
    "Waiting",
    "Wanted",
    "embedded",
    "gives_tokens",
    "packed",
    "reads",
    "restore",
    "unpacked",
]
