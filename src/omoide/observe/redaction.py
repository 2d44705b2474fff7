"""Replaces secrets in a text by markers such as `[redacted:github-token]` before it is stored."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files

from omoide.observe.issued_tokens import ForeignRule, foreign_rules, is_random, issued_kind
from omoide.observe.secret_rules import CHECKSUM_RULES, KEYWORD_RULES, PREFIX_RULES, SecretRule
from omoide.settings import Settings

_MARKER = "[redacted:"


@dataclass(frozen=True, slots=True)
class RedactedText:
    """A text without secrets, and the kinds of secret that were removed."""

    text: str
    found: tuple[str, ...] = ()


@dataclass(slots=True)
class _Search:
    """What is allowed, and what was found so far."""

    allowed: Collection[str]
    found: dict[str, None] = field(default_factory=dict)

    def marker(self, kind: str, secret: str) -> str:
        """What stands for a secret: the secret itself where the user allowed its kind or this value."""
        if kind in self.allowed or (self.allowed and digest_of(secret) in self.allowed):
            return secret
        self.found[kind] = None
        return f"{_MARKER}{kind}]"


def digest_of(secret: str) -> str:
    """How one value is named in the setting `allowed_secrets`."""
    return f"sha256:{hashlib.sha256(secret.encode(errors='surrogatepass')).hexdigest()}"


def allowed_by(settings: Settings) -> frozenset[str]:
    """The kinds and digests of the setting `allowed_secrets`."""
    return frozenset(filter(None, map(str.strip, settings.allowed_secrets.split(","))))


def redact(text: str, allowed: Collection[str] = ()) -> RedactedText:
    """Replaces each secret in a text by a marker. Existing markers stay as they are.

    `allowed` holds kinds, and digests of values, that stay. A secret in disguise (full-width or mathematical letters,
    invisible characters between them) is found too; the text is then stored in plain characters.
    """
    found = redact_plain(text, allowed)
    if text.isascii() or (plain := _undisguised(text)) == text:
        return found
    shown, kept = redact_plain(plain, allowed), _undisguised(found.text)
    if shown.text == kept:  # nothing was hidden by a disguise
        return found
    if shown.text.count(_MARKER) < found.text.count(_MARKER):  # a disguise also hid where a secret begins or ends
        shown = redact_plain(kept, allowed)
    return RedactedText(shown.text, tuple(dict.fromkeys(found.found + shown.found))) if shown.found else found


def redact_plain(text: str, allowed: Collection[str] = ()) -> RedactedText:
    """As `redact`, for a text that disguises nothing."""
    search = _Search(allowed)
    return RedactedText(_redacted(text, search), tuple(search.found))


_compiled = cache(re.compile)  # on first use: compiling all takes longer than opening a file


def _redacted(text: str, search: _Search) -> str:
    while True:
        before = text
        if _LONG_WORD.search(text):
            text = _without_tokens(_without(_prefix_rules(text), text, search), search)
        text = _without(_other_rules(text), text, search)
        if _SEED_HINT.search(text):
            text = _without_seed_phrases(text, search)
        # A marker can split the text and expose another secret, so repeat until nothing is found. This ends: each
        # pass leaves fewer characters outside of markers.
        if text == before:
            return text


def _without(rules: Iterable[SecretRule], text: str, search: _Search) -> str:
    for rule in rules:
        text = _compiled(rule.pattern).sub(partial(_replace_secret, rule, search), text)
    return text


def _replace_secret(rule: SecretRule, search: _Search, match: re.Match[str]) -> str:
    secret = rule.secret(match)
    if not secret:
        return match[0]
    start = match.start("secret") - match.start()
    return f"{match[0][:start]}{search.marker(rule.kind, secret)}{match[0][start + len(secret) :]}"


# ── rules that apply to a text ────────────────────────────────────────────────────────────────────────────────────

# Every number with a checksum matches it. `re` is four times as fast with four sets in a row as with `[0-9]{4}`.
_EIGHT_DIGITS = re.compile("[0-9][0-9][0-9][0-9][ -]?[0-9]{4}")


def _by_anchor(rules: Sequence[SecretRule]) -> dict[str, tuple[int, ...]]:
    """The places of the rules by what a text must contain for them."""
    anchors = sorted({anchor for rule in rules for anchor in rule.anchors})
    return {each: tuple(place for place, rule in enumerate(rules) if each in rule.anchors) for each in anchors}


_PREFIX_ANCHORS, _KEYWORD_ANCHORS = _by_anchor(PREFIX_RULES), _by_anchor(KEYWORD_RULES)
_ASCII_ANCHORS = tuple(filter(str.isascii, _KEYWORD_ANCHORS))


def _prefix_rules(text: str) -> list[SecretRule]:
    places = {place for each in _PREFIX_ANCHORS if each in text for place in _PREFIX_ANCHORS[each]}
    return [PREFIX_RULES[place] for place in sorted(places)]


def _other_rules(text: str) -> list[SecretRule]:
    """Returns the rules that can match. For ordinary text there are none."""
    lowered = text.lower()
    anchors = _ASCII_ANCHORS if text.isascii() else _KEYWORD_ANCHORS
    places = {place for each in anchors if each in lowered for place in _KEYWORD_ANCHORS[each]}
    due = [KEYWORD_RULES[place] for place in sorted(places)]
    return due + list(CHECKSUM_RULES) if _EIGHT_DIGITS.search(text) else due


# ── tokens that show by themselves what they are ──────────────────────────────────────────────────────────────────

_LONG_WORD = re.compile(r"[A-Za-z0-9_\-]{14}")
_STRANGE = re.compile("[0-9]|[a-z][A-Z]")
_WORD = re.compile(r"(?<![A-Za-z0-9_\-\[])[A-Za-z0-9_\-][A-Za-z0-9_.\-]{15,}+")


def _without_tokens(text: str, search: _Search) -> str:
    """Known tokens and those of gitleaks' rules, whose anchors are looked for only in texts with a strange word."""
    if not any(_STRANGE.search(each[0]) for each in _WORD.finditer(text)):
        return text
    text = _WORD.sub(partial(_replace_token, search), text)
    lowered = text.lower()
    for anchor in [each for each in foreign_rules() if each in lowered]:
        for rule in foreign_rules()[anchor]:
            text = _compiled(rule.pattern).sub(partial(_replace_foreign, rule, search), text)
    return _REST_OF_TOKEN.sub(_without_rest, text) if _MARKER in text else text


# Characters of base 64 and of addresses end a word, not a token.
_REST_OF_TOKEN = re.compile(r"(\[redacted:[a-z0-9\-]+\])([+/%:.!~=][A-Za-z0-9+/=%_.\-]{7,}|={1,2})")


def _without_rest(match: re.Match[str]) -> str:
    return match[1] if match[2].strip("=") == "" or is_random(match[2]) else match[0]


def _replace_token(search: _Search, match: re.Match[str]) -> str:
    around = match.string[max(0, match.start() - 1) : match.start()], match.string[match.end() : match.end() + 1]
    inside = "/" in around or "+" in around
    for token in (match[0].rstrip("."), match[0].partition(".")[0]):
        if len(token) >= 16 and (kind := issued_kind(token, inside)):
            return search.marker(kind, token) + match[0][len(token) :]
    return match[0]


def _replace_foreign(rule: ForeignRule, search: _Search, match: re.Match[str]) -> str:
    span = rule.secret(match)
    if span is None or _MARKER in match[0]:
        return match[0]
    start, end = (place - match.start() for place in span)
    return match[0][:start] + search.marker(rule.kind, match[0][start:end]) + match[0][end:]


# ── seed phrases ──────────────────────────────────────────────────────────────────────────────────────────────────

_SEED_WORDS, _SEED_GAP = 12, 6  # words in a phrase, or twice as many; characters between two, such as a number
_DISTINCT_WORDS = 9
_SEED_HINT = re.compile(
    r"(?<![a-z][a-z][a-z][ \n,])(?<![a-z])(?:[a-z]{3,8}[ \n,]{1,2}(?:\d{1,2}[.)] )?){11}[a-z]{3,8}\b"
)


@cache
def _seed_words() -> frozenset[str]:
    return frozenset(files("omoide.observe").joinpath("seed_words.txt").read_text("ascii").split())


def _without_seed_phrases(text: str, search: _Search) -> str:
    """Twelve or more words of BIP 39 in a row: prose has a short word before that."""
    words = list(re.finditer("[A-Za-z]+(?:'[A-Za-z]+)?", text))
    runs: list[list[re.Match[str]]] = [[]]
    for each in words:
        if runs[-1] and (each[0] not in _seed_words() or each.start() - runs[-1][-1].end() > _SEED_GAP):
            runs.append([])
        if each[0] in _seed_words():
            runs[-1].append(each)
    for run in reversed(runs):
        if _SEED_WORDS <= len(run) <= 2 * _SEED_WORDS and len({each[0] for each in run}) >= _DISTINCT_WORDS:
            start, end = run[0].start(), run[-1].end()
            text = text[:start] + search.marker("seed-phrase", text[start:end]) + text[end:]
    return text


# ── disguises ─────────────────────────────────────────────────────────────────────────────────────────────────────

_DISGUISES = re.compile("[\u200b-\u200d\u2060\ufeff\u00ad\uff01-\uff5e\U0001d400-\U0001d7ff\U000e0000-\U000e007f]")


def _undisguised(text: str) -> str:
    """The text with full-width and mathematical characters as plain ones, and without invisible ones."""
    return _DISGUISES.sub(_plain, text)


def _plain(found: re.Match[str]) -> str:
    normal = unicodedata.normalize("NFKC", found[0])
    return normal if normal.isprintable() else ""
