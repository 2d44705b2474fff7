"""Secrets are found in their formats and wrappings, in every field and at every door, and can be allowed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from omoide import Memory
from omoide.interfaces.tools import tool
from omoide.observe.redaction import digest_of, redact
from omoide.settings import Settings
from omoide.store.engine.connection import Connection
from omoide.store.erasure.stored_secrets import _columns
from secret_formats import measure
from tests.conftest import Open, unsound
from tests.trust.test_what_readers_see import fill

# Put together from parts, so that no scanner takes it for one.
AWS = "AK" + "IA" + "QZWSEDRFTGYHUJIK"
GROQ = "gs" + "k_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7lM9nP1qR3sT5u"
PASSWORD = "Tr0ub4dor-and-3"


def test_nearly_all_secrets_are_found_and_ordinary_text_is_left_alone() -> None:
    counts = measure(seed=7, number=400)
    for part, least in (("documented", 1_500), ("found", 1_000), ("disguised", 200)):
        good, total = map(sum, zip(*counts[part].values(), strict=True))
        assert good / total >= 0.99, part
        assert total >= least
    false, texts = map(sum, zip(*counts["false"].values(), strict=True))
    assert false / texts <= 0.001


WRITES: list[Callable[[Memory], object]] = [
    lambda memory: memory.observe("hello", role=f"tool:{AWS}", session="s"),
    lambda memory: memory.observe("hello", role="agent", origin=f"tool:{AWS}"),
    lambda memory: memory.observe("hello", session=AWS, speaker=AWS, channel=AWS, tags=[AWS], key=AWS),
    lambda memory: memory.observe("hello", details={AWS: [AWS, {"a": AWS}]}),
    lambda memory: memory.remember(f"it is {AWS}", details=AWS, tags=AWS, subject=AWS, session=AWS),
    lambda memory: memory.remember("deploy", kind="procedure", name=AWS, steps=[AWS], trigger=AWS),
    lambda memory: memory.graph.entity(f"Otto {AWS}", description=AWS, attributes={"key": AWS}, aliases=[AWS]),
    lambda memory: memory.documents.save("notes", AWS, f"page {AWS}", body={"key": AWS}),
    lambda memory: memory.tasks.record(f"use {AWS}", "failure", errors=[{"type": "x", "message": AWS}]),
    lambda memory: memory.live("s", window=8_000, system=AWS).before(f"use {AWS}"),
]


@pytest.mark.parametrize("write", WRITES)
def test_no_field_and_no_verb_lets_a_secret_into_the_file(
    opened: Open, path: str, write: Callable[..., object]
) -> None:
    with opened() as memory:
        write(memory)
    written = b"".join(each.read_bytes() for each in Path(path).parent.glob(f"{Path(path).name}*"))
    assert AWS.encode() not in written


def earlier(opened: Open) -> None:
    """A file in which keys were stored, as before there was a rule for them."""
    with opened(settings=Settings(allowed_secrets="aws-key")) as memory:
        for write in WRITES:
            write(memory)
        memory.observe(f"Otto's key is {AWS}", session="old", audience="shared")
        memory.end("old")
        memory.learn()
        old = memory.observe(f"an old turn with {AWS}", details={"key": AWS, "port": 8080}, session="older")
        memory.admin.archive(old.id)
        memory.correct(memory.remember(f"Otto uses {AWS}").id, f"Otto used {AWS} once")


def test_what_was_stored_before_a_rule_existed_is_redacted_on_request(opened: Open, path: str) -> None:
    earlier(opened)
    with opened() as memory:
        before = memory.stats().nodes
        preview = memory.admin.redact(dry_run=True)
        assert (preview.redacted, {kind for each in preview.found for kind in each.kinds}) == (False, {"aws-key"})
        assert {"node", "entity", "entity_name", "session"} <= {each.table for each in preview.found}
        report = memory.admin.redact()
        assert (report.redacted, report.found, report.pending) == (True, preview.found, ())
        assert memory.admin.redact().found == ()
        assert memory.stats().nodes == before
        old = memory.get(memory.recall("an old turn", limit=1).hits[0].id)
        assert old.text == "an old turn with [redacted:aws-key]"
        assert old.details == {"key": "[redacted:aws-key]", "port": 8080}
        assert unsound(memory) == []
    written = b"".join(each.read_bytes() for each in Path(path).parent.glob(f"{Path(path).name}*"))
    assert AWS.encode() not in written


def test_secrets_are_redacted_in_every_table_with_words(opened: Open, path: str) -> None:
    def spoil(db: Connection) -> int:
        """Puts the key into every text that is no JSON document, whatever the table."""
        count = 0
        for table, columns in _columns():
            for column in columns:
                value = f"{column} || ' {AWS}'"
                with suppress(apsw.ConstraintError):  # a digest, or one of our own words
                    db.execute(f"UPDATE OR IGNORE {table} SET {column} = {value} WHERE NOT json_valid({column})")
                    count += db.changes() > 0
        return count

    with opened() as memory:
        fill(memory)
        spoiled = memory._core.store._file.write(spoil)
        report = memory.admin.redact()
        assert len({(each.table, each.column) for each in report.found}) >= spoiled >= 14
        assert memory.admin.redact(dry_run=True).found == ()
    written = b"".join(each.read_bytes() for each in Path(path).parent.glob(f"{Path(path).name}*"))
    assert AWS.encode() not in written


def test_a_report_of_stored_secrets_names_copies_of_the_file(opened: Open, tmp_path: Path) -> None:
    earlier(opened)
    with opened() as memory:
        copy = memory.admin.backup(tmp_path / "copy.db")
        assert [each.path for each in memory.admin.redact(dry_run=True).copies] == [str(copy.path)]


def test_what_is_allowed_stays_when_stored_memories_are_redacted(opened: Open) -> None:
    earlier(opened)
    with opened(settings=Settings(allowed_secrets="aws-key")) as memory:
        assert memory.admin.redact().found == ()


def test_an_imported_file_is_redacted_before_it_is_stored(memory: Memory, tmp_path: Path) -> None:
    page = tmp_path / "notes" / "env.md"
    page.parent.mkdir()
    page.write_text(f"# .env\nSERVICE={GROQ}\nDB_PASSWORD={PASSWORD}\n")
    memory.admin.import_from(page.parent)
    stored = "\n".join(f"{each.text} {each.details}" for each in memory.list())
    assert "[redacted:groq-key]" in stored
    assert GROQ not in stored
    assert PASSWORD not in stored


def test_a_kind_or_one_value_can_be_allowed(opened: Open) -> None:
    one = digest_of(GROQ)
    assert one == f"sha256:{hashlib.sha256(GROQ.encode()).hexdigest()}"
    memory = opened(settings=Settings(allowed_secrets=f"password, {one}"))
    kept = memory.observe(f"password: {PASSWORD}, {GROQ} and {AWS}", details={"password": PASSWORD})
    assert kept.text == f"password: {PASSWORD}, {GROQ} and [redacted:aws-key]"
    assert kept.details == {"password": PASSWORD}
    assert redact(GROQ.replace("aB3", "aB4"), [one]).found == ("groq-key",)


def test_a_recall_that_would_have_shown_a_secret_says_so_and_how_to_allow_it(memory: Memory) -> None:
    turn = memory.observe(f"the staging server: password: {PASSWORD}")
    found = memory.recall("what is the password of the staging server?")
    for told in (
        found.note,
        memory.context("the password of the staging server?").reason,
        tool.memory_lines([turn], ""),
    ):
        assert "secrets (password) were redacted before they were stored" in told
        assert "allowed_secrets" in told


# A name says what the value is: in a command, in brackets, in a header, in the path or the query of an address.
HEX, UUID = "0f1e2d3c4b5a6978" * 2, "7542daad-b685-4953-bfa6-11080665842e"
NAMED = [
    ("gh secret set LINODE_TOKEN --body '{}'", HEX),
    ("my new Mistral API key ({}) works", "INvP3fHD2zHcZc8SONf8a1mfV1Bbpfj1"),
    ("EXA_API_KEY={}", UUID),
    ("AWS_BEARER_TOKEN_X='{}'", "q7Rk" * 6 + "+/aB9" * 20),
    ('"secretKeyBase": "{}"', HEX * 4),
    ("Authorization: GenieKey {}", UUID),
    ("Authorization: {}", HEX),
    ("https://mainnet.infura.io/v3/{}", HEX),
    ("https://example.org/data?q=Berlin&appid={}", HEX),
    ("https://example.org/trigger/door/with/key/{}", "p0K6wcmq7N9fw9Frd3cN"),
    ("https://hooks.example.com/{}", "hooks/catch/9150464/bxosstz/"),
    ("jdbc:pg://db/shop?user=app&password={}", "KLMtieEPLRFhbVQw"),
    ("use this PAT: {}", "is3k7jmqx6pazoic5n3kdzvibvmfbzdlx6gznkhltdv76dm7vfsl"),
    ("WIFI:T:WPA;S:Casa;P:{};;", "Sunny-Day-42"),
    # a record of a name and its value
    ('["name": "HEROKU_API_KEY", "value": "{}"]', UUID),
    ("- name: ACME_TOKEN\n  value: {}", HEX),
    ('<add key="MailPassword" value="{}"/>', "Sunny-Day-42"),
    # the name after the value
    ("Use {} as the Jenkins staging token until May.", HEX),
    ("{} is our OpenWeather API key", HEX),
    # arguments of commands, and names of users
    ("curl -u :{} https://dev.example.com", "x7zwyl7tzxlicpat2qf5rswjzj7vt55pyz5oxuxsh5qpanvjmovl"),
    ("curl -s -u {}: https://api.example.com", "9Qk2mZ7pLw4Xc1Vb8Nt5"),
    ("docker login registry.example.com -u acme -p {}", "9Qk2mZ7pLw4Xc1Vb8Nt5"),
    ("wandb login {}", HEX + "0f1e2d3c"),
    ("dotnet nuget push a.nupkg -k {} -s source", "9Qk2mZ7pLw4Xc1Vb8Nt5"),
    ("mysql -h db.example.com -u app -p{} shop", "Sunny-Day-42"),
    ("https://{}@git.example.com/a.git", "9Qk2mZ7pLw4Xc1Vb8Nt5"),
    ("IRC_PASS={}", "oauth:ziv1vtom7m7s1emz0vz8ao6x8xo405"),
    # hashes of passwords
    ("ADMIN={}", "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW"),
    ("root:{}:19000", "$6$qoE2letU$" + "wWPRl.PVcz" * 8 + "xao0.1"),
]


@pytest.mark.parametrize(("around", "secret"), NAMED)
def test_nothing_is_left_of_a_value_whose_name_says_that_it_is_secret(around: str, secret: str) -> None:
    before, _, after = around.partition("{}")
    text = redact(around.format(secret)).text
    assert (text.startswith(before), text.endswith(after), "[redacted:" in text) == (True, True, True)
    assert not any(part in text for part in (secret[:6], secret[-6:]))


@pytest.mark.parametrize(
    "text",
    [
        f"primary key {UUID}, cache key {HEX}, the public key is {HEX}",
        f"tokenTypeIdx:{HEX[:9]},tokenType:i}}}},t.x=1",
        "{password:!0,image:!0})T.e=1",
        "let secret_number = rand::thread_rng().gen_range(1..=100);",
        "compat: a1B2c3D4e5F6g7H8i9J0, the path: /usr/share/a1B2c3D4e5F6g7H8i9J0",
        "iVBORw0KGgoAAAANSUhEUpiqkcH2jx2DeYDyVG15846FMkdarDQTHUccL7key/XT1v7nyeD111X/SMSlkkQJ3vSOPJvCC2SoJ",
        "https://docs.example.com/webhooks/using-webhooks/best-practices",
        f"- name: CACHE_KEY\n  value: {HEX}\n- name: token_type\n  value: {HEX}",
        f"{HEX} is the id of the token, {UUID} is the primary key; use {HEX} as the next page token",
        f"https://example.org/docs/key/{UUID}?page=2, ssh://{HEX[:24]}@ssh.example.org",
        "--color-password: #37824c8c; mysql -u root -p shop; it costs $2 and $1$ is no hash",
        "git push origin feature/9Qk2mZ7pLw4X, docker login registry.example.com/a1",
    ],
)
def test_code_hashes_and_images_beside_such_names_are_left_alone(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize("wide", [True, False])
def test_a_disguised_secret_is_found_and_other_wide_text_stays(wide: bool) -> None:
    said = "".join(chr(ord(each) + 0xFEE0) for each in GROQ) if wide else "\u200b".join(GROQ)
    assert redact(f"use {said} now").text == "use [redacted:groq-key] now"
    assert redact("Ｈｅｌｌｏ　全角の文字です\u200b").text == "Ｈｅｌｌｏ　全角の文字です\u200b"
