"""The store's door: verbs without SQL in their signatures, so that another database can stand behind the same ones."""

from __future__ import annotations

from omoide.store.door.ageing import Ageing
from omoide.store.door.condensing import Condensing
from omoide.store.door.foreign import Foreign
from omoide.store.door.forgetting import Forgetting
from omoide.store.door.graph import Graphs
from omoide.store.door.keeping import Keeping
from omoide.store.door.lessons import Lessons
from omoide.store.door.narrating import Narrating
from omoide.store.door.paying import Paying
from omoide.store.door.reading import Reading
from omoide.store.door.retelling import Retelling
from omoide.store.door.searching import Searching
from omoide.store.door.shelves import Shelves
from omoide.store.door.taking import Taking
from omoide.store.door.tasks import Tasks
from omoide.store.door.teaching import Teaching
from omoide.store.door.upkeep import Upkeep
from omoide.store.door.working import Working
from omoide.store.door.writing import Writing


class Store(
    Writing,
    Teaching,
    Graphs,
    Condensing,
    Reading,
    Retelling,
    Searching,
    Tasks,
    Lessons,
    Foreign,
    Keeping,
    Paying,
    Forgetting,
    Ageing,
    Upkeep,
    Working,
    Narrating,
    Taking,
    Shelves,
):
    """One file. Reading never waits for writing; every write is durable when its verb returns."""
