"""A text in sentences, in any script, and what is no more than the oil of a talk."""

from __future__ import annotations

import re

from omoide.text import shorten

_LONGEST = 600  # characters of a sentence: beyond that it is a list or a paste, and its beginning tells what
_READ = 50_000  # characters of a text: beyond that it is a document, and its beginning tells what it is
_MANY = 1_000  # sentences

_END = re.compile(r"[.!?…]+[\"'”’»)\]*]*(?=\s|\Z)|[。！？｡؟।]+[」』”）]*")
_ABBREVIATED = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|vs|etc|e\.g|i\.e|approx|No|Inc|Ltd|Co|a\.m|p\.m|z\.B|bzw|Sra"
    r"|usw)|\b[A-Z]|\b\d{1,2})\.\Z"
)
_MARKDOWN = re.compile(r"^\s*(?:[-*•·>]\s+|#{1,6}\s+|\d{1,2}[.)]\s+)+|^\s*\|.*\|\s*$")
_FENCE = re.compile(r"(```|~~~)[ \t]*(\w*)[^\n]*\n?(.*?)(?:\1|\Z)", re.DOTALL)
_QUESTION = re.compile(r"[?？؟]\W*\Z|(?:吗|嗎|呢|ですか|ますか|でしょうか)[。.]?\W*\Z")
_FILLER = re.compile(
    r"(?:\W|\b(?:hi|hey|hello|hiya|yo|good\s+(?:morning|evening|afternoon|night)|bye|goodbye|see\s+you"
    r"|later|there|all|ok|okay"
    r"|k|kk|yes|yeah|yep|yup|no|nope|sure|sure\s+thing|of\s+course|absolutely|certainly|definitely"
    r"|exactly|right|got\s+it|i\s+see"
    r"|thanks|thank\s+you|thx|ty|cheers|please|welcome|you'?re\s+welcome|no\s+problem|no\s+worries"
    r"|so\s+much|a\s+lot|very\s+much"
    r"|great|good|nice|cool|congratulations|congrats|awesome|perfect|wow|haha+|lol|hmm+|um+|uh+|oh|ah|well|alright"
    r"|sounds\s+(?:good|great)|makes\s+sense"
    r"|one\s+moment|let\s+me\s+(?:check|see|know|think)|happy\s+to\s+help|glad\s+to\s+hear(?:\s+(?:it"
    r"|that))?|understood|i\s+(?:understand|agree)"
    r"|how\s+are\s+you(?:\s+(?:doing|today))?|what'?s\s+up|good\s+(?:question|point|idea)"
    r"|great\s+(?:question|point|idea)"
    r"|have\s+a\s+(?:good|great|nice)\s+(?:day|one|evening|weekend)|take\s+care|again|then|and|you|too|to"
    r"|it|that'?s|that|is|i'?m|for"
    r"|hallo|guten\s+(?:tag|morgen|abend)|danke|bitte|tschüss|genau|klar|super|ja|nein"
    r"|bonjour|salut|merci|oui|non|d'accord|hola|buenos\s+d[ií]as|gracias|vale|s[ií]|ol[áa]|obrigad[oa]"
    r"|sim|ciao|grazie"
    r"|привет|спасибо|да|нет|хорошо)\b"
    r"|你好|您好|谢谢|謝謝|好的|好吧|嗯|是的|再见|こんにちは|おはよう|ありがとう(?:ございます)?|はい|いいえ|了解(?:です)?|안녕하세요|감사합니다|네)+",
    re.IGNORECASE,
)
_UNMARKED = re.compile(
    r"\W*(?:(?:ok|okay|so|and|but|well|then|hey|hi|oh|ah|also|hmm+|um+|uh+|yeah|yes|no|sorry|please|wait)\W+)*(?:"
    r"(?:what|why|how|where|when|who|which)(?:\s+\w+){0,2}?\s+(?:do|does|did|is|are|was|were|should|can|could|would|will)\s"
    r"|(?:can|could|should|shall|do|does|did|would|will|is|are|have|has)\s+(?:i|you|we|he|she|it|they|there|that|this)\s"
    r")[^.!?,]*",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"\W*(?:(?i:good\s+)?(?i:morning|afternoon|evening|night)(?:\W|\b(?i:all|everyone|everybody|there|team|folks|again|guys)\b)*"
    r"|(?i:hi|hello|hey|dear|(?:good\s+)?(?:morning|afternoon|evening))[\s,]+[A-ZÀ-Þ][\w'’-]*(?:\s[A-ZÀ-Þ][\w'’-]*)?\W*)"
)
_YES_OR_NO = re.compile(
    r"\W*(?:yes|yeah|yep|yup|no|nope|ja|nein|oui|non|s[ií]|sim|não|да|нет|是的|不是|はい|いいえ|네|아니요)\b(?:\W"
    r"|please|thanks|thank you)*",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """Every sentence of a text in any script, without code; a line that ends is a sentence that ends."""
    found: list[str] = []
    for line in _without_code(text[:_READ]).splitlines():
        begin = 0
        for end in _END.finditer(line):
            if end[0] == "." and _ABBREVIATED.search(line, max(0, end.start() - 6), end.end()):
                continue
            if end[0].endswith("?)") and line[begin : begin + 9].lstrip().startswith(
                "("
            ):  # a question, put before its answer
                continue
            found.append(line[begin : end.end()])
            begin = end.end()
        found.append(line[begin:])
    plain = (_MARKDOWN.sub("", sentence).strip().replace("**", "") for sentence in found)
    return [shorten(sentence, _LONGEST) for sentence in plain if any(map(str.isalnum, sentence))][:_MANY]


def asks(sentence: str) -> bool:
    """Whether a sentence is a question, also one whose mark nobody typed."""
    return _QUESTION.search(sentence) is not None or _UNMARKED.fullmatch(sentence) is not None


def ended(sentence: str) -> str:
    """With a mark where somebody typed none, so that the next one does not run into it."""
    last = sentence.rstrip()[-1:]
    if not last.isalnum():
        return sentence
    return sentence + ("?" if _UNMARKED.fullmatch(sentence.rpartition(": ")[2]) else ".")


def is_greeting(sentence: str) -> bool:
    """What is filler at the beginning of a talk, and an answer where somebody asked when."""
    return _GREETING.fullmatch(sentence.strip()) is not None


def is_filler(sentence: str) -> bool:
    """Greetings, thanks, and what is said to keep a talk going."""
    return _FILLER.fullmatch(sentence.strip()) is not None


def is_yes_or_no(sentence: str) -> bool:
    """An answer that means nothing without its question, and a good deal with it."""
    return _YES_OR_NO.fullmatch(sentence) is not None


def _without_code(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    return _FENCE.sub(_code_line, text)


def _code_line(fence: re.Match[str]) -> str:
    lines = len(fence[3].strip().splitlines())
    return f"\n[{fence[2] or 'code'}, {lines} line{'' if lines == 1 else 's'}]\n"
