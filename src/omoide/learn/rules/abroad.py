"""Standing wishes in German, French, Spanish and Portuguese: a few matters, in the words people use for them."""

from __future__ import annotations

import re

from .matter import Matter
from .told import Told

_PLEASE = r"(?:bitte|s'il (?:te|vous) plaît|stp|svp|por favor|merci|danke|gracias)"
_SHORT = r"(?:kurze?|knappe?|courtes|brèves|concises|cortas|breves|concisas|curtas)"
_WISHES: tuple[tuple[Matter, str], ...] = (
    (
        Matter("communication", "emoji", "never"),
        r"(?:keine|pas d'|plus d'|sin|nada de|sem|nada de|no uses|não use|n'utilise pas d'|verwende keine|benutze"
        r" keine)"
        r" ?(?:emojis?|émojis?|emoticons|smileys)",
    ),
    (
        Matter("formatting", "code_comments", "none"),
        r"(?:keine kommentare (?:im|in den) code|pas de commentaires dans le code|sin comentarios en el código"
        r"|sem comentários no código)",
    ),
    (
        Matter("formatting", "bullet_points", "none"),
        r"(?:keine (?:aufzählungen|stichpunkte|aufzählungspunkte)|pas de (?:listes à )?puces|sin viñetas)",
    ),
    (
        Matter("communication", "answer_length", "brief"),
        rf"(?:(?:ich (?:bevorzuge|mag|möchte)(?: lieber)?|je préfère|prefiero|eu prefiro|prefiro) (?:les |des |las "
        rf"|as )?)?"
        rf"(?:{_SHORT} antworten|réponses {_SHORT}|respuestas {_SHORT}|respostas {_SHORT})",
    ),
    (
        Matter("communication", "answer_length", "brief"),
        r"(?:fass dich|halte? dich) (?:immer )?kurz|antworte(?: immer| mir)* (?:kurz|knapp)|sois (?:bref|brève"
        r"|concise?)"
        r"|sé (?:breve|conciso)|seja breve|ich (?:mag|will|brauche) keine langen (?:erklärungen|antworten|texte)",
    ),
    (
        Matter("communication", "answer_length", "detailed"),
        r"(?:ich bevorzuge|je préfère les|prefiero las|prefiro) (?:ausführliche antworten|réponses (?:longues"
        r"|détaillées)"
        r"|respuestas (?:largas|detalladas)|respostas (?:longas|detalhadas))",
    ),
)
_WISH = tuple(
    (matter, re.compile(rf"(?:{_PLEASE},? )?(?:{forms})(?: mehr| más| mais)?(?:,? {_PLEASE})?", re.IGNORECASE))
    for matter, forms in _WISHES
)


def abroad(clause: str) -> Told | None:
    """The wish that the whole clause is."""
    clause = clause.strip(" .!")
    return next((Told(matter, 0.7) for matter, pattern in _WISH if pattern.fullmatch(clause)), None)
