"""What a secret looks like: the tables of patterns, one line each, and how to tell one from a stand-in.

Precision before recall: a rule needs a prefix of its own, a checksum or a key word before the value, so that
a commit hash, an id or a long word is never touched.

Every pattern is linear: its repetitions are bounded, or end where the next match must begin, and a token
cannot begin inside another.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

Check = Callable[[str, re.Match[str]], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of secret: the group `secret` of its pattern, if the check finds that it is a real one."""

    kind: str
    anchors: tuple[str, ...]  # a text in which the pattern matches holds one of them
    pattern: str  # compiled when first needed: all of them would take longer than opening a file
    check: Check

    def secret(self, match: re.Match[str]) -> str:
        value = match["secret"]
        if "quote" in match.re.groupindex and not match["quote"]:
            value = value.rstrip(".,;:!?)]}»”’")  # the end of a sentence or of code, not of the value
        return value if self.check(value, match) else ""


# Checks

# <your-key>, $KEY, ***, a path, our marker; names of the thing itself; values of a schema; words of a form.
_STANDS_FOR = r"""(?ix) [<\[{(%$*•…/].* | arn:.* | https?://.*
    | .*(?:your|example|placeholder|redacted|change.?me|insert|process\.env|environ|getenv|\.{3}|\*{3}|x{4}).*
    | (?:my|the|some|an?|this|our|test|dummy|fake)?[_\-]?
      (?:api|auth|access|secret|private|client|user|db|new|old|super|wrong)?[_\-]?
      (?:password|passwd|pass|pwd|passphrase|secret|token|key|credentials?|value|pw)[_\-]?(?:here|value|string)?
    | none|null|nil|true|false|undefined|str|string|int|integer|bool|boolean|text|bytes|any|object|optional
    | required|hidden|empty|missing|invalid|incorrect|wrong|weak|strong|expired|correct|valid|set|unset
    | unknown|passwort|kennwort|contraseña|senha|wachtwoord|пароль|密码|密碼|パスワード|here|todo|tbd|n/?a
    | (.)\1*
    """
_CALL = r"[A-Za-z_][\w.]*[(\[{].*"
_VARIABLE = r"[a-z]+(?:_(?:[a-z]+|\d{1,2}))+|[A-Za-z_]\w{0,23}(?:(?:\.|->|::)[A-Za-z_]\w{0,23})+|[&@!][\w.\-]+"
# What is said ABOUT a password and has a digit in it: "is base64-encoded", "is SHA256", "is 12-character".
_SAID = r"(?i)(?:base|sha|md|utf|aes|rsa|hmac|bcrypt|oauth|step|option)-?\d.*|\d{1,2}-?[a-z]{4,}|2fa.*|.*ed"
_NAMED = (
    r"(?i)(?:api|access|auth|secret|private|client|signing|encryption|master|bot|bearer|refresh|session)"
    r"[ _\-]?\Z"
)
_PASSED_AROUND = r"(?i)(?:next|page|change|request|lock|continuation|sync|csrf)[ _\-]?\Z|:\Z"  # …:secret:name is an ARN
_CARD = (  # Visa, Mastercard, American Express, Diners, Discover, JCB, UnionPay
    r"4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35\d{14}|62\d{14,17}"
)
_COUNTED = r"(?i)\b(?:order|tracking|invoice|ticket|ref(?:erence)?|shipment|serial|id)\b[^\n.;]{0,40}\Z"


def _any(value: str, match: re.Match[str]) -> bool:
    return True


def _literal(value: str, match: re.Match[str]) -> bool:
    return len(value) > 3 and not re.fullmatch(_STANDS_FOR, value[:300]) and not re.fullmatch(_CALL, value[:300])


def _issued(value: str, match: re.Match[str]) -> bool:
    """A prefix says whose it is; the digit tells it from a hyphenated name."""
    return any(map(str.isdigit, value)) and not re.fullmatch(_STANDS_FOR, value[:300])


def _random(value: str, match: re.Match[str], least: int = 16) -> bool:
    """It goes between letters, capitals and digits more often than hyphenated words do."""
    kinds = [(c.isdigit(), c.isupper()) for c in value if c.isalnum()]
    changes = sum(first != second for first, second in pairwise(kinds))
    enough = len(value) >= least and sum(digit for digit, _ in kinds) > 1 and changes * 6 >= len(value)
    return enough and _literal(value, match)


def _credential(value: str, match: re.Match[str]) -> bool:
    prose = re.fullmatch("[A-Za-z][a-z]*", value) or re.fullmatch(_VARIABLE, value)
    return _literal(value, match) and not prose


def _password(value: str, match: re.Match[str]) -> bool:
    if not _literal(value, match) or any(map(str.isspace, value)):
        return False
    if match["quote"]:
        return True
    if re.fullmatch(_VARIABLE, value) or re.fullmatch(_SAID, value):
        return False
    if any(map(str.isalpha, value)):
        # A word may be prose ("my password is weak"), so it takes a digit or a sign inside to be a password.
        return any(map(str.isdigit, value)) or bool(re.search(r"[!@#$%^&*+~]", value[:-1]))
    return value.isdigit() and len(value) > 4


def _key(value: str, match: re.Match[str]) -> bool:
    """A `token` or `secret` may be just that before a long value; a `key` must be an `api key` or such."""
    before = match.string[max(0, match.start() - 13) : match.start()]
    named = bool(re.search(_NAMED, before))
    if re.search(_PASSED_AROUND, before) or (not named and match[0][0] in "kK"):
        return False
    return _random(value, match, least=10 if named else 16) and not re.fullmatch(_VARIABLE, value)


def _luhn(value: str, match: re.Match[str]) -> bool:
    digits = re.sub("[ -]", "", value)
    before = match.string[max(0, match.start() - 50) : match.start()]
    if not re.fullmatch(_CARD, digits) or re.search(_COUNTED, before):
        return False
    doubled = [2 * int(digit) for digit in digits[-2::-2]]
    return (sum(map(int, digits[-1::-2])) + sum(n - 9 if n > 9 else n for n in doubled)) % 10 == 0


def _mod97(value: str, match: re.Match[str]) -> bool:
    letters = value.replace(" ", "")
    return int("".join(str(int(letter, 36)) for letter in letters[4:] + letters[:4])) % 97 == 1


# Patterns


def _alone(token: str) -> str:
    """Not inside a longer word; so a row of prefixes is not tried at each of them."""
    return rf"(?<![A-Za-z0-9_\-])(?P<secret>{token.replace('~', '[A-Za-z0-9_-]')})(?![A-Za-z0-9_\-])"


# What stands after the word. A connection string or a query goes on after its password: `&user=`, `;Server=`.
_VALUE = (
    r"""(?P<quote>\\?["'`“「])?(?P<secret>"""
    r"""(?(quote)(?:(?!(?P=quote))[^\n”」]){1,200}|(?:(?![&;,][\w \-]{1,30}=)[^\s"'`<>，。]){1,200}))"""
)


def _after(names: str) -> str:
    """`name: value`, `"name" => "value"`, `<name>value`, "the name for the door is value"."""
    # The set of first letters in front is where `re` skips to, which a plain (?i:…) would prevent.
    firsts = "".join(sorted({name[0] for name in names.split("|")}))
    rests = "|".join(f"(?<={name[0]}){name[1:]}" for name in names.split("|"))
    given = r"""\d?(?:\\?["'`])?\]?(?:[ \t]{0,4}(?::=|=>|[=:：])[ \t]{0,4}|>)"""
    told = r"(?: [^\W\d]{1,20}){0,5}? (?i:is|was|ist|es|est)(?: now)?:? | ?(?:是|は|는|은) ?"
    return f"[{firsts}{firsts.upper()}](?i:{rests})(?:{given}|{told}){_VALUE}"


_PASSWORD = (
    "password|passwd|passphrase|passcode|passwort|pwd|kennwort|wachtwoord|contraseña|mot de passe"
    "|пароль|密码|密碼|パスワード|비밀번호"
)
_ENV = r"PASSW(?:OR)?D=[\"']?(?P<secret>[^\s\"'`;,&]{4,200})"  # in a shell or an .env file, so a literal
_FLAG = r"--pass(?:word|phrase)? (?P<quote>[\"'])?(?P<secret>[^\s\"'`<>]{4,200})"
_URL = r"(?<=://)[^\s:/@\"'<>]{0,100}:(?P<secret>[^\s/\"'<>]{1,200})@(?=[\w\[])"
_HEADER = r"(?i:authorization)[\"']? ?[:=] ?[\"']?(?i:bearer|basic|token|bot) {1,4}(?P<secret>[\w.~+/=\-]{8,})"
_BEARER = r"(?i:bearer) {1,4}(?P<secret>[\w.~+/=\-]{16,})"
_AWS = r"(?i:secret.?access.?key)[ :=>\"'`]{1,6}(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])"
_HOOK = r"hooks\.slack\.com/services/(?P<secret>[A-Za-z0-9/]{20,80})"
_BEGIN = r"(?P<secret>-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_WHOLE = _BEGIN + r"(?:[^-]|-(?!----))*+-----END [A-Z0-9 ]{1,60}-----)"
_CUT = _BEGIN + r"(?:\s|\\[nr])*+[A-Za-z0-9+/]{16,}+=*(?:(?:\s|\\[nr])++[A-Za-z0-9+/]{16,}+=*)*+)"
_CARD_GROUPS = (
    r"(?<![\w+.\-])(?P<secret>[2-6][0-9]{3}(?:([ -])[0-9]{4}\2[0-9]{4}\2[0-9]{4}|([ -])[0-9]{6}\3[0-9]{4,5}"
    r"|[0-9]{10,15}))(?![\w\-*])"
)
_IBAN_GROUPS = (
    r"(?<!\w)(?P<secret>[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){1,2}(?: ?(?=[A-Z]{0,3}[0-9])[A-Z0-9]{4}){1,5}"
    r"(?: ?(?=[A-Z]{0,2}[0-9])[A-Z0-9]{1,3})?)(?!\w)"
)

# The tables. `~` is a character of a token.

WITH_A_PREFIX = (
    Rule("aws-key", ("AKIA", "ASIA"), _alone("(?:AKIA|ASIA)[A-Z2-7]{16}"), _issued),
    Rule("github-token", ("ghp_", "gho_"), _alone("gh[po]_[A-Za-z0-9]{36,255}"), _issued),
    Rule("github-token", ("ghu_", "ghs_", "ghr_"), _alone("gh[usr]_[A-Za-z0-9]{36,255}"), _issued),
    Rule("github-token", ("github_pat_",), _alone("github_pat_[A-Za-z0-9_]{22,255}"), _issued),
    Rule("gitlab-token", ("glpat-", "gldt-", "glrt-"), _alone("gl(?:pat|dt|rt)-~{20,}"), _issued),
    Rule("slack-token", ("xox", "xapp-"), _alone(r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9\-]{12,}"), _issued),
    Rule("stripe-key", ("sk_", "rk_"), _alone("[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"), _issued),
    Rule("stripe-key", ("whsec_",), _alone("whsec_[A-Za-z0-9]{24,}"), _issued),
    Rule("anthropic-key", ("sk-ant-",), _alone("sk-ant-~{20,}"), _issued),
    Rule("openai-key", ("sk-",), _alone("sk-~{20,}"), _random),
    Rule("google-key", ("AIza",), _alone("AIza~{35}"), _issued),
    Rule("google-key", ("GOCSPX-", "ya29."), _alone(r"GOCSPX-~{28}|ya29\.~{20,}"), _issued),
    Rule("huggingface-token", ("hf_",), _alone("hf_[A-Za-z0-9]{30,}"), _any),
    Rule("npm-token", ("npm_",), _alone("npm_[A-Za-z0-9]{36}"), _any),
    Rule("pypi-token", ("pypi-AgE",), _alone("pypi-AgE~{50,}"), _any),
    Rule("twilio-key", ("SK",), _alone("SK[0-9a-f]{32}"), _any),
    Rule("sendgrid-key", ("SG.",), _alone(r"SG\.~{16,32}\.~{32,64}"), _any),
    Rule("telegram-token", (":AA",), _alone("[0-9]{8,10}:AA~{33}"), _any),
    Rule("jwt", ("eyJ",), _alone(r"eyJ~{13,}\.eyJ~{8,}\.~*"), _any),
)
AFTER_A_WORD = (  # anchors in lower case
    Rule("private-key", ("private key",), _WHOLE, _any),
    Rule("private-key", ("private key",), _CUT, _any),
    Rule("aws-secret", ("secret",), _AWS, _any),
    Rule("slack-webhook", ("://hooks.slack",), _HOOK, _any),
    Rule("authorization", ("authorization",), _HEADER, _credential),
    Rule("authorization", ("bearer",), _BEARER, _random),
    Rule("url-password", ("://",), _URL, _literal),
    Rule("password", ("password=", "passwd="), _ENV, _literal),
    Rule("password", ("--pass",), _FLAG, _password),
    Rule("password", tuple(_PASSWORD.split("|")), _after(_PASSWORD), _password),
    Rule("key", ("key", "token", "secret"), _after("key|token|secret"), _key),
)
CHECKED = (
    Rule("card-number", (), _CARD_GROUPS, _luhn),
    Rule("iban", (), _IBAN_GROUPS, _mod97),
)
