"""Measures learning without a language model: what is learned, what is right, how much code, how fast. One table.

    python bench/learning.py                         held-out sessions of models/judge, size of the code, speed
    python bench/learning.py --lives FOLDER          also lives: JSON files with sessions, gold items and traps
    python bench/learning.py --realmem FOLDER        also RealMem: FOLDER/realmem-turn and FOLDER/realmem-memory
    python bench/learning.py --locomo FILE           also LoCoMo's observations: its original JSON file
    python bench/learning.py --sealed FILE           also a labelled set that nobody looked at (JSON lines)
    python bench/learning.py --words                 without the embedder
    python bench/learning.py --sample 100            also that many learned statements, to be judged by a reader

Labelled sets: precision is the share of statements that quote something labelled as worth keeping, recall the share of
labelled statements that were learned, `tempting` the share of jokes, fiction, hearsay and the like that were learned.
A life's gold item is learned if one memory has all its fragments; a trap is sprung if one has a forbidden fragment.
A gold memory of RealMem or LoCoMo counts as covered if one statement has most of its content words.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import random
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from evaluation_data import documents
from omoide import Memory
from omoide.language.text import search_terms, stem
from omoide.learn.proposal import ConversationTurn, LearningConversation, Statement
from omoide.learn.statements.judge import Judge
from omoide.learn.statements.statement_extractor import StatementExtractor
from omoide.providers import minilm
from omoide.providers.protocols import Embedder
from omoide.settings import Settings

ROOT = Path(__file__).parents[1]
JUDGE_DATA = ROOT / "models/judge/data"
READER = (
    "learn/learner.py",
    "learn/statements/*.py",
    "language/statement_words.py",
    "language/english_s*.py",
    "language/english_discourse.py",
)
LANGUAGES = "language/languages/*.py"  # of which the tables of statements count; both below src/omoide
LEARNED_KINDS = ["fact", "preference", "opinion", "procedure", "note"]
MOSTLY = 0.5  # share of a quote, or of content words
SEGMENT = 50  # turns read at once
AT = datetime(2026, 2, 11, 9, 30, tzinfo=UTC)

Row = tuple[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lives", type=Path, action="append", default=[], help="a folder of lives; may be repeated")
    parser.add_argument("--realmem", type=Path, help="the folder that holds realmem-turn and realmem-memory")
    parser.add_argument("--locomo", type=Path, help="the original LoCoMo file, with its observations")
    parser.add_argument("--sealed", type=Path, help="a labelled set as JSON lines")
    parser.add_argument("--words", action="store_true", help="without the embedder")
    parser.add_argument("--sample", type=int, default=0, help="print this many learned statements at random")
    args = parser.parse_args()
    embedder = None if args.words or not minilm.is_available() else minilm.MiniLM()
    extractor = StatementExtractor(Judge().score, Settings().learn_threshold)
    learned: list[str] = []
    rows = labelled_rows("held-out sessions", held_out_sessions(), extractor, learned)
    for folder in args.lives:
        rows += lives_rows(folder, embedder, learned)
    rows += realmem_rows(args.realmem, extractor, learned) if args.realmem else [("RealMem", "no data given")]
    rows += locomo_rows(args.locomo, extractor) if args.locomo else [("LoCoMo observations", "no data given")]
    if args.sealed:
        rows.append(("sealed set", hashlib.sha256(args.sealed.read_bytes()).hexdigest()[:16]))
        rows += labelled_rows("sealed set", read_sessions(args.sealed), extractor, learned)
    rows += [("code of the reader and its tables", f"{code_lines():,} lines")]
    rows += [("speed", f"{speed():,.0f} turns a CPU second")]
    width = max(len(name) for name, _ in rows)
    print(*(f"{name:<{width}}  {value}" for name, value in rows), sep="\n")
    if args.sample:
        print(*random.Random(1).sample(sorted(set(learned)), min(args.sample, len(set(learned)))), sep="\n")


def labelled_rows(
    name: str, sessions: Iterable[dict[str, Any]], extractor: StatementExtractor, learned: list[str]
) -> list[Row]:
    """Precision, recall and tempting of sessions in the format of models/judge/data."""
    right = total = found = wanted = tempted = tempting = 0
    for session in sessions:
        for turn, statements in learned_turns(session, extractor):
            learned += [each.text for each in statements]
            places = [_place(turn["text"], each.quote.words) for each in statements]
            labels = [_place(turn["text"], each["quote"]) for each in turn["statements"]]
            traps = [_place(turn["text"], each["quote"]) for each in turn["not"]]
            right += sum(any(_overlaps(place, label) for label in labels) for place in places)
            found += sum(any(_overlaps(place, label) for place in places) for label in labels)
            tempted += sum(any(_overlaps(place, trap) for place in places) for trap in traps)
            total, wanted, tempting = total + len(places), wanted + len(labels), tempting + len(traps)
    return [
        (f"{name}: precision", f"{_share(right, total)} of {total} statements"),
        (f"{name}: recall", f"{_share(found, wanted)} of {wanted} labelled"),
        (f"{name}: tempting", f"{_share(tempted, tempting)} of {tempting}"),
    ]


def learned_turns(
    session: dict[str, Any], extractor: StatementExtractor
) -> Iterator[tuple[dict[str, Any], list[Statement]]]:
    """Each user turn of a labelled session with the statements that were read from it."""
    at = datetime.fromisoformat(session["at"])
    turns = tuple(
        ConversationTurn(id=number, text=each["text"], role=each["role"], at=at + timedelta(minutes=number))
        for number, each in enumerate(session["turns"])
    )
    conversation = LearningConversation(session=session["id"], turns=turns, owner=session.get("speaker_name"))
    statements = extractor.extract(conversation).statements
    for number, turn in enumerate(session["turns"]):
        if turn["role"] == "user":
            yield turn, [each for each in statements if each.quote.episode == number]


def _place(text: str, quote: str) -> tuple[int, int]:
    start = text.find(quote)
    return (start, start + len(quote)) if start >= 0 else (0, 0)


def _overlaps(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether most of the shorter of two places lies in the other."""
    common = min(one[1], other[1]) - max(one[0], other[0])
    return common > 0 and common >= MOSTLY * min(one[1] - one[0], other[1] - other[0])


def held_out_sessions() -> list[dict[str, Any]]:
    sessions = [each for file in sorted(JUDGE_DATA.glob("*.jsonl")) for each in read_sessions(file)]
    return [each for each in sessions if zlib.crc32(each["id"].encode()) % 5 == 0]  # as in models/judge/train.py


def read_sessions(file: Path) -> Iterator[dict[str, Any]]:
    """Sessions of a labelled file. A line may also be a single turn: `text` with `statements`, `not` or `keep`."""
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        held = json.loads(line)
        if "turns" in held:
            yield held
        elif "text" in held:
            kept = [{"quote": held["text"]}] if held.get("keep") else []
            denied = [{"quote": held["text"]}] if held.get("why") else []
            turn = {"role": "user", "statements": kept, "not": denied, **held}
            yield {"id": str(held.get("id", number)), "at": held.get("at", AT.isoformat()), "turns": [turn]}
        else:
            raise SystemExit(f"{file}, line {number}: expected `turns` or `text`, found {', '.join(held)}")


def lives_rows(folder: Path, embedder: Embedder | None, learned: list[str]) -> list[Row]:
    """Learned gold items, and traps that became memories, of each life in a folder."""
    rows: list[Row] = []
    shares = []
    for file in sorted(folder.glob("*.json")):
        life = json.loads(file.read_text("utf-8"))
        with tempfile.TemporaryDirectory() as place:
            texts = live(life, Path(place) / "life.db", embedder)
        learned += texts
        lowered = [text.lower() for text in texts]
        gold = [any(_has(way, lowered) for way in item["any"]) for item in life["gold"]]
        sprung = [part for trap in life["traps"] for part in trap["never"] if _has([part], lowered)]
        shares.append(sum(gold) / len(gold))
        value = f"{_share(sum(gold), len(gold))} of {len(gold)} learned, {len(sprung)} trapped, {len(texts)} memories"
        rows.append((f"life {life['name']}", value))
    mean = f"{sum(shares) / len(shares):.3f} learned" if shares else "no life found"
    return [*rows, (f"lives in {folder.name}", mean)]


def live(life: dict[str, Any], path: Path, embedder: Embedder | None) -> list[str]:
    """Tells a life session by session and returns what was learned."""
    now = AT
    with Memory(path, clock=lambda: int(now.timestamp() * 1_000_000), embedder=embedder) as memory:
        for session in life["sessions"]:
            start = datetime.fromisoformat(session["at"].replace("Z", "+00:00"))
            for number, (said, reply) in enumerate(session["turns"]):
                now = start + timedelta(minutes=2 * number)
                memory.observe(said, role="user", session=session["id"], at=now)
                memory.observe(reply, role="agent", session=session["id"], at=now + timedelta(seconds=20))
            memory.end(session["id"])
            memory.flush()
            memory.learn()
        return [each.text for each in memory.list(kinds=LEARNED_KINDS)]


def _has(fragments: Sequence[str], texts: Sequence[str]) -> bool:
    return any(all(fragment.lower() in text for fragment in fragments) for text in texts)


def realmem_rows(folder: Path, extractor: StatementExtractor, learned: list[str]) -> list[Row]:
    gold: dict[str, list[str]] = {}
    for each in documents(folder / "realmem-memory"):
        gold.setdefault(each["corpus"], []).append(each["text"].partition("】")[2] or each["text"])
    said: dict[str, list[str]] = {}
    for each in documents(folder / "realmem-turn"):
        speaker, _, text = each["text"].partition(": ")
        if speaker == "User":
            said.setdefault(each["corpus"], []).append(text)
    covered = total = statements = 0
    for corpus, texts in said.items():
        found = _read(texts, extractor)
        learned += found
        statements += len(found)
        covered += _covered(gold[corpus], found)
        total += len(gold[corpus])
    return [("RealMem", f"{_share(covered, total)} of {total} gold memories covered by {statements} statements")]


def locomo_rows(file: Path, extractor: StatementExtractor) -> list[Row]:
    covered = total = 0
    for item in json.loads(file.read_text("utf-8")):
        talk = item["conversation"]
        for name, observations in item["observation"].items():
            turns = talk[name.removesuffix("_observation")]
            for speaker, facts in observations.items():
                found = _read([each["text"] for each in turns if each["speaker"] == speaker], extractor, speaker)
                covered += _covered([fact[0] for fact in facts], found)
                total += len(facts)
    return [("LoCoMo observations", f"{_share(covered, total)} of {total} covered")]


def _read(texts: Sequence[str], extractor: StatementExtractor, owner: str | None = None) -> list[str]:
    found: list[str] = []
    for first in range(0, len(texts), SEGMENT):
        turns = [
            ConversationTurn(id=number, text=text, role="user", at=AT + timedelta(minutes=number))
            for number, text in enumerate(texts[first : first + SEGMENT])
        ]
        conversation = LearningConversation(session=str(first), turns=tuple(turns), owner=owner)
        found += [each.text for each in extractor.extract(conversation).statements]
    return found


def _covered(gold: Sequence[str], found: Sequence[str]) -> int:
    held = [_content(text) for text in found]
    return sum(any(len(words & each) >= MOSTLY * len(words) for each in held) for words in map(_content, gold) if words)


def _content(text: str) -> set[str]:
    return {stem(word.lower()) for word in search_terms(text) if len(word) > 3 or word.isdigit()}


def code_lines() -> int:
    files = {file for pattern in READER for file in (ROOT / "src/omoide").glob(pattern)}
    tables = [
        item.value
        for file in (ROOT / "src/omoide").glob(LANGUAGES)
        for item in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(item, ast.keyword) and item.arg == "statements" and isinstance(item.value, ast.Call)
    ]
    lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)
    return lines + sum((each.end_lineno or 0) - each.lineno + 1 for each in tables)


def speed() -> float:
    """Turns per CPU second, of all labelled sessions, after one that warms up."""
    sessions = [each for file in sorted(JUDGE_DATA.glob("*.jsonl")) for each in read_sessions(file)]
    extractor = StatementExtractor(Judge().score, Settings().learn_threshold)
    list(learned_turns(sessions[0], extractor))
    start = time.process_time()
    turns = sum(1 for each in sessions for _ in learned_turns(each, extractor))
    return turns / (time.process_time() - start)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "none"


if __name__ == "__main__":
    main()
