"""What the wording of a question tells: its intent, its complexity, whose words it asks for, and misspelled names.

All functions but those that embed examples are pure. The cue words of each language are in `omoide.language`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from omoide.domain.entity import MIN_LONG_WORD, EntityNames, name_key
from omoide.language.registry import Language, QuestionKind, compiled_pattern, language_pattern, words_of
from omoide.language.text import split_at_marks
from omoide.language.time import DateClue, QuestionTime, SessionNumbers, SessionsAgo
from omoide.store import embed_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.providers.protocols import Embedder


# ── intent ────────────────────────────────────────────────────────────────────────────────────────────────────────

EXEMPLAR_THRESHOLD = 0.45  # cosine below which an exemplar tells nothing
_EXEMPLAR_MARGIN = 0.1  # by how much an exemplar must beat the best small-talk exemplar


@dataclass(frozen=True, slots=True)
class Intent:
    """The kind of answer that is wanted, and the rule or exemplar that told it."""

    kind: QuestionKind
    by: str

    def __str__(self) -> str:
        return f"{self.kind} ({self.by})"


GENERAL_INTENT = Intent("general", "no cue")


def intent_by_rule(text: str, language: Language) -> Intent:
    """The intent by the cue words of the language; sentences with a question mark are read first.

    Rules come before exemplars because a small embedder encodes the topic and not the question word: on 176 questions
    in nine languages the rules are right for 98 %, MiniLM's nearest exemplar for 38 % (46 % without the margin).
    """
    sentences = split_at_marks(compiled_pattern(language.non_questions).sub(" ", text.replace("’", "'")))
    asking = [each for each in sentences if each.rstrip().endswith(("?", "？"))]
    for sentence in (*asking, *sentences):
        if found := _earliest_cue(sentence, language):
            return found
    return GENERAL_INTENT


def intent_by_exemplar(
    vector: NDArray[np.float32], exemplars: IntentExemplars, threshold: float = EXEMPLAR_THRESHOLD
) -> Intent | None:
    """The intent of the nearest exemplar; None if none is near enough, or small talk is nearly as near."""
    import numpy as np

    cosines: list[float] = np.vecdot(exemplars.vectors, vector).tolist()  # `vecdot` stays on one thread
    best = max(range(len(cosines)), key=cosines.__getitem__)
    kind, text = exemplars.texts[best]
    general = max(cosine for cosine, (other, _) in zip(cosines, exemplars.texts, strict=True) if other == "general")
    if cosines[best] < max(threshold, general + _EXEMPLAR_MARGIN):
        return None
    return Intent(kind, f"like {text!r}, {cosines[best]:.2f}")


def _earliest_cue(sentence: str, language: Language) -> Intent | None:
    """The intent of the first cue; of two at the same place, the longer one."""
    best: tuple[int, int, QuestionKind, str] | None = None
    for kind, pattern in language.question_cues:
        found = compiled_pattern(pattern).search(sentence)
        if found and (best is None or (found.start(), -found.end()) < best[:2]):
            best = (found.start(), -found.end(), kind, found[0])
    return None if best is None else Intent(best[2], f"by rule {best[3].strip()!r}")


# Example questions of each intent in several languages, embedded once for each embedder.


_TEXTS: dict[QuestionKind, str] = {
    "why": """
        Why did we do that? | What was the reason for this decision? | How come it failed? | What caused the problem? |
        Explain the motivation behind the change | I wonder about the reason he left | Warum haben wir das gemacht? |
        Pourquoi avons-nous choisi cela ? | ¿Por qué cambiamos de idea? | Por que isso aconteceu? | Perché abbiamo
        deciso così? | Почему мы так решили? | 我们为什么这样做？ | どうしてそうしたのですか？
    """,
    "when": """
        When did this happen? | What day was the meeting? | On which date did we start? | How long ago was that? | At
        what time is the appointment? | Give me the date of the event | Wann war das? | Quand est-ce arrivé ? | ¿Cuándo
        fue eso? | Quando foi isso? | Quando è successo? | Когда это было? | 那是什么时候的事？ | それはいつでしたか？
    """,
    "who": """
        Who is that person? | Who told me about it? | Whose idea was it? | Which people were involved? | Name the person
        responsible | With whom did I go? | Wer hat das gesagt? | Qui était avec moi ? | ¿Quién me lo dijo? | Quem fez
        isso? | Chi era con me? | Кто это сделал? | 那个人是谁？ | 誰が言いましたか？
    """,
    "what": """
        What is my favourite food? | What did I buy? | Which tool do we use? | Where do I live? | What is the name of
        the project? | How many books did I read? | Was ist mein Lieblingsessen? | Qu'est-ce que j'ai acheté ? | ¿Qué
        herramienta usamos? | Qual é o nome do projeto? | Che cosa ho comprato? | Что я купил? |
        我喜欢吃什么？ | 何を買いましたか？
    """,
    "how": """
        How do I deploy the app? | How did we fix the error? | What are the steps to set it up? | Show me the way to do
        this | Walk me through the procedure | Instructions for configuring the server | Wie richte ich das ein? |
        Comment faire cela ? | ¿Cómo se configura? | Como faço isso? | Come si fa? | Как это настроить? | 这个怎么做？ |
        どうやって設定しますか？
    """,
    "general": """
        Tell me about the project | I had a good day today | Hello, nice to see you again | Thanks, that was helpful |
        Let's continue with the plan | Please write an email to the team | Erzähl mir etwas über das Projekt | Parle-moi
        du projet | Cuéntame sobre el proyecto | Fale-me sobre o projeto | Parlami del progetto | Расскажи мне о проекте
        | 给我讲讲这个项目 | プロジェクトについて教えて
    """,
}  # separated by |


@dataclass(frozen=True, slots=True, eq=False)
class IntentExemplars:
    """(intent, text) pairs, and their vectors in the same order."""

    texts: tuple[tuple[QuestionKind, str], ...]
    vectors: NDArray[np.float32]


def intent_exemplars(embedder: Embedder) -> IntentExemplars:
    """The exemplars of an embedder."""
    texts = tuple((kind, " ".join(text.split())) for kind, several in _TEXTS.items() for text in several.split("|"))
    return IntentExemplars(texts, embed_once(embedder, tuple(text for _, text in texts)))


_embedded: dict[tuple[type, str, int, tuple[str, ...]], NDArray[np.float32]] = {}


def embed_once(embedder: Embedder, texts: tuple[str, ...]) -> NDArray[np.float32]:
    """The vectors of texts that never change, computed once in a process. Raises `EmbedderFailed`."""
    key = (type(embedder), embedder.name, embedder.dimensions, texts)
    if key not in _embedded:
        _embedded[key] = embed_texts(embedder, texts).vectors
    return _embedded[key]


# ── requests and advice ───────────────────────────────────────────────────────────────────────────────────────────

_ADVICE = re.compile(
    r"\b(?:recommend|recommendations?|suggest|suggestions?|advice|advise|tips?|ideas?|options?|inspiration)\b"
    r"|\b(?:what|which|where|how|who)\b[^.?!]{0,60}\b(?:should|could|can|would|might|do)\s+(?:i|we|you)\b(?!\s+(?:say|said|tell|remember))"
    r"|\bwhat(?:'s|\s+is|\s+are)\s+(?:the|some|a|your)\s+(?:\w+\s+)?(?:best|good|great|better|top|easiest|most|popular|effective)\b"
    r"|\b(?:help|assist|guide)\s+me\b|\bi(?:'m|\s+am)\s+(?:planning|looking|trying|thinking|considering|going|hoping|about)\b"
    r"|\bi\s+(?:want|need|'d\s+like|would\s+like|plan)\s+to\b|\b(?:plan|design|create|write|make|find|pick|choose)\s+(?:me|for\s+me|an?|some|the)\b"
    r"|\b(?:should|can|could)\s+(?:i|we|you)\b|\bwhat\s+to\s+\w|\bwhat\s+can\s+\w+\s+(?:have|eat|wear|do|bring|use)\b",
    re.I,
)


def seeks_advice(text: str) -> bool:
    """Whether a question asks what to choose, do or make, so that the user's preferences should shape the answer."""
    return _ADVICE.search(text) is not None


def asks_for_action(text: str, intent: Intent) -> bool:
    """Whether a message wants something done or chosen ("order pizza for six"), and not only what is known."""
    return seeks_advice(text) or (intent.kind == "general" and not language_pattern("polar_questions").match(text))


# ── the asking part of a message, explicit recall, speaker ────────────────────────────────────────────────────────


def asking_sentences(text: str, language: Language) -> str:
    """The sentences that ask something. "You suggested Rome, so I went" does not ask for the agent's words."""
    return " ".join(each.strip() for each in split_at_marks(text) if _is_asking(each.strip(), language))


def _is_asking(sentence: str, language: Language) -> bool:
    if sentence.endswith(("?", "？")):
        return True
    return any(
        compiled_pattern(pattern).match(sentence)
        for pattern in (*(each for _, each in language.question_cues), language.recall_cues)
    )


def asked_part(text: str) -> str:
    """A question without the clauses that only tell why it is asked: "what do I drive, for the insurance form?"."""
    if len(text) > _LONGEST_ASIDE:
        return text
    clauses = [each for each in _CLAUSE_END.split(text) if each.strip()]
    kept = [each for each in clauses if not language_pattern("asides").fullmatch(each.replace("’", "'"))]
    return " ".join(kept).strip() if kept and len(kept) < len(clauses) else text


def explicit_recall(text: str, language: Language) -> str | None:
    """The words that explicitly ask to remember ("remember when", "like last time"), or None."""
    found = compiled_pattern(language.recall_cues).search(text.replace("’", "'"))
    return found[0].strip() if found else None


_LONGEST_ASIDE = 300  # characters of a question with an aside; a longer message tells a story
_CLAUSE_END = re.compile(r"(?<=[,.;:?!])\s+")
_NOT_NAMES = frozenset("i you we he she they it what who when where why how which that this somebody someone".split())
_FIRST_PERSON = frozenset("i me my mine".split())
_SECOND_PERSON = frozenset("you your yours".split())


@dataclass(frozen=True, slots=True)
class AskedSpeaker:
    """Whose words the question asks for: the user's, the agent's or a named person's; and the words that told it."""

    by: Literal["user", "agent", "named"]
    cue: str
    name: str | None = None

    def __str__(self) -> str:
        return f"{self.name or self.by} ({self.cue!r})"


def asked_speaker(text: str, language: Language) -> AskedSpeaker | None:
    """Whose words are asked for ("what did Anna say"). A name wins over "you", which often only addresses the agent."""
    text = text.replace("’", "'")
    if found := compiled_pattern(language.user_said).search(text):
        return AskedSpeaker("user", found[0].strip())
    for found in compiled_pattern(language.named_said, case_sensitive=True).finditer(text):
        name = next(filter(None, found.groups())).removesuffix("'s")
        if name.lower() not in _NOT_NAMES:
            return AskedSpeaker("named", found[0].strip(), name)
    if found := compiled_pattern(language.agent_said).search(text):
        return AskedSpeaker("agent", found[0].strip())
    return None


def asks_about_user(text: str) -> bool:
    """Whether the user asks about themselves and does not address the agent."""
    words = set(name_key(text).split())
    return bool(words & _FIRST_PERSON) and not words & _SECOND_PERSON


# ── complexity ────────────────────────────────────────────────────────────────────────────────────────────────────

_LONG_QUESTION = 25  # words
_MANY_NAMES = 3
_LONG_RANGE = timedelta(days=8)  # more than a week is a range to summarise, not a day to look up
_QUESTION_MARK = re.compile(r"[?？]")


@dataclass(frozen=True, slots=True)
class Complexity:
    """How many links to follow, hits to return and tokens to spend, and the signs that told it."""

    name: str
    depth: int
    limit: int
    budget: int  # tokens
    reasons: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(self.reasons)})" if self.reasons else self.name


SIMPLE = Complexity("simple", depth=2, limit=5, budget=1000)
COMPLEX = Complexity("complex", depth=4, limit=20, budget=3000)


def complexity_of(
    text: str, language: Language, entities: int = 0, when: QuestionTime | None = None, explicit: bool = False
) -> Complexity:
    """Complex with one strong sign or two weak ones, else simple."""
    strong = _strong_signs(text, language, entities, when, explicit)
    weak = _weak_signs(text, language, entities)
    if strong or len(weak) > 1:
        return replace(COMPLEX, reasons=(*strong, *weak))
    return replace(SIMPLE, reasons=tuple(weak)) if weak else SIMPLE


def _strong_signs(text: str, language: Language, entities: int, when: QuestionTime | None, explicit: bool) -> list[str]:
    signs = []
    if found := compiled_pattern(language.collection_cues).search(text):
        signs.append(f"gathers: {found[0].strip()!r}")
    if found := compiled_pattern(language.comparison_cues).search(text):
        signs.append(f"compares: {found[0].strip()!r}")
    if entities >= _MANY_NAMES:
        signs.append(f"{entities} names")
    if when is not None and (phrase := _time_range(when)):
        signs.append(f"a time range: {phrase!r}")
    if explicit:
        signs.append("asks to remember")
    return signs


def _weak_signs(text: str, language: Language, entities: int) -> list[str]:
    signs = []
    if (words := len(text.split())) > _LONG_QUESTION:
        signs.append(f"{words} words")
    if entities == _MANY_NAMES - 1:
        signs.append(f"{entities} names")
    if len(_QUESTION_MARK.findall(text)) > 1:
        signs.append("several questions")
    if compiled_pattern(language.clause_cues).search(text):
        signs.append("several clauses")
    return signs


def _time_range(when: QuestionTime) -> str | None:
    """The words that name a long time range or several sessions."""
    for clue in when.clues:
        match clue:
            case DateClue(span=span) if span.end - span.start > _LONG_RANGE:
                return clue.phrase.text
            case SessionsAgo() if clue.farthest > clue.nearest:
                return clue.phrase.text
            case SessionNumbers() if clue.last > clue.first:
                return clue.phrase.text
            case _:
                pass
    return None


# ── misspelled names ──────────────────────────────────────────────────────────────────────────────────────────────

_WORD = re.compile(r"[^\W\d_]+")
_TWO_TYPOS_FROM = 8  # letters: a name this long may have two wrong letters, a shorter one only one
_MAX_WORDS = 60  # of a question; the rest is pasted text

SpelledWords = Callable[[Sequence[str]], Collection[str]]
"""Returns those of the given words that occur in some stored text."""


@dataclass(frozen=True, slots=True)
class Typo:
    """A misspelled word of the question, the name it was read as, and the entities of that name."""

    word: str
    name: str
    ids: tuple[int, ...]

    def __str__(self) -> str:
        return f"read {self.word!r} as {self.name}"


def find_typos(text: str, names: EntityNames, spelled: SpelledWords) -> tuple[Typo, ...]:
    """Find words that are no known name and no known word, but one or two letters away from exactly one name."""
    if not names:
        return ()
    words = _WORD.findall(text)[:_MAX_WORDS]
    keys = [name_key(word) for word in words]
    capitals = any(char.isupper() for char in text)
    found: dict[str, Typo] = {}
    for place, key in enumerate(keys):
        if len(key) < MIN_LONG_WORD or key in words_of("common_words") or key in names or names.names_with_word(key):
            continue
        name = None if key in found else _intended_name(keys, place, names)
        if name is not None and _looks_like_a_name(words[place], names.display_name(name), capitals):
            found[key] = Typo(words[place], names.display_name(name), names[name])
    known = spelled(list(found)) if found else ()
    return tuple(typo for key, typo in found.items() if key not in known)


def _intended_name(keys: Sequence[str], place: int, names: EntityNames) -> str | None:
    """The nearest name that fits the surrounding words; None if two entities are equally near."""
    nearest: dict[str, int] = {}
    for word, distance in _similar_words(keys[place], names):
        for name in names.names_with_word(word):
            if _fits_context(name.split(), word, keys, place):
                nearest[name] = min(distance, nearest.get(name, distance))
    best = [name for name in nearest if nearest[name] == min(nearest.values())]
    return best[0] if best and len({names[name] for name in best}) == 1 else None


def _fits_context(name: Sequence[str], word: str, keys: Sequence[str], place: int) -> bool:
    """Whether the other words of the name stand around it in the question."""
    start = place - name.index(word)
    around = [*keys[max(start, 0) : place], word, *keys[place + 1 : start + len(name)]]
    return start >= 0 and around == list(name)


def _similar_words(word: str, names: EntityNames) -> Iterable[tuple[str, int]]:
    """Words of names with their edit distance. The first letter is the same, or swapped with the second."""
    for length in range(max(MIN_LONG_WORD, len(word) - 2), len(word) + 3):
        max_distance = 2 if length >= _TWO_TYPOS_FROM else 1
        if abs(length - len(word)) > max_distance:
            continue
        candidates = names.long_words(word[0], length)
        if word[1] != word[0]:
            candidates = [*candidates, *(each for each in names.long_words(word[1], length) if each[1] == word[0])]
        if candidates:
            yield from _within_distance(word, candidates, max_distance)


def _within_distance(word: str, candidates: Sequence[str], max_distance: int) -> list[tuple[str, int]]:
    from rapidfuzz import process  # imported here: it takes milliseconds, and few questions get this far
    from rapidfuzz.distance import OSA

    near = process.extract(word, candidates, scorer=OSA.distance, score_cutoff=max_distance, limit=None)
    return [(each, int(distance)) for each, distance, _ in near]


def _looks_like_a_name(word: str, name: str, capitals: bool) -> bool:
    """In a text with capitals, names are capitalised. A long name is rarely matched by chance."""
    return not capitals or word[0].isupper() or name[0].islower() or len(name) >= _TWO_TYPOS_FROM
