"""A question of the agent and a brief answer to it are one statement: "Where do you live?" – "Bari"."""

from __future__ import annotations

import re

from omoide.language.statement_words import StatementWords
from omoide.learn.statements.clauses import Sentence, read_sentences
from omoide.learn.statements.masking import GAP, mask

_BRIEF = 7  # words; a longer answer says itself what it is about
_PHRASE = 4  # words of an answer that may begin like a sentence: "the 12th of October"


def answer_said(reply: str, sentences: list[Sentence], words: StatementWords) -> str:
    """What the first clause of a turn says as an answer to the only question of the reply; empty if it is none."""
    if not sentences or not reply.rstrip().endswith(("?", "？")):
        return ""
    asked = [each for each in read_sentences(mask(reply), words) if each.mark.startswith(("?", "？"))]
    clause = sentences[0].clauses[0]
    if len(asked) != 1 or GAP in sentences[0].text or "?" in sentences[0].mark:
        return ""
    opening = words.pattern("openings").match(clause.text)
    text = clause.text[opening.end() :] if opening else clause.text
    question = asked[0].clauses[-1].text
    yes, no = words.pattern("yes").fullmatch(clause.text), words.pattern("no").fullmatch(clause.text)
    if yes or no:
        return _filled(question, words.agreed if yes else words.refused, "", words)
    whole = words.pattern("has_subject").match(text) is not None and len(text.split()) > _PHRASE
    if (
        whole
        or words.pattern("small_talk").fullmatch(text)
        or words.pattern("unanswered").search(text)
        or len(text.split()) > _BRIEF
    ):
        return ""
    return _filled(question, words.answers, text.strip(" .,!"), words)


def _filled(question: str, rows: tuple[tuple[str, str], ...], answer: str, words: StatementWords) -> str:
    for pattern, template in rows:
        if found := words.compiled(pattern).fullmatch(question.strip(" ,.?!")):
            said = {name: _turned(value or "", words) for name, value in found.groupdict().items()}
            answer = re.sub(words.compiled(words.answer_leads), "", answer)
            return re.sub(" +", " ", template.format(answer=answer, **said)).strip()
    return ""


def _turned(text: str, words: StatementWords) -> str:
    """The words of the agent's question as the user would say them: "your dog" is "my dog"."""
    for pattern, own in words.turned:
        text = words.compiled(pattern).sub(own, text)
    return text
