"""French."""

from __future__ import annotations

from omoide.language import definition
from omoide.language.definition import CAPITALIZED_NAME, Language

_SAID = "dit|raconté|mentionné|proposé|suggéré|recommandé|conseillé|expliqué|écrit|demandé|promis|donné"

FRENCH = Language(
    times=definition.french,
    asks=(
        ("why", r"\b(?:pourquoi|pour\ quelle\ raison)\b"),
        ("when", r"\b(?:quand|depuis\ quand|combien\ de\ temps|quelle\ année|quel\ (?:jour|mois))\b"),
        ("when", r"\bà\ quelle\ (?:date|heure)\b"),
        ("who", r"\b(?:qui|à\ qui|avec\ qui|quelle\ personne)\b"),
        ("how", r"\b(?:comment|de\ quelle\ (?:façon|manière))\b"),
        ("what", r"\b(?:que|quoi|quel(?:le|s|les)?|où|combien|comment\ s'appelle)\b|\bqu'"),
    ),
    remembers=r"""
        \b(?:te|vous)\ (?:souviens|souvenez|rappelles|rappelez)\b | \brappelle[sz]?[ -]moi\b | \bsouviens-toi\b
        | \bcomme\ la\ dernière\ fois\b
        | \bqu(?:e\ |')(?:avons-nous|est-ce\ qu'on\ a|a-t-on|as-tu|ai-je)\ (?:dit|décidé)\b
    """,
    user_said=rf"\bai-je\ (?:{_SAID})\b | \bj'ai\ (?:\w+\ )?(?:{_SAID})\b",
    agent_said=rf"\b(?:as-tu|tu\ (?:m')?as|avez-vous|vous\ (?:m')?avez)\ (?:{_SAID})\b",
    named_said=rf"\b{CAPITALIZED_NAME}\ (?:m')?a(?:-t-il|-t-elle)?\ (?:{_SAID})\b | \ba\ (?:{_SAID})\ {CAPITALIZED_NAME}",
    gathers=r"\b(?:tous|toutes|tout|chaque|combien\ de|historique|résum\w+|liste)\b",
    compares=r"\b(?:compar\w+|différen\w+|mieux\ que|plutôt\ que|changé)\b",
    joins=r"\ (?:et\ (?:puis|quand|qui|pourquoi|comment)|mais|parce\ que|bien\ que)\b",
    function_words=(
        "le la les un une des du de est sont était a ai as avons avez je j mon ma mes me tu ton ta te vous "
        "nous notre il elle on à en dans sur pour avec et ne pas que qui quand où quel quelle pourquoi "
        "comment ce cette moi"
    ),
)
