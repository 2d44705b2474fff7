"""The commonest statements in French."""

from __future__ import annotations

import re

from omoide.learn.rules.known_words import LANGUAGES, words
from omoide.learn.rules.phrases import CAPITAL, known_place, person, place, proper, tool
from omoide.learn.rules.rule import ClaimRule, plain

GATE = re.compile(r"(?i:je|j'|mon|ma|notre|nous|on|moi|avant)(?![\w])|(?i:j')")
KIN = re.compile(
    r"(?i:(?:(?:ma|mon|notre) (?:(?:petite?|grande?|meilleure?) )?|(?:j'ai|on a|nous avons) une? (?=\w+ (?:qui|nommé"
    r"|appelé)))(?P<kin>sœur|soeur|frère|mère|père|femme|mari|épouse|fille|fils|copine|copain|compagne|compagnon|amie?"
    r"|chef(?:fe)?|patron(?:ne)?|cousine?|oncle|tante|collègue|voisine?|coloc|chien(?:ne)?|chat(?:te)?)"
    rf"(?:,? (?:qui )?s'appelle| nommée?| appelée?|,)?) (?P<who>{CAPITAL}[\w-]+)(?=[\s,.!]|$)"
)
_KIN = {
    "sister": "sœur soeur",
    "brother": "frère",
    "mother": "mère",
    "father": "père",
    "wife": "femme épouse",
    "husband": "mari",
    "daughter": "fille",
    "son": "fils",
    "girlfriend": "copine",
    "boyfriend": "copain",
    "partner": "compagne compagnon",
    "friend": "ami amie",
    "boss": "chef cheffe patron patronne",
    "cousin": "cousin cousine",
    "uncle": "oncle",
    "aunt": "tante",
    "colleague": "collègue",
    "neighbor": "voisin voisine",
    "roommate": "coloc",
    "dog": "chien chienne",
    "cat": "chat chatte",
}
KINDS = {word: kind for kind, forms in _KIN.items() for word in forms.split()}
IS = re.compile(r"(?:,? et)?(?: elle| il)? est (?P<rest>\S.*)", re.IGNORECASE)
_ADV = r"(?: (?:maintenant|actuellement|toujours|aussi|encore|désormais|depuis \w+ \w+))*"
_TRADES = words("""
    développeur développeuse ingénieur ingénieure infirmier infirmière médecin professeur professeure prof enseignant
    enseignante avocat avocate architecte pompier pompière cuisinier cuisinière boulanger boulangère serveur serveuse
    comptable journaliste graphiste plombier électricien électricienne menuisier menuisière coiffeur coiffeuse vendeur
    vendeuse pharmacien pharmacienne dentiste vétérinaire psychologue kiné kinésithérapeute traducteur traductrice
    photographe musicien musicienne écrivain écrivaine chercheur chercheuse consultant consultante secrétaire facteur
    factrice policier policière agriculteur agricultrice pilote chauffeur mécanicien mécanicienne illustrateur
    illustratrice designer institutrice instituteur bibliothécaire jardinier jardinière notaire juriste
""")
_NOUN = re.compile(
    r"(?:le |la |les |l'|du |des |de la )?(?P<noun>[a-zà-ÿœ]{3,}(?: (?:de |du |d'|à |au |aux |en )(?:la "
    r"|l')?[a-zà-ÿœ]+)?)"
    r"(?=\s*(?:$|[,.!]|(?:car|parce|mais|et|donc|depuis)\b))",
    re.IGNORECASE,
)
# What is at hand, and what leans on something said before.
_NOT = re.compile(
    r"(?:le |la |les |l')?(?:idée|façon|manière|réponse|ton|fait|proposition|solution|résultat|version|premi\w+"
    r"|deuxième"
    r"|dernier\w*|code|texte|titre|suite|bien|beaucoup|pas|trop|quand|comment|que|ça|cela|cette|cet|ces|lundis?|matins?"
    r"|travail|conneries?|bêtises?|réunions?)\b",
    re.IGNORECASE,
)


def noun(rest: str) -> tuple[str, ...]:
    found = _NOUN.match(rest)
    return (found["noun"],) if found and not _NOT.match(rest) else ()


def allergens(rest: str) -> tuple[str, ...]:
    found = [noun(part) for part in re.split(r" et (?:aux |à la |au |à l')", rest)]
    return tuple(each[0] for each in found if each) if all(found) else ()


def trade(rest: str) -> tuple[str, ...]:
    found = re.match(r"(?:une? )?([\wà-ÿœ]+)(?=\s*(?:$|[,.!]|(?:à|chez|dans|en|depuis|et|pour|au)\b))", rest)
    return (found[1],) if found and found[1].lower() in _TRADES else ()


def spoken(rest: str) -> tuple[str, ...]:
    found = [LANGUAGES.get(part.strip().lower()) for part in re.split(r" et (?:l'|le )?|, (?:l'|le )?", rest)]
    return tuple(each for each in found if each) if all(found) else ()


_IN = r"(?:à |en |au |aux )"

RULES: tuple[ClaimRule, ...] = (
    plain(
        "lives_in", rf"(?:j'habite|je vis|je réside|on habite|nous habitons|nous vivons){_ADV} {_IN}", place, "place"
    ),
    plain(
        "lives_in",
        r"(?:j'ai (?:récemment )?(?:déménagé|emménagé)|je me suis installée?|nous avons déménagé|on a déménagé) " + _IN,
        place,
        "place",
    ),
    plain("lives_in", rf"(?:je n'habite|j'habite|je ne vis|je vis) plus {_IN}", place, "place", ended=True),
    plain("lives_in", rf"avant,? (?:j'habitais|je vivais) {_IN}", place, "place", ended=True),
    plain(
        "works_at",
        rf"(?:je travaille|je bosse){_ADV} (?:chez |pour |(?:à la |au |à l')(?=[A-Z]{{2,}}))",
        proper,
        "organization",
    ),
    plain(
        "works_at",
        r"je (?:ne )?(?:travaille|bosse) plus (?:chez|pour) |j'ai démissionné de chez ",
        proper,
        "organization",
        ended=True,
    ),
    plain("works_as", rf"(?:je suis|je travaille{_ADV} comme|je bosse comme) ", trade),
    plain("comes_from", r"je suis originaire (?:de |d'|du )", place, "place"),
    plain("comes_from", r"je viens (?:de |d'|du )", known_place, "place"),
    plain("born_in", rf"je suis née? {_IN}", place, "place"),
    plain("name", r"(?:je m'appelle|mon (?:pré)?nom est|moi,? c'est) ", person),
    plain("age", r"j'ai (?=\d+ ans\b(?! d(?:e\b|u\b|\')))", lambda rest: (rest.split()[0],)),
    plain("likes", r"(?:j'aime(?: (?:bien|beaucoup|vraiment))?|j'adore) (?=(?:le|la|les) |l')", noun),
    plain(
        "dislikes",
        r"(?:(?:je n'aime|j'aime) pas(?: (?:trop|du tout|vraiment))?|je déteste|je (?:ne )?supporte pas) "
        r"(?=(?:le|la|les) |l')",
        noun,
    ),
    plain("allergic_to", r"je suis (?:très |gravement )?allergique (?:à la |à l'|aux |au |à )", allergens),
    plain(
        "diet",
        r"je suis (?=végétarien(?:ne)?\b|végétalien(?:ne)?\b|végane?\b|vegan\b)",
        lambda rest: ("vegetarian" if rest.lower().startswith("végétar") else "vegan",),
    ),
    plain("speaks", r"je parle (?:couramment )?(?:le |l')?", spoken),
    plain("uses", r"(?:j'utilise|on utilise|nous utilisons) ", tool, "tool"),
    plain("uses", r"(?:je n'utilise|j'utilise|on n'utilise) plus ", tool, "tool", ended=True),
)
