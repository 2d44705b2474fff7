"""Where memory rests: the only room that speaks SQL."""

from omoide.store.doctor import Finding
from omoide.store.entities import Profile
from omoide.store.fulltext import Filter
from omoide.store.learning import Lesson
from omoide.store.nodes import Rewording
from omoide.store.pen import Pen
from omoide.store.stats import Stats
from omoide.store.store import Store
from omoide.store.vectors import checked_vectors

__all__ = ["Filter", "Finding", "Lesson", "Pen", "Profile", "Rewording", "Stats", "Store", "checked_vectors"]
