"""How things are done: wishes, how-tos and corrections of a proposal → preferences, procedures and new versions."""

from __future__ import annotations

from omoide.clock import micros
from omoide.layers import Fact, Node, Preference, Procedure
from omoide.layers.entity import name_key
from omoide.layers.procedural import PREFERENCE_CATEGORIES
from omoide.learn import things
from omoide.learn.exchange import exchanged, holds
from omoide.learn.predicates import RELATED_BY
from omoide.learn.proposal import USER, Claim, Correction, HowTo, Relating, Wish
from omoide.learn.scene import IMPORTANT, Scene

_SET_RIGHT = 0.9  # Kira-L: the strength of a correction
_NEVER, _ALWAYS = "never", "always"
# What one gives up in these ways, one wishes for no more.
_WANTED = frozenset({"uses", "likes", "prefers", "loves", "enjoys"})


def wish(scene: Scene, item: Wish) -> None:
    if not item.strength:
        _take_back(scene, item)
        return
    episode, source = scene.source(item.quote)
    pen, report, words = scene.pen, scene.report, item.quote.words
    attributes = {"category": item.category, "name": item.name, "value": item.value, "strength": item.strength}
    draft = scene.draft("preference", item.text, episode, attributes, 1.0, item.source_type, importance=IMPORTANT)
    held = pen.preference(item.category, item.name)
    again = held.stated_again(item.value, item.text, item.strength) if held else None
    if held is None:
        node = pen.add(draft, source)
        report.add("learned", "preference", item.text, node.id, words)
    elif again is not None:
        pen.strengthen(held, again, source)
        report.add("confirmed", "preference", held.text, held.id, words)
    elif held.event_at > episode.event_at:
        report.add("refused", "preference", item.text, None, f"[id:{held.id}] was said later")
        return
    else:
        node = pen.supersede(held.id, draft, source, micros(episode.event_at))
        report.add("superseded", "preference", f"{held.text} → {item.text}", node.id, words)
    _end_opposites(scene, item, episode)
    instead_of = item.instead_of or _given_up(item, held)
    if instead_of and isinstance(item.value, str):
        _rewrite_procedures(scene, instead_of, item.value, source, episode)


def _given_up(item: Wish, held: Preference | None) -> str | None:
    """ "Go back to npm": what was preferred till then is what npm replaces."""
    changed = held is not None and held.value != item.value and item.source_type == "corrected"
    return held.value if held is not None and changed and isinstance(held.value, str) else None


def _take_back(scene: Scene, item: Wish) -> None:
    """ "Emojis are fine now", "you don't need to use black anymore": the wish ends, and nothing is wished instead."""
    episode, _ = scene.source(item.quote)
    held = [each for each in scene.pen.preferences(item.category) if _is_meant(item, each.name, each.value)]
    for each in (each for each in held if each.event_at <= episode.event_at):
        scene.pen.close(each.id, micros(episode.event_at))
        scene.report.add("ended", "preference", each.text, each.id, item.quote.words)
    if not held:
        scene.report.notes.append(f"no wish to take back was known: {item.quote.words!r} [id:{episode.id}]")


def _is_meant(item: Wish, name: str | None, value: object) -> bool:
    what = name_key(str(item.value or item.name))
    if value in (_NEVER, _ALWAYS) and name_key(name or "") == what:
        return True
    return name_key(str(value)) == what if item.value else name == item.name or name_key(str(value)) == what


def _end_opposites(scene: Scene, item: Wish, episode: Node) -> None:
    """ "Never use pnpm" ends "the package manager is pnpm", and the other way round: two names of one matter."""
    for held in scene.pen.preferences(item.category):
        if held.name == item.name or held.event_at > episode.event_at:
            continue
        ruled_out = item.value == _NEVER and name_key(str(held.value)) == name_key(item.name)
        taken_up = held.value == _NEVER and name_key(str(item.value)) == name_key(held.name or "")
        if ruled_out or taken_up:
            scene.pen.close(held.id, micros(episode.event_at))
            scene.report.add("ended", "preference", held.text, held.id, item.quote.words)


def _rewrite_procedures(scene: Scene, wrong: str, right: str, source: tuple[int, str], episode: Node) -> bool:
    """Procedures that say what was just ruled out are written anew; the old version stays in the history."""
    rewritten = False
    for held in scene.pen.procedures(mentioning=wrong):
        steps = [exchanged(step, wrong, right) for step in held.steps]
        text = exchanged(held.text, wrong, right)
        if any(holds(each, wrong) for each in (text, *steps)):
            words = f"{_title(held)!r} says {wrong!r}, and not as what {right!r} replaces: left as it is"
            scene.report.notes.append(f"{words} [id:{held.id}]")
        if (steps, text) == (list(held.steps), held.text):
            continue
        kept = {name: value for name, value in held.attributes.items() if value not in (None, ())}
        attributes = kept | {"steps": steps}
        for name in ("name", "trigger", "context"):
            if isinstance(kept.get(name), str):
                attributes[name] = exchanged(kept[name], wrong, right)
        draft = scene.draft(
            "procedure",
            text,
            episode,
            attributes,
            held.confidence,
            "corrected",
            importance=held.importance,
            also=(held,),
        )
        node = scene.pen.supersede(held.id, draft, source, micros(episode.event_at))
        _rests_on_what_taught_it(scene, held, node)
        scene.report.add("superseded", "procedure", f"{_title(held)}: {wrong} → {right}", node.id, source[1])
        rewritten = True
    return rewritten


def _rests_on_what_taught_it(scene: Scene, held: Node, rewritten: Node) -> None:
    """A how-to with one word exchanged is still the one that was taught."""
    for each in scene.pen.evidence(held.id):
        scene.pen.rests_on(rewritten.id, each)


def howto(scene: Scene, item: HowTo) -> None:
    episode, source = scene.source(item.quote)
    pen, report, words = scene.pen, scene.report, item.quote.words
    attributes = {"name": item.name, "trigger": item.trigger, "steps": list(item.steps), "context": item.context}
    draft = scene.draft("procedure", item.text, episode, attributes, item.confidence, "stated", importance=IMPORTANT)
    held = pen.procedures(name=item.name)
    if held and list(held[-1].steps) == list(item.steps):
        pen.support(held[-1], source, item.confidence)
        report.add("confirmed", "procedure", held[-1].text, held[-1].id, words)
    elif held and held[-1].event_at > episode.event_at:
        report.add("refused", "procedure", item.text, None, f"[id:{held[-1].id}] was taught later")
    elif held:
        node = pen.supersede(held[-1].id, draft, source, micros(episode.event_at))
        report.add("superseded", "procedure", f"{item.name}: new steps", node.id, words)
    else:
        node = pen.add(draft, source)
        report.add("learned", "procedure", item.text, node.id, words)


def give_up(scene: Scene, item: Claim) -> None:
    """ "I don't use npm anymore" ends the wish for it too."""
    if item.predicate not in _WANTED or item.subject not in (USER, scene.owner.name if scene.owner else USER):
        return
    episode, _ = scene.source(item.quote)
    for category in PREFERENCE_CATEGORIES:
        for held in scene.pen.preferences(category):
            named = name_key(str(held.value)) == name_key(item.object)
            always = held.value == _ALWAYS and name_key(held.name or "") == name_key(item.object)
            if (named or always) and held.event_at <= episode.event_at:
                until = max(item.valid_until or episode.event_at, held.event_at)
                scene.pen.close(held.id, micros(until))
                scene.report.add("ended", "preference", held.text, held.id, item.quote.words)


def correction(scene: Scene, item: Correction, *, elsewhere: bool = False) -> None:
    """What was learned from the corrected turn and says the wrong thing gives way to the right one, or ends.

    Where nothing does, the report says so, unless the same words have their effect `elsewhere`, as a wish or a claim.
    """
    episode, source = scene.source(item.quote)
    corrected = _corrected(scene, item)
    if not corrected and item.wrong and item.right and " " in item.wrong:  # "don't push to main, push to release"
        elsewhere = _rewrite_procedures(scene, item.wrong, item.right, source, episode) or elsewhere
    if item.right and any(holds(held.text, item.right) for held in corrected):  # "no, use pnpm instead of npm", again
        _bear_out(scene, item, corrected, elsewhere=elsewhere)
        return
    if not corrected and not elsewhere:
        scene.report.notes.append(f"a correction found nothing to correct: {item.quote.words!r} [id:{episode.id}]")
    for held in corrected:
        if item.right is None:
            scene.pen.close(held.id, micros(episode.event_at))
            scene.report.add("ended", held.kind, held.text, held.id, item.quote.words)
            continue
        attributes = {
            name: exchanged(value, item.wrong or "", item.right)
            for name, value in held.attributes.items()
            if value not in (None, ())
        }
        text = exchanged(held.text, item.wrong or "", item.right)
        draft = scene.draft(
            held.kind,
            text,
            episode,
            attributes,
            1.0,
            "corrected",
            importance=IMPORTANT,
            since=micros(held.valid_from or held.event_at),  # it was never the wrong one
            until=None if held.valid_until is None else micros(held.valid_until),
            also=(held,),
        )
        node = scene.pen.supersede(held.id, draft, source, micros(episode.event_at))
        scene.report.add("superseded", held.kind, f"{held.text} → {text}", node.id, item.quote.words)
        if held.kind == "procedure":
            _rests_on_what_taught_it(scene, held, node)
        if isinstance(held, Fact) and isinstance(node, Fact):
            _relate_anew(scene, held, node, item)


def _bear_out(scene: Scene, item: Correction, held: list[Node], *, elsewhere: bool) -> None:
    """What is set right was right already: said again, it is confirmed; a wish has been, where it was read as one."""
    _, source = scene.source(item.quote)
    for each in held if not elsewhere else ():
        if isinstance(each, Preference):
            again = each.stated_again(each.value, each.text, _SET_RIGHT)
            scene.pen.strengthen(each, again or each.attributes, source)
            scene.report.add("confirmed", each.kind, each.text, each.id, item.quote.words)
        elif scene.pen.support(each, source, each.confidence):
            scene.report.add("confirmed", each.kind, each.text, each.id, item.quote.words)


def _relate_anew(scene: Scene, held: Fact, right: Fact, item: Correction) -> None:
    """A relation that came of the wrong fact goes with it, and comes again of the right one."""
    things.part(scene, held, scene.pen.now)
    predicate = right.predicate or ""
    type = predicate if predicate.endswith("_of") else RELATED_BY.get(predicate)
    if type and right.subject and right.object:
        things.relate(
            scene, Relating(source=right.subject, type=type, target=right.object, quote=item.quote, confidence=1.0)
        )


def _corrected(scene: Scene, item: Correction) -> list[Node]:
    """What says the wrong thing: learned from the turn that is corrected, or else from the nearest before it.

    Between what the user told and "no, not Tom" there is mostly a turn of the agent, which nothing is learned from.
    """
    if not item.wrong:
        return []
    earlier = [id for id in sorted(scene.episodes, reverse=True) if id < item.quote.episode]
    for id in dict.fromkeys([*([item.about] if item.about is not None else []), *earlier]):
        found = [held for held in scene.pen.derived(id) if exchanged(held.text, item.wrong, "") != held.text]
        if found:
            return found
    return []


def _title(held: Procedure) -> str:
    return held.name or held.text
