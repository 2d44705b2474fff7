"""Where memory rests: the only room that speaks SQL."""

from omoide.store.ageing import Aged
from omoide.store.archive import Leaving
from omoide.store.condensing import Condensed, Waiting
from omoide.store.doctor import Finding
from omoide.store.embed import Embeds, embedded, gives_tokens, reads
from omoide.store.entities import Profile
from omoide.store.forgotten import Account, Copy, Erasing, Preview, Receipt, Rederived, Scan, Shaken, Target
from omoide.store.fulltext import Filter
from omoide.store.learning import Lesson, Untold
from omoide.store.narratives import Around, Telling, Wanted
from omoide.store.nodes import Rewording
from omoide.store.pen import Forgotten, Pen
from omoide.store.spending import Spent
from omoide.store.stats import Stats
from omoide.store.store import Store
from omoide.store.tokens import Tokens, packed, unpacked
from omoide.store.union import Union

__all__ = [
    "Account",
    "Aged",
    "Around",
    "Condensed",
    "Copy",
    "Embeds",
    "Erasing",
    "Filter",
    "Finding",
    "Forgotten",
    "Leaving",
    "Lesson",
    "Pen",
    "Preview",
    "Profile",
    "Receipt",
    "Rederived",
    "Rewording",
    "Scan",
    "Shaken",
    "Spent",
    "Stats",
    "Store",
    "Target",
    "Telling",
    "Tokens",
    "Union",
    "Untold",
    "Waiting",
    "Wanted",
    "embedded",
    "gives_tokens",
    "packed",
    "reads",
    "unpacked",
]
