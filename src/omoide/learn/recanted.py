"""What a turn taught and the next one takes back ends: "ignore that", "just kidding"."""

from __future__ import annotations

from omoide.clock import micros
from omoide.layers import Fact
from omoide.learn import things
from omoide.learn.proposal import Correction
from omoide.learn.scene import Scene


def recant(scene: Scene, item: Correction) -> None:
    """Ends what rests on that turn alone. What was said before as well stands: only the repetition is taken back."""
    episode, _ = scene.source(item.quote)
    until = micros(episode.event_at)
    turns = _turns(scene, item.about)
    taught = {held.id: held for turn in turns for held in scene.pen.derived(turn)}
    ended = [held for held in taught.values() if set(scene.pen.sources(held.id)) <= turns]
    for held in ended:
        scene.pen.close(held.id, until)
        if isinstance(held, Fact):
            things.part(scene, held, until)
        scene.report.add("ended", held.kind, held.text, held.id, item.quote.words)
    if not ended:
        scene.report.notes.append(
            f"nothing was learned that could be taken back: {item.quote.words!r} [id:{episode.id}]"
        )


def _turns(scene: Scene, about: int | None) -> set[int]:
    """The turn, and the agent's before it: what was asked there and said yes to is learned from the question."""
    earlier = [id for id in sorted(scene.episodes) if about is not None and id < about]
    asked = earlier[-1:] if earlier and scene.episodes[earlier[-1]].role == "agent" else []
    return {*asked, *(() if about is None else (about,))}
