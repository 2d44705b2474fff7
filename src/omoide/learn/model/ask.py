"""Asking until the answer will do: what cannot be read or does not hold is told to the model, then refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from omoide import errors
from omoide.errors import ModelFailed
from omoide.learn.model.reply import Reply, Unreadable, read
from omoide.learn.model.shape import Wrong
from omoide.providers.languagemodel import Answer, CallFailed, Exchange, LanguageModel, LimitReached, Request

T = TypeVar("T")

_MOST_PROBLEMS = 20  # told at once
_LONGEST_SHOWN = 6_000  # characters of a bad answer that are shown again


@dataclass(frozen=True, slots=True)
class Verdict(Generic[T]):
    """What of an answer holds, and what is wrong with the rest."""

    good: tuple[T, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard(Generic[T]):
    """What came of asking. `cut`: the answer broke off, there may have been more."""

    good: tuple[T, ...]
    refused: tuple[str, ...] = ()
    cut: bool = False


Judge = Callable[[Any], Verdict[T]]  # raises Wrong where an answer is of no use at all


def ask(model: LanguageModel, request: Request, judge: Judge[T], repairs: int, *, halved: bool = True) -> Heard[T]:
    """Asks once, and again with what was wrong: as often as `repairs` for an answer of no use, once for single items.

    `halved`: an answer that breaks off is asked for in halves by the caller. Where it cannot be, one that broke off
    before anything whole stood in it is of no use: an empty beginning does not say that there is nothing.
    Raises ModelFailed when nothing usable comes, LimitReached when asking would cost too much.
    """
    first: Heard[T] | None = None
    why = ""
    for _ in range(repairs + 1):
        try:
            answer = complete(model, request)
        except ModelFailed:
            if first is not None:  # only the corrections are lost, and they are counted as refused
                return first
            raise
        try:
            reply = _read(answer)
            verdict = judge(reply.value)
            cut = reply.cut or answer.finish == "length"
            if cut and not halved and first is None and not verdict.good:
                raise Unreadable("it broke off before its first whole item")
        except (Unreadable, Wrong) as wrong:
            why = str(wrong)
            request = _again(request, answer, f"That answer cannot be used: {why}. Answer again with the JSON alone.")
            continue
        if first is not None:
            return Heard(first.good + tuple(new for new in verdict.good if new not in first.good), verdict.problems)
        first = Heard(verdict.good, verdict.problems, cut)
        if first.cut or not first.refused:
            return first
        request = _again(request, answer, _complaint(first.refused))
    if first is not None:
        return first
    raise ModelFailed(
        f"{model.name}: no usable answer in {repairs + 1} attempts ({why}); nothing was learned from this session, "
        "it stays pending. Try again, or choose another model (llm_model)"
    )


def complete(model: LanguageModel, request: Request) -> Answer:
    """One call, with the provider's failures in the words of our own tree."""
    try:
        return model.complete(request)
    except LimitReached as failed:
        raise errors.LimitReached(f"{failed}; the session stays pending") from None
    except CallFailed as failed:
        raise ModelFailed(
            f"{failed}; nothing was learned from this session, it stays pending. Try again later"
        ) from None


def _read(answer: Answer) -> Reply:
    if answer.finish == "refused":
        raise Unreadable("the model refused to answer")
    return read(answer.text)


def _again(request: Request, answer: Answer, complaint: str) -> Request:
    """Only the last answer is shown: the way there does not help."""
    return replace(request, before=(Exchange(answer.text[:_LONGEST_SHOWN], complaint),))


def _complaint(problems: tuple[str, ...]) -> str:
    listed = "\n".join(f"- {problem}" for problem in problems[:_MOST_PROBLEMS])
    return (
        f"These items were refused:\n{listed}\n"
        "Answer in the same form with the corrected items alone; the others were taken. "
        "Leave out what the conversation does not say. Quote word for word."
    )
