"""The commonest statements in Spanish."""

from __future__ import annotations

import re

from omoide.learn.rules.phrases import CAPITAL, person, place, proper
from omoide.learn.rules.rule import ClaimRule, plain

GATE = re.compile(
    r"(?i:yo|vivo|vivimos|trabajo|me|mi|soy|tengo|uso|usamos|nací|ya no|no|odio|prefiero|estoy|hablo|dejé|renuncié)\b"
)
KIN = re.compile(
    rf"(?i:mi (?P<kin>hermana|hermano|madre|padre|esposa|esposo|mujer|marido|hija|hijo|novia|novio"
    rf"|amiga|amigo|jefa|jefe|perro|gato|gata|perra) se llama) (?P<who>{CAPITAL}[\w-]+)"
)
KINDS = {
    "hermana": "sister",
    "hermano": "brother",
    "madre": "mother",
    "padre": "father",
    "esposa": "wife",
    "mujer": "wife",
    "esposo": "husband",
    "marido": "husband",
    "hija": "daughter",
    "hijo": "son",
    "novia": "girlfriend",
    "novio": "boyfriend",
    "amiga": "friend",
    "amigo": "friend",
    "jefa": "boss",
    "jefe": "boss",
    "perro": "dog",
    "perra": "dog",
    "gato": "cat",
    "gata": "cat",
}
_NOUN = re.compile(
    r"(?:mucho |muchísimo )?(?:el |la |los |las |a las |a los )?([a-záéíóúñü]+(?: (?:de |del |a la "
    r"|al )?[a-záéíóúñü]+)?)(?=\s*(?:$|[,.!]|porque|pero|y\b|mucho))",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"(?:que|cuando|como|mucho|esto|eso|lo|tu|tus|su|sus|este|esta|ese|esa|la idea|nada|si|ir|hacer|ver)\b",
    re.IGNORECASE,
)


def noun(rest: str) -> tuple[str, ...]:
    found = _NOUN.match(rest)
    return (found[1],) if found and not _NOT.match(found[1]) and not _NOT.match(rest) else ()


RULES: tuple[ClaimRule, ...] = (
    plain("lives_in", r"(?:yo )?(?:vivo|vivimos|resido) (?:ahora |actualmente )?en ", place, "place"),
    plain("lives_in", r"(?:yo )?ya no vivo en ", place, "place", ended=True),
    plain("lives_in", r"me mudé a ", place, "place"),
    plain("works_at", r"(?:yo )?trabajo (?:ahora |actualmente )?(?:en|para) ", proper, "organization"),
    plain("works_at", r"(?:yo )?ya no trabajo (?:en|para) ", proper, "organization", ended=True),
    plain("comes_from", r"(?:yo )?soy de ", place, "place"),
    plain("born_in", r"(?:yo )?nací en ", place, "place"),
    plain("name", r"(?:me llamo|mi nombre es) ", person),
    plain("age", r"tengo (?=\d+ años\b(?! (?:de|en|por|para)\b))", lambda rest: (rest.split()[0],)),
    plain("likes", r"(?:me gustan?|me encantan?) ", noun),
    plain("dislikes", r"(?:no me gustan?(?: nada)?|odio) ", noun),
    plain("allergic_to", r"(?:yo )?soy alérgic[oa] (?:al |a la |a las |a los |a )", noun),
    plain(
        "diet",
        r"(?:yo )?soy (?=vegan[oa]\b|vegetarian[oa]\b)",
        lambda rest: ("vegan" if rest.lower().startswith("vegan") else "vegetarian",),
    ),
    plain("uses", r"(?:yo )?(?:uso|usamos|utilizo) ", proper, "tool"),
    plain("uses", r"(?:yo )?(?:ya no (?:uso|utilizo)|dejé de usar) ", proper, "tool", ended=True),
    plain(
        "works_at",
        r"(?:yo )?(?:dejé (?:mi trabajo|de trabajar) en|renuncié (?:a mi trabajo )?en) ",
        proper,
        "organization",
        ended=True,
    ),
)
