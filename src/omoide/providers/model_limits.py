"""Usage metering, spending limits and retries around a language model."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from omoide.providers.protocols import (
    Completion,
    CompletionRequest,
    LanguageModel,
    ModelCallFailed,
    SpendingLimitReached,
    TokenPrice,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUsage:
    """Number of answered calls, their tokens and their cost."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0  # dollars

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def __add__(self, other: ModelUsage) -> ModelUsage:
        return ModelUsage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=self.cost + other.cost,
        )

    def __str__(self) -> str:
        return f"{self.calls} calls, {self.tokens:,} tokens, ${self.cost:.4f}"


@dataclass(frozen=True, slots=True)
class RunLimit:
    """Limits of one run; 0 is no limit."""

    cost: float = 0.0  # dollars
    tokens: int = 0


class UsageMeter:
    """Sums the usage of one run and checks its limit. `before` is usage that already counts against the limit."""

    def __init__(self, limit: RunLimit, before: ModelUsage | None = None) -> None:
        self._limit = limit
        self._before = before or ModelUsage()
        self._usage = ModelUsage()
        self._lock = threading.Lock()

    @property
    def usage(self) -> ModelUsage:
        return self._usage

    def add(self, spent: ModelUsage) -> None:
        with self._lock:
            self._usage += spent

    def check(self, model: str, expected: ModelUsage, priced: bool) -> None:
        """Raises SpendingLimitReached if the expected usage would exceed a limit. `priced`: the price is known."""
        limit, total = self._limit, self._before + self._usage + expected
        if limit.tokens and total.tokens > limit.tokens:
            raise SpendingLimitReached(
                f"{model}: not called, the next call may need {expected.tokens:,} tokens and would exceed the limit "
                f"of {limit.tokens:,} a run ({self._usage.tokens:,} used); raise llm_max_tokens, or run again later"
            )
        if limit.cost and not priced:
            raise SpendingLimitReached(
                f"{model}: not called, its price is unknown and llm_max_cost cannot be enforced; set llm_price_input "
                "and llm_price_output (dollars per million tokens), or llm_max_cost = 0 for no limit in dollars"
            )
        if limit.cost and total.cost > limit.cost:
            raise SpendingLimitReached(
                f"{model}: not called, the next call may cost ${expected.cost:.4f} and would exceed the limit "
                f"of ${limit.cost:.2f} a run (${self._usage.cost:.4f} spent); raise llm_max_cost, or run again later"
            )


class SpendingLimit(Protocol):
    """A spending limit per day, shared by all processes that use the file."""

    def reserve(self, expected: ModelUsage) -> str | None:
        """Reserves the highest possible cost of a call. Returns a name for `settle`, or None if too little is left."""

    def settle(self, name: str, expected: ModelUsage, spent: ModelUsage) -> None:
        """Releases the part of a reservation that the call did not cost."""


class _WrappedModel:
    """Has the name and the price of the model that it wraps."""

    _model: LanguageModel

    @property
    def name(self) -> str:
        return self._model.name

    def price(self, operation: str) -> TokenPrice | None:
        return self._model.price(operation)


class MeteredModel(_WrappedModel):
    """A model whose calls are metered and limited.

    The expected usage of a call is its text and the longest answer that it may give.
    """

    def __init__(
        self,
        model: LanguageModel,
        meter: UsageMeter,
        count: Callable[[str], int],
        daily_limit: SpendingLimit | None = None,
    ) -> None:
        self._model = model
        self._meter = meter
        self._count = count
        self._daily_limit = daily_limit

    def complete(self, request: CompletionRequest) -> Completion:
        price = self.price(request.operation)
        # The schema is sent too: about one token per four characters.
        sent = self._count(request.sent_text) + len(str(request.schema)) // 4
        longest = request.max_output_tokens
        expected = ModelUsage(input_tokens=sent, output_tokens=longest, cost=price.of(sent, longest) if price else 0.0)
        self._meter.check(self.name, expected, price is not None)
        reserved = self._reserve(expected, price is not None)
        spent = ModelUsage()
        try:
            answer = self._model.complete(request)
            spent = _usage_of(answer, price, sent, self._count)
        except ModelCallFailed as failed:
            if failed.may_be_charged:  # the provider read the request and may charge for it
                spent = ModelUsage(calls=1, input_tokens=sent, cost=price.of(sent, 0) if price else 0.0)
            raise
        finally:
            self._meter.add(spent)
            if self._daily_limit is not None and reserved is not None:
                self._daily_limit.settle(reserved, expected, spent)
        return answer

    def _reserve(self, expected: ModelUsage, priced: bool) -> str | None:
        """Reserves before the call, so that two processes cannot spend the same money. A crash counts as spent."""
        if self._daily_limit is None:
            return None
        if not priced:
            raise SpendingLimitReached(
                f"{self.name}: not called, its price is unknown and llm_max_cost_per_day cannot be enforced; set "
                "llm_price_input and llm_price_output (dollars per million tokens), or llm_max_cost_per_day = 0"
            )
        reserved = self._daily_limit.reserve(expected)
        if reserved is None:
            raise SpendingLimitReached(
                f"{self.name}: not called, the next call may cost ${expected.cost:.4f}, more than is left of "
                "llm_max_cost_per_day; raise it, or run again tomorrow (UTC)"
            )
        return reserved


def _usage_of(answer: Completion, price: TokenPrice | None, sent: int, count: Callable[[str], int]) -> ModelUsage:
    """Returns the usage that the provider reports, or an estimate where a local server reports none."""
    read = answer.input_tokens or sent
    wrote = answer.output_tokens or count(answer.text)
    cost = answer.cost if answer.cost is not None else price.of(read, wrote) if price else 0.0
    return ModelUsage(calls=1, input_tokens=read, output_tokens=wrote, cost=cost)


FIRST_PAUSE_SECONDS = 1.0  # doubled with each attempt
MAX_PAUSE_SECONDS = 30.0
# A provider that asks for a longer wait is out of service; fail and learn the session later.
MAX_WAIT_SECONDS = 120.0


class RetryingModel(_WrappedModel):
    """Repeats a failed call up to `retries` times if that may help, with growing random pauses."""

    def __init__(
        self,
        model: LanguageModel,
        retries: int,
        *,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,  # from 0 to 1
    ) -> None:
        self._model = model
        self._retries = retries
        self._sleep = sleep
        self._chance = chance

    def complete(self, request: CompletionRequest) -> Completion:
        attempt = 0
        while True:
            try:
                return self._model.complete(request)
            except ModelCallFailed as failed:
                if not failed.retryable or attempt == self._retries or (failed.retry_after or 0) > MAX_WAIT_SECONDS:
                    raise
                self._sleep(self._pause(attempt, failed.retry_after))
                attempt += 1

    def _pause(self, attempt: int, asked: float | None) -> float:
        """Returns 50 to 100 % of the doubled pause, so that clients spread out; never less than the provider asked."""
        pause = min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0**attempt) * (0.5 + self._chance() / 2)
        return pause if asked is None else max(pause, asked + self._chance())
