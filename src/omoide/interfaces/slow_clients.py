"""A server protocol that cuts off clients who send or read too slowly; uvicorn alone waits for them for ever."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_SLOWEST = 16_384  # bytes a second that a long request must reach


def bounded_protocol(patience: float) -> type[H11Protocol]:
    """The protocol of connections that have `patience` seconds for each request, and more for a long one."""
    return type("BoundedProtocol", (_Bounded,), {"patience": patience})


class _Bounded(H11Protocol):
    patience: float

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._began, self._received = self.loop.time(), 0
        self._arriving: asyncio.TimerHandle | None = self.loop.call_later(self.patience, self._cut_arriving)
        self._leaving: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        if self._arriving is None:  # the first bytes of the next request
            self._began, self._received = self.loop.time(), 0
        self._received += len(data)
        super().data_received(data)
        self._stop_arriving()
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            until = self._began + self.patience + self._received / _SLOWEST
            self._arriving = self.loop.call_at(until, self._cut_arriving)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._leaving is None:
            self._leaving = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_leaving()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_arriving()
        self._stop_leaving()
        super().connection_lost(exc)

    def _cut_arriving(self) -> None:
        if self.flow.read_paused:  # the server has not taken what was sent: the client is not to blame
            self._arriving = self.loop.call_later(self.patience, self._cut_arriving)
        else:
            self.transport.abort()

    def _stop_arriving(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def _stop_leaving(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
