"""A few statements in Chinese, where nothing else stands in the clause."""

from __future__ import annotations

import re

from omoide.learn.rules.rule import ClaimRule

GATE = re.compile("我|本人")
_HAN = r"[一-鿿]"
_END = r"(?=[，。！；\s]|了?$)"
_ASKS = re.compile("[哪什谁吗呢几怎多何]|不是|你|他|她|它|这|那")


def _words(rest: str) -> tuple[str, ...]:
    found = re.match(rf"({_HAN}{{1,8}}?|[A-Za-z][\w ]{{1,20}}){_END}", rest)
    return (found[1],) if found and not _ASKS.search(found[1]) else ()


def _rule(predicate: str, pattern: str, type: str | None = None, *, ended: bool = False) -> ClaimRule:
    return ClaimRule(predicate, re.compile(f"(?:{pattern})(?P<rest>\\S.*)"), _words, type, ended)


RULES: tuple[ClaimRule, ...] = (
    _rule("lives_in", "我(?:现在|目前)?(?:住在|居住在)", "place"),
    _rule("lives_in", "我(?:已经)?不再?住在", "place", ended=True),
    _rule("works_at", "我(?:现在|目前)?在(?=.{1,8}(?:公司|银行|医院|大学|学校)(?:上班|工作))", "organization"),
    _rule("uses", "我(?:已经)?不再(?:使)?用", "tool", ended=True),
    _rule("name", "我叫|我的名字(?:是|叫)"),
    _rule("comes_from", "我来自", "place"),
    _rule("likes", "我(?:很|最|特别|非常)?喜欢"),
    _rule("dislikes", "我(?:很|最|特别|非常)?(?:不喜欢|讨厌)"),
    _rule("allergic_to", "我对(?=.{1,6}过敏)"),
)
