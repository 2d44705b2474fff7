"""Where a word fits that sets something right: "Autodesk" goes into "I work at Adobe" where Adobe stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from omoide.layers.entity import name_key
from omoide.learn.proposal import Turn

from .claims import claims_in
from .found import Found, Scene
from .mask import masked
from .mood import read
from .phrase import RUN
from .said.kin import Kin
from .sense import sound
from .sentence import sentences

_ALIKE = 0.6  # of the letters: Jon and John, Marta and Martha
_NOTHING = re.compile(
    r"(?:no|not|nothing|none|well|that|this|it|you|me|what|how|if|when|to|thanks|thank|please|sorry|yes|ok|okay|later"
    r"|never|maybe|sure|so|just|only|every|all|business)\b"
    r"|(?:claude|chatgpt|gpt|gemini|copilot|siri|alexa|assistant|bot|omoide)$",
    re.IGNORECASE,
)


def own_last(scene: Scene, before: Sequence[Turn]) -> Turn | None:
    """What the same speaker said just before, with at most an answer between."""
    return next(
        (turn for turn in reversed(before[-3:]) if turn.role == "user" and turn.speaker == scene.turn.speaker), None
    )


def told_in(scene: Scene, turn: Turn, text: str | None = None) -> list[Found]:
    """What the rules read in a turn, or would if its words were these."""
    words = masked(turn.text, turn.speaker) if text is None else text
    return sound(list(claims_in(Scene(turn, scene.speaker), read(sentences(words)))), words)


def replaced_by(right: str, scene: Scene, before: Sequence[Turn]) -> str | None:
    """What was said in the one place where `right` makes a statement of the same kind; None if none or several do."""
    turn = own_last(scene, before)
    if turn is None or is_nothing(right) or len(right.split()) > 4:
        return None
    text = masked(turn.text, turn.speaker)
    found = [item.claim for item in told_in(scene, turn)]
    fits: dict[str, str] = {}
    for claim in found:
        wrong = re.search(rf"(?<!\w){re.escape(claim.object)}(?!\w)", text, re.IGNORECASE)
        if wrong is None or name_key(right) in name_key(wrong[0]) or claim.negated:
            continue
        anew = told_in(scene, turn, f"{text[: wrong.start()]}{right}{text[wrong.end() :]}")
        if any(
            (each.claim.predicate, name_key(each.claim.object)) == (claim.predicate, name_key(right)) for each in anew
        ):
            fits[name_key(claim.object)] = wrong[0]
    return next(iter(fits.values())) if len(fits) == 1 else None


def _says(found: Found, predicate: str, object: str) -> bool:
    return found.claim.predicate == predicate and name_key(found.claim.object) == name_key(object)


def is_nothing(right: str) -> bool:
    """ "No, thanks", "sorry, Claude": said to whoever listens, and no other value of anything."""
    return _NOTHING.match(right) is not None


def misspelled(right: str, scene: Scene, before: Sequence[Turn]) -> str | None:
    """The one name said before that is nearly this one."""
    turn = own_last(scene, before)
    names = {name for run in re.findall(RUN, turn.text) for name in run.split()} if turn else set()
    alike = [name for name in sorted(names) if name != right and _ratio(name, right) > _ALIKE]
    return alike[0] if len(alike) == 1 else None


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


def people(scene: Scene, before: Sequence[Turn]) -> list[Kin]:
    """Whom the speaker told of just before: "no wait, she lives in Lagos" is about her."""
    turn = own_last(scene, before)
    found = told_in(scene, turn) if turn else []
    persons = {item.claim.subject: item.claim.predicate for item in reversed(found) if item.subject_type == "person"}
    return [Kin(who, predicate, predicate.removesuffix("_of"), 0, 0) for who, predicate in persons.items()]
