"""Slows down those who guess tokens, without hindering who already holds one."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network
from time import monotonic
from typing import Any

_FREE = 5  # failures without a pause: somebody mistypes
_LONGEST = 60.0  # seconds of a pause
_FORGOTTEN = 600.0  # seconds after which failures no longer count
_MOST = 10_000  # addresses, and tokens, that are remembered


class Throttle:
    """After a few wrong tokens from one address, each further failure doubles the pause before the next attempt.

    During the pause a token is not even looked at, unless the same address has used it before: others behind the same
    proxy go on working. A wrong token that is sent again is no guess: a program with an old token is told so each time.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()  # address: how many, and when the last was
        self._known: OrderedDict[tuple[str, bytes], bool] = OrderedDict()  # whether the token was right

    def pause(self, address: str, token: str) -> float:
        """Seconds until the next attempt is looked at; 0 if it may be now."""
        near = _near(address)
        failures, last = self._failures.get(near, (0, 0.0))
        if failures < _FREE or (near, _digest(token)) in self._known:
            return 0.0
        return max(0.0, last + min(_LONGEST, 2.0 ** (failures - _FREE)) - self._now())

    def failed(self, address: str, token: str) -> None:
        near = _near(address)
        key = near, _digest(token)
        known = self._known.get(key)
        self._known[key] = False
        _shorten(self._known)
        if known is False:
            return
        failures, last = self._failures.pop(near, (0, 0.0))
        now = self._now()
        self._failures[near] = (failures + 1 if now - last < _FORGOTTEN else 1, now)
        _shorten(self._failures)

    def passed(self, address: str, token: str) -> None:
        self._known[_near(address), _digest(token)] = True
        _shorten(self._known)


def _near(address: str) -> str:
    """The address, or the network that one IPv6 customer owns."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else address


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _shorten(remembered: OrderedDict[Any, Any]) -> None:
    if len(remembered) > _MOST:
        remembered.popitem(last=False)
