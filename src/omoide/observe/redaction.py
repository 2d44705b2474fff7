"""Replaces secrets in a text by markers such as `[redacted:github-token]`: by rules, and by the prefix of their
issuer."""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from omoide.observe.named_secrets import chance_bits, named_secrets
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
    kept: set[str] = field(default_factory=set)  # secrets that are allowed

    def marker(self, kind: str, secret: str) -> str:
        """What stands for a secret: the secret itself where the user allowed its kind or this value."""
        if kind in self.allowed or (self.allowed and digest_of(secret) in self.allowed):
            self.kept.add(secret)
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
        text = _without_named(text, search)
        if _SEED_HINT.search(" " + text):
            text = _without_seed_phrases(text, search)
        # A marker can split the text and expose another secret, so repeat until nothing is found. This ends: each
        # pass leaves fewer characters outside of markers.
        if text == before:
            return text


def _without_named(text: str, search: _Search) -> str:
    for start, end in reversed(list(named_secrets(text))):
        if not any(each in text[start:end] for each in search.kept):
            text = text[:start] + search.marker("key", text[start:end]) + text[end:]
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
# In several anchors, and quickly looked for.
_SHARED = ("pass", "hook", "://", "/", "=", "@", " -", "]:", "key", "pw", "private", "secret", "w", "k", "")
_ASCII_ANCHORS, _ALL_ANCHORS = (
    tuple(
        (part, tuple(each for each in anchors if next(filter(each.__contains__, _SHARED)) == part)) for part in _SHARED
    )
    for anchors in (tuple(filter(str.isascii, _KEYWORD_ANCHORS)), tuple(_KEYWORD_ANCHORS))
)


def _prefix_rules(text: str) -> list[SecretRule]:
    places = {place for each in _PREFIX_ANCHORS if each in text for place in _PREFIX_ANCHORS[each]}
    return [PREFIX_RULES[place] for place in sorted(places)]


def _other_rules(text: str) -> list[SecretRule]:
    """Returns the rules that can match. For ordinary text there are none."""
    lowered = text.lower()
    anchors = _ASCII_ANCHORS if text.isascii() else _ALL_ANCHORS
    present = [each for part, several in anchors if part in lowered for each in several if each in lowered]
    places = {place for each in present for place in _KEYWORD_ANCHORS[each]}
    due = [KEYWORD_RULES[place] for place in sorted(places)]
    return due + list(CHECKSUM_RULES) if _EIGHT_DIGITS.search(text) else due


# ── tokens that show by themselves what they are ──────────────────────────────────────────────────────────────────

_LONG_WORD = re.compile(r"[A-Za-z0-9_\-]{14}")
_STRANGE = re.compile("[0-9]|[a-z][A-Z]")
_JUDGED = 100  # characters of a word by which it is judged
_WORD = re.compile(r"(?<![A-Za-z0-9_\-\[])[A-Za-z0-9_\-][A-Za-z0-9_.\-]{15,}+")


def _without_tokens(text: str, search: _Search) -> str:
    """Known tokens and those of gitleaks' rules, whose anchors are looked for only in texts with a strange word."""
    words = (each[0] for each in _WORD.finditer(text))
    if not any(_STRANGE.search(each) and chance_bits(each[:_JUDGED]) > 0 for each in words):
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
_SEED_HINT = re.compile(  # `re` skips to the set of characters with which it begins
    r"[^a-z][a-z]{3,8}+[ \n,]{1,2}+(?:\d{1,2}[.)] )?+(?:[a-z]{3,8}+[ \n,]{1,2}+(?:\d{1,2}[.)] )?+){10}+[a-z]{3,8}\b"
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


# Tokens that name their issuer: a prefix that nobody else uses, and then random characters.


_LONGEST = 2_000  # characters of a token that are looked at

# kind: prefix and the least number of characters that follow it.
_ISSUED = """
openai-key: sk-proj- 20, sk-svcacct- 20, sk-admin- 20, sk-None- 20 · anthropic-key: sk-ant- 20 · groq-key: gsk_ 20
openrouter-key: sk-or- 20 · xai-key: xai- 20 · perplexity-key: pplx- 20 · replicate-token: r8_ 20
fireworks-key: fw_ 20, fpk_ 20 · cerebras-key: csk- 20 · tavily-key: tvly- 16 · firecrawl-key: fc- 28
pinecone-key: pcsk_ 20 · langsmith-key: lsv2_ 20 · langfuse-key: sk-lf- 20, pk-lf- 20 · nvidia-key: nvapi- 20
voyage-key: pa- 32 · jina-key: jina_ 20 · digitalocean-token: dop_v1_ 20, doo_v1_ 20, dor_v1_ 20
databricks-token: dapi 30, dose 30, dkea 30 · doppler-token: dp.pt. 20, dp.st. 20, dp.ct. 20, dp.sa. 20
dynatrace-token: dt0c01. 24, dt0s16. 24, dt0s02. 24
shopify-token: shpat_ 20, shpca_ 20, shppa_ 20, shpss_ 20, shpua_ 20, shptka_ 20
square-token: sq0atp- 18, sq0csp- 18, EAAA 40 · notion-token: secret_ 32, ntn_ 20
linear-key: lin_api_ 20, lin_oauth_ 20, lin_wh_ 20 · clickup-token: pk_ 30 · asana-token: asana_ 20
docker-token: dckr_pat_ 16, dckr_oat_ 16 · docker-swarm-token: SWMTKN-1- 20, SWMKEY-1- 20
figma-token: figd_ 20, figo_ 20 · grafana-token: glsa_ 20, glc_ 20, glrt- 20 · sentry-token: sntrys_ 20, sntryu_ 20
newrelic-key: NRAK- 20, NRII- 20, NRJS- 16, NRRA- 20 · posthog-key: phx_ 20, phs_ 20 · postman-key: PMAK- 20
pulumi-token: pul- 30 · rubygems-key: rubygems_ 20 · crates-token: cio 32
gitlab-token: glpat- 20, gldt- 20, glrt- 20, glptt- 20, glft- 20, glimt- 20, glagent- 20
gitlab-token: gloas- 20, glsoat- 20, glffct- 20, glcbt- 16, GR1348941 16
atlassian-token: ATATT3 20, ATCTT3 20, ATBB 20, ATSTT3 20 · heroku-key: HRKU- 20
netlify-token: nfp_ 20, nfc_ 20, nfo_ 20 · vercel-token: vcp_ 20, vci_ 20, vca_ 20, vcr_ 20, vck_ 20
supabase-key: sbp_ 20, sb_secret_ 16 · planetscale-token: pscale_tkn_ 16, pscale_pw_ 16, pscale_oauth_ 16
neon-key: npg_ 12, napi_ 20 · render-key: rnd_ 20 · fly-token: fo1_ 20, fm1a_ 20, fm1r_ 20, fm2_ 20
tailscale-key: tskey- 16 · hubspot-token: pat-na1- 20, pat-eu1- 20 · brevo-key: xkeysib- 20, xsmtpsib- 20
mailgun-key: key- 32, pubkey- 32 · resend-key: re_ 20 · typeform-token: tfp_ 20 · contentful-token: CFPAT- 20
launchdarkly-key: sdk- 32, api- 32, mob- 32 · buildkite-token: bkua_ 20, bkct_ 20
circleci-token: CCIPAT_ 20, CCIPRJ_ 20 · sonar-token: squ_ 30, sqp_ 30, sqa_ 30 · nuget-key: oy2 43
octopus-key: API- 26 · hashicorp-token: hvs. 20, hvb. 20, hvr. 20 · terraform-token: atlasv1- 20
infracost-key: ico- 28 · prefect-key: pnu_ 20, pnb_ 20 · shippo-token: shippo_live_ 20, shippo_test_ 20
easypost-key: EZAK 40, EZTK 40 · duffel-token: duffel_live_ 20, duffel_test_ 20 · lob-key: live_ 32, test_ 32
flutterwave-key: FLWSECK- 20, FLWSECK_TEST- 12 · razorpay-key: rzp_live_ 12, rzp_test_ 12 · readme-key: rdme_ 20
scalingo-token: tk-us- 20 · frameio-token: fio-u- 20 · harness-token: pat. 20 · airtable-token: pat 60
onepassword-token: ops_ 40 · age-key: AGE-SECRET-KEY-1 40 · alibaba-key: LTAI 12 · tencent-key: AKID 24
yandex-key: AQVN 30, y0_ 30, t1. 30 · facebook-token: EAAM 40, EAAC 40, EAAG 40, EAAB 40
twitter-token: AAAAAAAAAAAAAAAAAAAAA 30 · sourcegraph-token: sgp_ 20 · wakatime-key: waka_ 20
artifactory-key: AKCp 30, cmVmd 40 · confluent-key: cflt 40 · adobe-secret: p8e- 28 · clojars-token: CLOJARS_ 40
telegram-token: bot 40 · github-token: ghp_ 20, gho_ 20, ghu_ 20, ghs_ 20, ghr_ 20, github_pat_ 22
npm-token: npm_ 30 · pypi-token: pypi- 40 · huggingface-token: hf_ 28, api_org_ 28
stripe-key: sk_live_ 16, sk_test_ 16, rk_live_ 16, rk_test_ 16, sk_prod_ 16, whsec_ 20
slack-token: xoxb- 16, xoxp- 16, xoxa- 16, xoxr- 16, xoxs- 16, xoxe- 20, xapp- 16, xoxe.xoxp- 20, xoxe.xoxb- 20
plaid-token: access-sandbox- 30, access-production- 30, access-development- 30
settlemint-token: sm_aat_ 16, sm_pat_ 16, sm_sat_ 16 · wordpress-key: wp_ 32 · segment-key: sgp_ 20
mapbox-token: mapbox_ 30 · intra42-secret: s-s4t2 40 · checkly-key: cu_ 28 · convex-key: prod: 30
ngrok-key: ngrok_ 30, cr_ 32 · turso-token: turso_ 20 · upstash-token: upstash_ 20 · deepgram-key: dg_ 30
elevenlabs-key: sk_ 40 · heroku-oauth: HRKU 30 · lemonsqueezy-key: lmsq_ 20 · polar-token: polar_ 20
asaas-token: aact_ 30 · unkey-key: unkey_ 16 · wandb-key: wandb_v1_ 30 · lichess-token: lip_ 16
devcycle-key: dvc_server_ 16, dvc_client_ 16, dvc_mobile_ 16 · devin-key: cog_ 40 · runpod-key: rpa_ 30
anyscale-key: esecret_ 20 · together-key: tgp_v1_ 20 · onesignal-key: os_v2_app_ 40
honeycomb-key: hcaik_ 30, hcaic_ 30 · mandrill-key: md- 22 · vercel-token: vercel_blob_rw_ 20
dbt-token: dbtc_ 30, dbtu_ 30 · instagram-token: IGQV 60 · facebook-token: EAA 100 · adyen-key: AQE 80
aws-key: ABSK 80, FwoGZXIvYXdz 60, IQoJb3JpZ2lu 60 · amazon-token: amzn.mws. 30, amzn1.oa2-cs. 40
appsync-key: da2- 24 · linkedin-secret: WPL_AP1. 16 · paddle-key: pdl_live_ 30, pdl_sdbx_ 30
mercadopago-token: APP_USR- 40 · mongodb-secret: mdb_sa_sk_ 30 · riot-key: RGAPI- 30
modal-token: ak- 22, as- 22, wk- 22, ws- 22 · stytch-secret: secret-live- 30, secret-test- 30
pubnub-key: sec-c- 30 · trello-token: ATTA 60 · django-key: django-insecure- 30
sanity-token: sk 80 · trigger-key: tr_prod_ 16, tr_dev_ 16 · novu-key: nv- 28
google-key: GOOG1 40 · samsara-token: samsara_api_ 20 · bannerbear-key: bb_pr_ 28, bb_ma_ 28
midtrans-key: Mid-server- 16 · digitalocean-key: DO00 16
"""


class IssuedPrefix(NamedTuple):
    text: str
    kind: str
    least: int


@cache
def _prefixes() -> dict[str, tuple[IssuedPrefix, ...]]:
    """The prefixes by their first two characters, the longest first."""
    found: dict[str, list[IssuedPrefix]] = {}
    for each in re.split(r"[·\n]", _ISSUED):
        kind, _, several = each.strip().partition(": ")
        for prefix, least in re.findall(r"(\S+) (\d+)", several):
            found.setdefault(prefix[:2], []).append(IssuedPrefix(prefix, kind, int(least)))
    return {head: tuple(sorted(each, key=lambda one: -len(one.text))) for head, each in found.items()}


# A prefix in one case, and then more random characters than the ids of events, messages and charges have.
_PREFIXED = re.compile(
    r"(?!sha\d|md5|v\d|img|asset)(?:[a-z]{3,12}|[A-Z]{3,12})\d?(?:[_-][a-z0-9]{1,8}){0,2}[_-]([A-Za-z0-9]{32,})"
)
_DISCORD_TOKEN = re.compile(r"[MNO][\w\-]{22,27}\.[\w\-]{6}\.[\w\-]{27,45}")
_AWS_KEY = re.compile("(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}")


def issued_kind(token: str, inside: bool = False) -> str | None:
    """The kind of a token that shows by itself that it is a secret; None for every other word.

    Of a word `inside` of more of its kind, such as a path or base 64, only a prefix with a sign tells anything.
    """
    token = token[:_LONGEST]
    if token[0] == "A" and _AWS_KEY.fullmatch(token) and not token.endswith("EXAMPLE"):
        return "aws-key"
    if token[0] in "MNO" and _DISCORD_TOKEN.fullmatch(token) and any(map(str.isdigit, token)):
        return "discord-token"
    for prefix in _prefixes().get(token[:2], ()):
        if token.startswith(prefix.text) and not (inside and prefix.text.isalnum()):
            rest = token[len(prefix.text) :]
            if len(rest) >= prefix.least and (is_random(rest) or _is_unbroken(prefix.text, rest)):
                return prefix.kind
    found = _PREFIXED.fullmatch(token)
    return "token" if found and is_mixed(found[1]) else None


def entropy(text: str) -> float:
    """Shannon's entropy in bits a character."""
    return -sum(count / len(text) * math.log2(count / len(text)) for count in Counter(text).values())


def is_random(text: str) -> bool:
    """Whether it looks drawn by chance: several digits among letters, in no order, or both cases mixed."""
    kinds = [0 if char.isdigit() else 1 if char.isupper() else 2 for char in text if char.isalnum()]
    changes = sum(one != other for one, other in pairwise(kinds))
    order = changes * 6 >= len(kinds) if 0 in kinds else changes * 3 >= len(kinds)  # words in one are no chance
    return order and len(kinds) >= 10 and entropy(text) > 2.5


def _is_unbroken(prefix: str, text: str) -> bool:
    """After a prefix with a sign: one long word with a digit inside, which by chance may have few of them."""
    digit = any(map(str.isdigit, text[:-2]))
    return not prefix.isalnum() and len(text) >= 20 and text.isalnum() and digit and entropy(text) > 3.2


def is_mixed(text: str) -> bool:
    """Whether it has small letters, capitals and digits, as base 62 has."""
    digits, capitals = sum(map(str.isdigit, text)), sum(map(str.isupper, text))
    return digits > 2 < capitals and digits + capitals < len(text) - 2 and is_random(text)


class ForeignRule(NamedTuple):
    """A rule of gitleaks: what a text must contain, the pattern whose first group is the secret, its least entropy."""

    kind: str
    anchors: tuple[str, ...]
    pattern: str
    entropy: float
    named: bool

    def secret(self, match: re.Match[str]) -> tuple[int, int] | None:
        group = next((number for number in range(1, match.re.groups + 1) if match.span(number)[0] >= 0), 0)
        start, end = match.span(group)
        value = match.string[start:end]
        if self.named and not _NAMES_SECRET.search(match.string, match.start(), start):
            return None
        shown = not self.named or any(map(str.isdigit, value))  # a name may stand before words too
        return (start, end) if shown and entropy(value) >= self.entropy else None


_NAMES_SECRET = re.compile(r"(?i)key|token|secret|pass|pwd|auth|cred|api|signing|bearer|webhook")


@cache
def foreign_rules() -> dict[str, list[ForeignRule]]:
    """The rules of gitleaks (bench/secret_rules.py) by what a text must contain in lower case."""
    found: dict[str, list[ForeignRule]] = {}
    for each in json.loads(files("omoide.observe").joinpath("gitleaks_rules.json").read_text("utf-8")):
        for anchor in each["anchors"]:
            found.setdefault(anchor, []).append(ForeignRule(**{**each, "anchors": tuple(each["anchors"])}))
    return found
