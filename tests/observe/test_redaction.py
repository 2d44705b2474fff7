from __future__ import annotations

import base64
import json
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from omoide.observe.redaction import redact
from omoide.observe.secret_rules import KEYWORD_RULES

# Every secret here is put together from parts that no scanner takes for one.
MIXED = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7lM9nP1qR3sT5uV7wX9yZ1aB3"
HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
DIGITS = "1234567890"
BODY = "\n".join(MIXED for _ in range(3))
JWT = ".".join("ey" + "J" + base64.urlsafe_b64encode(json.dumps(p).encode()).decode()[3:].rstrip("=")
               for p in ({"alg": "HS256"}, {"sub": "1234", "name": "Otto"}))  # fmt: skip

TOKENS = {
    "aws-key": ["AK" + "IA" + "Q3EGRMZ5XWABCD27", "AS" + "IA" + "Q3EGRMZ5XWABCD27"],
    "github-token": ["gh" + "p_" + MIXED[:36], "gh" + "s_" + MIXED[:36],
                     "github" + "_pat_" + MIXED[:22] + "_" + MIXED[:59]],
    "gitlab-token": ["gl" + "pat-" + MIXED[:20]],
    "slack-token": ["xo" + "xb-" + DIGITS + "12-" + DIGITS + "12-" + MIXED[:24],
                    "xa" + "pp-1-A0" + DIGITS + "-" + HEX],
    "stripe-key": ["sk" + "_live_" + MIXED[:24], "rk" + "_test_" + MIXED[:24], "wh" + "sec_" + MIXED[:32]],
    "anthropic-key": ["sk" + "-ant-api03-" + MIXED + "-" + MIXED[:20] + "AA"],
    "openai-key": ["sk" + "-proj-" + MIXED + "_" + MIXED[:20], "sk" + "-" + MIXED[:48], "sk" + "-" + HEX],
    "google-key": ["AI" + "za" + MIXED[:35], "GOC" + "SPX-" + MIXED[:28], "ya" + "29." + MIXED],
    "huggingface-token": ["h" + "f_" + MIXED[:34]],
    "npm-token": ["np" + "m_" + MIXED[:36]],
    "pypi-token": ["py" + "pi-AgE" + "IcHlwaS5vcmc" + MIXED * 2],
    "twilio-key": ["S" + "K" + HEX],
    "sendgrid-key": ["S" + "G." + MIXED[:22] + "." + MIXED[:43]],
    "telegram-token": ["123456789" + ":A" + "A" + MIXED[:33]],
    "jwt": [JWT + "." + MIXED[:43], JWT + "."],
    "private-key": [
        "-----BEGIN " + "RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + BODY
        + "==\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN " + "PRIVATE KEY-----\\n" + MIXED + "\\n" + MIXED,
        "-----BEGIN " + "PGP PRIVATE KEY BLOCK-----\n\n" + BODY
        + "\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----",
    ],
    "card-number": ["4539 1488" + " 0343 6467", "37144963" + "5398431",
                    "6011-1111-" + "1111-1117", "3714 496353" + " 98431"],
    "iban": ["DE89 3704 0044" + " 0532 0130 00", "GB82WEST" + "12345698765432",
             "PL61 1090 1014" + " 0000 0712 1981 2874"],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "secret"), [(kind, s) for kind, several in TOKENS.items() for s in several])
@pytest.mark.parametrize("around", ["{}", "use {} please", "x={}\nnext line", '{{"a": "{}"}}', "看({})。"])
def test_a_token_is_replaced_by_its_kind(kind: str, secret: str, around: str) -> None:
    redacted = redact(around.format(secret))
    assert redacted.text == around.format(f"[redacted:{kind}]")
    assert redacted.found == (kind,)


# {} is the secret; what is kept around it is part of what is tested.
IN_CONTEXT = [
    ("aws-secret", "aws_secret_access_key = {}", MIXED[:19] + "/" + MIXED[:20]),
    ("authorization", "Authorization: Bearer {}", MIXED[:30]),
    ("authorization", '-H "authorization: Basic {}"', "dXNlcjpodW50ZXI="),
    ("authorization", "send it as bearer {} then", MIXED[:40]),
    ("slack-webhook", "https://hooks.slack.com/services/{}", "T0AB" + "CD12/B0AB" + "CD34/" + MIXED[:24]),
    ("url-password", "postgres://otto:{}@db.example.org:5432/app", "s3cr" + "et-hunter"),
    ("url-password", "redis://:{}@10.0.0.1/0", "p@ss" + "word!1"),
    ("password", "password: {}", "hunt" + "er2"),
    ("password", "my password is {}.", "hunt" + "er2"),
    ("password", "The wifi password for the cabin is {}, ok?", "Sunny" + "-Day-42"),
    ("password", "the password is “{}”", "sword" + "fish"),
    ("password", '{{"user": "otto", "password": "{}"}}', "correct'horse"),
    ("password", "{{\\\"password\\\": \\\"{}\\\"}}", "tr0ub4dor"),
    ("password", "DB_PASSWORD={}", "sword" + "fish"),
    ("password", "<password>{}</password>", "tr0ub4dor&3"),
    ("password", "mysql --password {} app", "tr0ub4dor"),
    ("password", "Server=db;Password={};Database=app", "tr0ub4dor"),
    ("password", "login?password={}&user=otto", "tr0ub4dor"),
    ("password", "the passcode is {}", "48" + "2113"),
    ("password", "mein Passwort ist {}", "Hase" + "2020"),
    ("password", "我的密码是{}", "abc" + "12345"),
    ("password", "пароль: {}", "кот" + "2020"),
    ("key", "api_key={}", HEX),
    ("key", "X-Api-Key: {}", MIXED[:20]),
    ("key", "my API key is {}", "8f3a" + "9c2b1d"),
    ("key", "const clientSecret = '{}'", MIXED[:24]),
    ("key", '"access_token":"{}"', MIXED[:24]),
    ("key", "the token for the weather service is {}", HEX),
    ("key", "encryption key: {}", MIXED[:43] + "="),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "around", "secret"), IN_CONTEXT)
def test_a_secret_after_a_keyword_is_replaced(kind: str, around: str, secret: str) -> None:
    redacted = redact(around.format(secret))
    assert redacted.text == around.format(f"[redacted:{kind}]")
    assert redacted.found == (kind,)


@pytest.mark.parametrize(
    "text",
    [
        "commit d2123d2f0e9c8b7a6f5e4d3c2b1a09f8e7d6c5b4 fixes it",
        "node 550e8400-e29b-41d4-a716-446655440000 and 01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "ISBN 978-3-16-148410-0, call +49 30 901820 or 4539 148 803, on 2024-05-03 10:15:00",
        "order 4539148803436467 shipped; tracking number: 5105105105105100",
        "4539 1488 0343 6468 fails the check, 1700000000000000 is a time in microseconds",
        "DE00 3704 0044 0532 0130 00 is no IBAN",
        "Donaudampfschifffahrtsgesellschaftskapitän, antidisestablishmentarianism",
        "/usr/lib/python3/dist-packages/some_module-1.2.3.dist-info/METADATA",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "https://example.org/a?b=c#d https://example.org:8080/x@y ssh://git@example.org/repo.git",
        "password is required", "the password is weak and the passphrase was strong", "Password: ",
        "password reset", "password: <your-password>", "password=***", "password: xxxxxxxx",
        "password=$DB_PASSWORD", "PASSWORD=${PW}", "password = os.environ['DB_PASSWORD']",
        'password=os.getenv("X1")', "password: str", "def f(password: str = None)", "password=password",
        "login(user, password=user_password)", "password = self.config.password2",
        "password = get_password1()", "password: {{ vault_password1 }}", '"password": "string"',
        "password: 'Passwort'", "the password is base64-encoded", "the password is 12-character long",
        "password is at least 8 characters", "api_key=<your-key>", "api_key = YOUR_API_KEY_1234",
        "api_key: my-api-key-2024", "api_key=settings.API_KEY_V2",
        "postgres://user:password@localhost/db", "postgres://user:${PW}@localhost/db",
        "postgres://u:<pw>@h/db", "Authorization: Bearer <token>",
        "Authorization: Bearer YOUR_TOKEN_HERE", "Authorization: Basic authentication",
        "the key to success is 10000hours of work", "primary key: 550e8400e29b41d4a716446655440000",
        "max_tokens: 128000, token count is 4096, tokens: 12", "the secret: patience",
        '"NextToken": "a1b2c3d4e5f6a7b8c9d0"', "arn:aws:secretsmanager:x:1234:secret:Prod1-a1b2c3d4e5",
        '"ChangePassword": "arn:aws:iam::aws:policy/X1"', "socks5h://<username>:<password>@proxy-host",
        "monkey: a1b2c3d4e5f6a7b8c9", "sk-learn-and-other-long-names-for-libraries",
        "xoxb-your-slack-token-goes-here", "-----BEGIN PUBLIC KEY-----",
        "A key starts with -----BEGIN " + "PRIVATE KEY----- and ends with a similar line",
        "0 word " + "word " * 30, "tree river " * 8,
        "task_sk_test_data, github_pat_example", "", " ", "\ud800 lone", "İ" * 20,
    ],
)  # fmt: skip
def test_what_is_not_a_secret_is_left_alone(text: str) -> None:
    assert redact(text).text == text
    assert redact(text).found == ()


def test_several_secrets_in_one_text_are_all_named() -> None:
    key = TOKENS["openai-key"][0]
    redacted = redact(f"OPENAI_API_KEY={key}\nthen log in with otto, password: tr0ub4dor")
    assert redacted.text == "OPENAI_API_KEY=[redacted:openai-key]\nthen log in with otto, password: [redacted:password]"
    assert redacted.found == ("openai-key", "password")


@pytest.mark.parametrize("before", ["", "following ", "Words: ", "1. "])
def test_a_seed_phrase_is_found_wherever_it_begins(before: str) -> None:
    phrase = "legal winner thank year wave sausage worth useful crop window vivid yellow"
    assert redact(before + phrase).text == before + "[redacted:seed-phrase]"


def test_every_anchor_is_in_lower_case() -> None:
    assert [each for rule in KEYWORD_RULES for each in rule.anchors if each != each.lower()] == []


PIECES = st.sampled_from(
    [secret for several in TOKENS.values() for secret in several]
    + [around.format(secret) for _, around, secret in IN_CONTEXT]
    + ["password", "token", "api_key", "&", "[", "]", "secret", "=", ":", " is ", '"', "'", " "]
    + ["\n", "-", "_", "@", "://", "a:"]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.one_of(PIECES, st.text(string.printable, max_size=12), st.text(max_size=6)), max_size=8).map("".join)
)
@example("password=password=" + "tr0ub4dor")
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once
    assert redact(once).found == ()


def test_a_disguised_secret_beside_a_plain_one_of_its_kind_is_removed() -> None:
    assert "geheim" not in redact("password: tr0ub4dor7 and passw\u200bord: geheim99").text


def test_nothing_is_left_of_a_token_with_an_invisible_character() -> None:
    token = TOKENS["openai-key"][1]
    assert redact(f"{token[:30]}\u200b{token[30:]}").text == "[redacted:openai-key]"


@pytest.mark.parametrize(
    "piece",
    [
        "a", "1", "1 ", "4539 ", "-", "sk-", "eyJ", "eyJ.", "AKIA", "DE89 ", "DE89", "xoxb-", "://",
        "://a:", "://:@", "password", "password ", "password is ", "password=", 'password="',
        "password: '\\", "token a ", "key:", "secret is is ", "bearer ", "authorization: bearer ",
        "-----BEGIN " + "PRIVATE KEY-----", "-----BEGIN " + "PRIVATE KEY-----\\n", "--password ",
        "hooks.slack.com/services/", "&a=", "密码是", "_a", "ghp_" + "a", "SG.aaaaaaaaaaaaaaaa.",
        "12345678:AA", "\\", "A1B2C3D4",
    ],
)  # fmt: skip
def test_hostile_texts_are_redacted_in_linear_time(piece: str) -> None:
    # Squared, a quarter of a megabyte would take minutes.
    redact("token is " + piece * (250_000 // len(piece)) + "1")


@pytest.mark.parametrize(
    "text",
    [
        "my api key is " + "sk" + "-proj-" + "abcdefghijklmnopqrstuvwx",
        "gh" + "p_" + "abcdefghijklmnopqrstuvwxyzabcdefghij",
        "the wifi password: correct-horse-" + "battery",
        "My password is correct-horse-" + "battery",
    ],
)
def test_an_issuers_prefix_or_a_stated_password_needs_no_randomness(text: str) -> None:
    assert redact(text).found


@pytest.mark.parametrize("text", ["The password: up-to-date managers keep it.", "password: end-to-end encrypted"])
def test_hyphenated_prose_after_password_is_kept(text: str) -> None:
    assert redact(text).text == text
