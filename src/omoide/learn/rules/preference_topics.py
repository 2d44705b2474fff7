"""What a preference is about: a category, a name that is the same whenever the matter comes up, and the value."""

from __future__ import annotations

import re
from dataclasses import dataclass

from omoide.learn.proposal import SourceType
from omoide.learn.rules.known_words import LANGUAGES, TOOLS, words


@dataclass(frozen=True, slots=True)
class PreferenceTopic:
    category: str
    name: str
    value: str


# One choice among several: whoever says pnpm today and yarn tomorrow speaks of the same thing.
_CHOICES: tuple[tuple[str, str, str], ...] = (
    ("tools", "package_manager", "npm|pnpm|yarn|bun"),
    ("tools", "python_package_manager", "pip|uv|poetry|conda|pipenv"),
    (
        "tools",
        "editor",
        "vim|neovim|nvim|emacs|vs code|vscode|visual studio code|sublime|intellij|pycharm|webstorm|zed"
        "|cursor|helix|nano",
    ),
    ("tools", "shell", "zsh|bash|fish|powershell"),
    ("tools", "theme", "dark mode|light mode|dark theme|light theme|dark themes|light themes"),
    ("tools", "browser", "chrome|firefox|safari|brave"),
    ("tools", "operating_system", "linux|windows|macos|ubuntu|debian|arch"),
    ("tools", "database", "postgres|postgresql|mysql|sqlite|mongodb|mariadb"),
    ("tools", "test_runner", "jest|vitest|mocha|pytest|unittest"),
    ("tools", "frontend_framework", "react|vue|svelte|angular|solid"),
    ("tools", "styling", "tailwind|bootstrap|sass"),
    ("tools", "programming_language", "python|typescript|javascript|rust|golang|go|java|kotlin|ruby|php|c\\+\\+|c#"),
    ("formatting", "indentation", "tabs|spaces|(?:2|4|two|four) spaces"),
    ("formatting", "quotes", "single quotes|double quotes"),
    ("formatting", "units", "metric|imperial"),
    ("formatting", "time_format", "24[- ]?(?:h|hour|hours)|12[- ]?(?:h|hour|hours)"),
    ("formatting", "case_style", "camelcase|snake_case|kebab-case|pascalcase"),
)
_CHOICE = tuple(
    (
        category,
        name,
        re.compile(
            rf"(?P<value>{forms})(?: (?:units?|system|format|clock|time|indentation|for indentation))?\b", re.IGNORECASE
        ),
    )
    for category, name, forms in _CHOICES
)
# Said of every answer. The value is for wanting it; not wanting it turns it round.
_STYLES: tuple[tuple[str, str, str, str, str], ...] = (
    (
        "communication",
        "answer_length",
        "brief",
        "detailed",
        r"brief|short|shorter|concise|succinct|terse|to the point|less verbose",
    ),
    (
        "communication",
        "answer_length",
        "detailed",
        "brief",
        r"detailed|thorough|in[- ]depth|longer|verbose|elaborate|long[- ]winded|lengthy|rambling|long",
    ),
    ("communication", "emoji", "always", "never", r"emojis?|emoticons?|smileys?"),
    ("communication", "apologies", "always", "never", r"apologi[sz]\w*|saying sorry|say(?:ing)? you(?:'re| are) sorry"),
    ("communication", "jargon", "welcome", "none", r"jargon|buzzwords?"),
    ("communication", "tone", "formal", "casual", r"formal|professional tone"),
    ("communication", "tone", "casual", "formal", r"casual|informal|friendly"),
    (
        "formatting",
        "code_comments",
        "always",
        "none",
        r"(?:code )?comments?(?: (?:in|to|into) (?:the |my |your )?code)?|comment (?:the |your |my )?code",
    ),
    ("formatting", "bullet_points", "always", "none", r"bullet ?points?|bullets|bulleted lists?"),
    ("formatting", "tables", "always", "none", r"tables"),
    ("formatting", "markdown", "always", "none", r"markdown"),
    ("formatting", "type_hints", "always", "none", r"type (?:hints|annotations)"),
    ("formatting", "semicolons", "always", "none", r"semicolons"),
    ("formatting", "oxford_comma", "always", "none", r"(?:the )?oxford commas?"),
)
_STYLE = tuple(
    (category, name, wanted, refused, re.compile(rf"\b(?:{forms})\b", re.IGNORECASE))
    for category, name, wanted, refused, forms in _STYLES
)
# The subject of a longer instruction, by the first of its words that stands here.
_SUBJECTS: tuple[tuple[str, str, str], ...] = (
    ("scheduling", "meetings", r"meetings?|calls?(?= (?:before|after|on|in))|appointments?|calendar"),
    ("scheduling", "work_hours", r"work(?:ing)? hours|office hours"),
    ("workflow", "ask_first", r"ask(?: me)?(?: first)? before|check with me|confirm with me|ask first|without asking"),
    ("workflow", "commit_messages", r"commit messages?"),
    ("workflow", "tests", r"tests?|test suite|unit tests?"),
    (
        "workflow",
        "git",
        r"commit\w*|push\w*|merg\w+|rebas\w+|branch|branches|pull requests?|prs?|force[- ]push|main|master",
    ),
    ("workflow", "deploys", r"deploy\w*|production|release\w*|staging"),
    ("workflow", "linting", r"lint\w*|formatter|type ?check\w*"),
    ("workflow", "backups", r"backups?|back up"),
    ("workflow", "files", r"delete|deleting|overwrite|files?"),
    ("formatting", "code_style", r"functions?|variables?|variable names|classes|imports?|code|line length"),
    ("formatting", "dates", r"dates?|date format"),
    ("communication", "explanations", r"explain\w*|explanations?|step by step"),
    ("communication", "examples", r"examples?"),
    ("communication", "sources", r"sources?|citations?|cite|links?"),
    ("communication", "answers", r"answers?|repl(?:y|ies)|respon[sd]\w*|questions?"),
    (
        "scheduling",
        "times",
        r"(?:before|after|at|until) \d{1,2}(?::\d\d)? ?(?:am|pm)?|mornings?|evenings?|weekends?|mondays?"
        r"|tuesdays?|wednesdays?|thursdays?|fridays?",
    ),
)
_SUBJECT = tuple(
    (category, name, re.compile(rf"\b(?:{forms})\b", re.IGNORECASE)) for category, name, forms in _SUBJECTS
)
_ONLY = re.compile(
    r"\W|\b(?:a|an|the|and|more|less|not|very|answers?|repl(?:y|ies)|responses?|explanations?|tone"
    r"|style)\b",
    re.IGNORECASE,
)
_EMPTY = words(
    "a an the my your our to of in on for with and or any that this it is are be me i you please"
    " always never don't do not use when before after"
)


def choice(text: str) -> PreferenceTopic | None:
    """The known choice that the words begin with."""
    for category, name, pattern in _CHOICE:
        found = pattern.match(text)
        if found:
            return PreferenceTopic(category, name, found["value"])
    return None


def style(text: str, *, wanted: bool, whole: bool = False) -> PreferenceTopic | None:
    """A known matter of style that the words speak of; `whole`: and of nothing else."""
    for category, name, yes, no, pattern in _STYLE:
        if _ONLY.sub("", pattern.sub("", text)) == "" if whole and pattern.search(text) else pattern.search(text):
            return PreferenceTopic(category, name, yes if wanted else no)
    return None


def named_tool(text: str) -> str | None:
    """The known tool that the words begin with, as it is written."""
    parts = re.findall(r"[\w.+#-]+", text)[:3]
    for size in range(len(parts), 0, -1):
        name = TOOLS.get(" ".join(parts[:size]).lower().rstrip("."))
        if name:
            return name
    return None


def answer_language(text: str) -> str | None:
    """ "in German" → German."""
    found = re.search(r"\b(?:in|auf|en|em) (?P<name>[\w]+(?: [A-Z]\w+)?)", text)
    if not found:
        return None
    return LANGUAGES.get(found["name"].lower()) or LANGUAGES.get(found["name"].split()[0].lower())


def general(instruction: str) -> PreferenceTopic | None:
    """A longer instruction: its subject by key words; None where nothing tells what it is about."""
    for category, name, pattern in _SUBJECT:
        if pattern.search(instruction):
            return PreferenceTopic(category, name, instruction)
    return None


def snake(text: str, most: int = 4) -> str:
    kept = [word for word in re.findall(r"[^\W_]+", text.lower()) if word not in _EMPTY][:most]
    return "_".join(kept) or "other"


def between(one: str, other: str) -> str:
    """The name of a choice between two things, whichever is preferred."""
    return "_or_".join(sorted((snake(one), snake(other))))


# What a standing wish says once it is read, and the words that may stand before an instruction.


@dataclass(frozen=True, slots=True)
class StandingPreference:
    """`strength` by Kira-L: .7 to .8 where it is said, .9 where something is set right."""

    matter: PreferenceTopic
    strength: float = 0.8
    instead_of: str | None = None
    source: SourceType = "stated"


_LEAD = (
    r"(?:(?:please|pls|just|also|and|but|so|then|hey|ok|okay|well|no|actually|oh|you should|you must"
    r"|you need to|i want you to|i need you to|i'd like you to|i would like you to|make sure (?:to|you"
    r"|that you)|remember to|be sure to|can you|could you|would you|try to|kindly|bitte|por favor)[, ]{1,3}){0,4}"
)
_FROM_NOW = (
    r"(?P<now>(?:from now on|going forward|in (?:the )?future|for future reference|as a rule"
    r"|in general|whenever you write code|by default)[, ]+)?"
)
START = rf"{_LEAD}{_FROM_NOW}{_LEAD}"

# What points at the thing at hand is meant for now, not for good.
ONCE = re.compile(
    r"\b(?:yet|for now|right now|this time|today|tonight|now|again|here|this|that|these|those|it|them|him|her"
    r"|his|their)\b",
    re.IGNORECASE,
)


def closed(words: str) -> str:
    """Without the blanks that stand for ticks: " ruff , not  flake8 " is "ruff, not flake8"."""
    return re.sub(r"\s+(?=[,;!])", "", re.sub(r"\s{2,}", " ", words))


# "Benutze immer pnpm, nicht npm": the same contrast in other languages.
ELSEWHERE = re.compile(
    r"(?:bitte |por favor,? )?(?:benutze|verwende|nimm|nutze|usa|usar|utiliza|use|utilize|utilise)"
    r"(?: bitte| immer| lieber| besser| doch| stattdessen| mejor| plutôt| siempre| sempre| toujours| por favor| nur)*"
    r" (?P<right>[\w][\w .+#/-]{0,30}?)"
    r"(?:,? (?:und nicht|y no|e não|nicht|no|não|pas)|,? (?:statt|anstatt|anstelle von|en vez de|en lugar de|em vez de"
    r"|ao invés de|au lieu de)) (?P<wrong>[\w][\w.+#/-]{0,30})$",
    re.IGNORECASE,
)


# Standing wishes in German, French, Spanish and Portuguese: a few matters, in the words people use for them.


_PLEASE = r"(?:bitte|s'il (?:te|vous) plaît|stp|svp|por favor|merci|danke|gracias)"
_SHORT = r"(?:kurze?|knappe?|courtes|brèves|concises|cortas|breves|concisas|curtas)"
_WISHES: tuple[tuple[PreferenceTopic, str], ...] = (
    (
        PreferenceTopic("communication", "emoji", "never"),
        r"(?:keine|pas d'|plus d'|sin|nada de|sem|nada de|no uses|não use|n'utilise pas d'|verwende keine|benutze"
        r" keine)"
        r" ?(?:emojis?|émojis?|emoticons|smileys)",
    ),
    (
        PreferenceTopic("formatting", "code_comments", "none"),
        r"(?:keine kommentare (?:im|in den) code|pas de commentaires dans le code|sin comentarios en el código"
        r"|sem comentários no código)",
    ),
    (
        PreferenceTopic("formatting", "bullet_points", "none"),
        r"(?:keine (?:aufzählungen|stichpunkte|aufzählungspunkte)|pas de (?:listes à )?puces|sin viñetas)",
    ),
    (
        PreferenceTopic("communication", "answer_length", "brief"),
        rf"(?:(?:ich (?:bevorzuge|mag|möchte)(?: lieber)?|je préfère|prefiero|eu prefiro|prefiro) (?:les |des |las "
        rf"|as )?)?"
        rf"(?:{_SHORT} antworten|réponses {_SHORT}|respuestas {_SHORT}|respostas {_SHORT})",
    ),
    (
        PreferenceTopic("communication", "answer_length", "brief"),
        r"(?:fass dich|halte? dich) (?:immer )?kurz|antworte(?: immer| mir)* (?:kurz|knapp)|sois (?:bref|brève"
        r"|concise?)"
        r"|sé (?:breve|conciso)|seja breve|ich (?:mag|will|brauche) keine langen (?:erklärungen|antworten|texte)",
    ),
    (
        PreferenceTopic("communication", "answer_length", "detailed"),
        r"(?:ich bevorzuge|je préfère les|prefiero las|prefiro) (?:ausführliche antworten|réponses (?:longues"
        r"|détaillées)"
        r"|respuestas (?:largas|detalladas)|respostas (?:longas|detalhadas))",
    ),
)
_WISH = tuple(
    (matter, re.compile(rf"(?:{_PLEASE},? )?(?:{forms})(?: mehr| más| mais)?(?:,? {_PLEASE})?", re.IGNORECASE))
    for matter, forms in _WISHES
)


def abroad(clause: str) -> StandingPreference | None:
    """The wish that the whole clause is."""
    clause = clause.strip(" .!")
    return next((StandingPreference(matter, 0.7) for matter, pattern in _WISH if pattern.fullmatch(clause)), None)
