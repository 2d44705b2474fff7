"""Asking a language model again when it was busy or could not be reached: later each time, and not all at once."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from omoide.providers.languagemodel import Answer, CallFailed, LanguageModel, Price, Request

FIRST_PAUSE = 1.0  # seconds; doubled with each attempt
LONGEST_PAUSE = 30.0
# A provider that asks for more than this has closed for the day: better to fail, and learn the session later.
LONGEST_WAIT = 120.0


class Patient:
    """A model that is asked up to `retries` times more when that may help."""

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

    @property
    def name(self) -> str:
        return self._model.name

    def price(self, operation: str) -> Price | None:
        return self._model.price(operation)

    def complete(self, request: Request) -> Answer:
        attempt = 0
        while True:
            try:
                return self._model.complete(request)
            except CallFailed as failed:
                if not failed.again or attempt == self._retries or (failed.after or 0) > LONGEST_WAIT:
                    raise
                self._sleep(self._pause(attempt, failed.after))
                attempt += 1

    def _pause(self, attempt: int, asked: float | None) -> float:
        """Half to all of the doubled pause, so that clients do not come back all at once; never less than asked."""
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**attempt) * (0.5 + self._chance() / 2)
        return pause if asked is None else max(pause, asked + self._chance())
