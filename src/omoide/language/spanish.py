"""Spanish."""

from __future__ import annotations

from omoide.language import definition
from omoide.language.definition import CAPITALIZED_NAME, Language

_SAID = "dicho|contado|mencionado|sugerido|recomendado|aconsejado|propuesto|explicado|escrito|preguntado|prometido"

SPANISH = Language(
    times=definition.spanish,
    asks=(
        ("why", r"\b(?:por\ qu[eé]|por\ cuál\ (?:razón|motivo)|a\ qué\ se\ debe)\b"),
        (
            "when",
            r"\b(?:cu[aá]ndo|desde\ cu[aá]ndo|hace\ cuánto|cuánto\ tiempo|qué\ (?:día|fecha|año|mes)|a\ qué\ hora)\b",
        ),
        ("who", r"\b(?:a\ |con\ |de\ )?qui[eé]n(?:es)?\b"),
        ("how", r"\b(?:c[oó]mo|de\ qué\ (?:forma|manera))\b"),
        ("what", r"\b(?:qu[eé]|cu[aá]l(?:es)?|d[oó]nde|adónde|cu[aá]nt[oa]s?|c[oó]mo\ se\ llama)\b"),
    ),
    remembers=r"""
        \bacuerdas\b | \brecuerdas\b | \brecu[eé]rdame\b | \bcomo\ la\ (?:última\ vez|vez\ pasada)\b
        | \bqué\ (?:dijimos|hablamos|decidimos|dije|dijiste)\b
    """,
    user_said=rf"\b(?:dije|mencioné|conté|comenté)\b | \bhe\ (?:{_SAID})\b",
    agent_said=rf"""
        \b(?:dijiste|mencionaste|sugeriste|recomendaste|aconsejaste|propusiste|explicaste)\b | \bhas\ (?:{_SAID})\b
    """,
    named_said=rf"""
        \b(?:dijo|recomendó|sugirió|mencionó|contó)\ {CAPITALIZED_NAME} | \b{CAPITALIZED_NAME}\ (?:me\ )?(?:dijo|recomendó|sugirió|contó)\b
    """,
    gathers=r"\b(?:tod[oa]s|cada|cu[aá]nt[oa]s|historial|resum\w+|lista)\b",
    compares=r"\b(?:compar\w+|diferencia\w*|mejor\ que|peor\ que|cambi[oó]|cambiado)\b",
    joins=r"\ (?:y\ (?:luego|cuándo|quién|por\ qué|cómo)|pero|porque|aunque)\b",
    function_words=(
        "el la los las un una unos de del es son era fue ha he has hemos yo mi mis me tu te nos nuestro "
        "nuestra en al a por para con sobre y no que qué quién cuándo cómo dónde cuál se lo le fui estaba "
        "estoy"
    ),
)
