"""The commonest statements in Portuguese."""

from __future__ import annotations

import re

from omoide.learn.rules.phrases import CAPITAL, person, place, proper
from omoide.learn.rules.rule import ClaimRule, plain

GATE = re.compile(
    r"(?i:eu|moro|moramos|vivo|trabalho|meu|minha|sou|gosto|adoro|não|nao|odeio|uso|usamos|tenho|nasci"
    r"|me|chamo|amo|já não|mudei|parei|deixei|saí|larguei)\b"
)
KIN = re.compile(
    rf"(?i:(?:o meu|a minha|meu|minha) (?P<kin>irmã|irmão|mãe|pai|esposa|esposo|mulher|marido|filha"
    rf"|filho|namorada|namorado|amiga|amigo|chefe|cachorro|gato|gata|cachorra) (?:se chama"
    rf"|chama-se)) (?P<who>{CAPITAL}[\w-]+)"
)
KINDS = {
    "irmã": "sister",
    "irmão": "brother",
    "mãe": "mother",
    "pai": "father",
    "esposa": "wife",
    "mulher": "wife",
    "esposo": "husband",
    "marido": "husband",
    "filha": "daughter",
    "filho": "son",
    "namorada": "girlfriend",
    "namorado": "boyfriend",
    "amiga": "friend",
    "amigo": "friend",
    "chefe": "boss",
    "cachorro": "dog",
    "cachorra": "dog",
    "gato": "cat",
    "gata": "cat",
}
_NOUN = re.compile(
    r"(?:muito |mais )?(?:de |do |da |dos |das )?(?:o |a |os |as )?([a-záéíóúâêôãõçà]+(?: (?:de |do "
    r"|da )?[a-záéíóúâêôãõçà]+)?)(?=\s*(?:$|[,.!]|porque|mas|e\b|muito))",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"(?:que|quando|como|muito|isso|isto|disso|disto|você|voce|te|seu|sua|desse|dessa|deste|desta|nada"
    r"|se|ir|fazer|ver|ideia|ele|ela)\b",
    re.IGNORECASE,
)


def noun(rest: str) -> tuple[str, ...]:
    found = _NOUN.match(rest)
    return (found[1],) if found and not _NOT.match(found[1]) and not _NOT.match(rest) else ()


RULES: tuple[ClaimRule, ...] = (
    plain("lives_in", r"(?:eu )?(?:moro|moramos) (?:agora |atualmente )?(?:em|no|na) ", place, "place"),
    plain("lives_in", r"(?:eu )?vivo (?:em|no|na) ", place, "place"),
    plain("lives_in", r"(?:eu )?(?:não|nao) moro mais (?:em|no|na) ", place, "place", ended=True),
    plain("lives_in", r"(?:eu )?(?:me )?mudei(?:-me)? para ", place, "place"),
    plain(
        "works_at", r"(?:eu )?trabalho (?:agora |atualmente )?(?:na|no|em|para a|para o|para) ", proper, "organization"
    ),
    plain("works_at", r"(?:eu )?(?:não|nao) trabalho mais (?:na|no|em|para) ", proper, "organization", ended=True),
    plain("comes_from", r"(?:eu )?sou (?:de|do|da) ", place, "place"),
    plain("born_in", r"(?:eu )?nasci (?:em|no|na) ", place, "place"),
    plain("name", r"(?:o )?(?:meu nome é|me chamo|eu me chamo|chamo-me) ", person),
    plain("age", r"(?:eu )?tenho (?=\d+ anos\b(?! (?:de|em|por|para)\b))", lambda rest: (rest.split()[0],)),
    plain("likes", r"(?:eu )?(?:gosto de|gosto muito de|gosto do|gosto da|adoro|amo) ", noun),
    plain("dislikes", r"(?:eu )?(?:(?:não|nao) gosto (?:de|do|da)|odeio|detesto) ", noun),
    plain("allergic_to", r"(?:eu )?sou alérgic[oa] (?:ao |à |aos |às |a )", noun),
    plain(
        "diet",
        r"(?:eu )?sou (?=vegan[oa]\b|vegetarian[oa]\b)",
        lambda rest: ("vegan" if rest.lower().startswith("vegan") else "vegetarian",),
    ),
    plain("uses", r"(?:eu )?(?:uso|usamos|utilizo) ", proper, "tool"),
    plain(
        "uses",
        r"(?:eu )?(?:(?:não|nao) uso mais(?: o| a)?|já não uso|parei de usar|deixei de usar)(?: o| a)? ",
        proper,
        "tool",
        ended=True,
    ),
    plain(
        "works_at",
        r"(?:eu )?(?:saí d[ao]|larguei (?:o|meu) emprego n[ao]|parei de trabalhar n[ao]) ",
        proper,
        "organization",
        ended=True,
    ),
)
