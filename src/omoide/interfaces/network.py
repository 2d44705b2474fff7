"""Listening on a port: bound before its address is printed, closed cleanly on Ctrl-C and SIGTERM. Slow clients are cut
off, and names of hosts are read strictly."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import re
import signal
import socket
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from omoide.errors import Busy, InvalidInput

LOOPBACK = ("127.0.0.1", "localhost", "::1")
PATIENCE = 10.0  # seconds for a request to arrive, more for a long one; and for a client to read what it asked for
_SLOWEST = 16_384  # bytes a second that a long request must reach
_MOST_CONNECTIONS = 500
_MOST_FILES = 65_536
_GRACE = 2  # seconds for running requests after a signal; a stream may have no end of its own


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A bound socket. Ctrl-C and SIGTERM end the block without an error, so that the caller can close the memory.

    Port 0 chooses a free one. uvicorn raises a signal again after handling it; the default action of SIGTERM would
    end the process with the memory open.
    """
    listener = _bound(host, port)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield listener
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)
        listener.close()


def serve(app: Any, listener: socket.socket, patience: float = PATIENCE) -> None:
    _allow_many_files()
    server(app, patience).run(sockets=[listener])


def _allow_many_files() -> None:
    """Raises the number of files that this process may open as far as it may: each open memory has about eight."""
    with suppress(ImportError, OSError, ValueError):  # not on Windows, and not everywhere allowed
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = hard if 0 <= hard < _MOST_FILES else _MOST_FILES
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def server(app: Any, patience: float = PATIENCE) -> uvicorn.Server:
    """The server of an application, before it runs."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=type("BoundedProtocol", (_Bounded,), {"patience": patience}),
            ws="none",
            log_level="warning",
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=_GRACE,
        )
    )


class _Bounded(H11Protocol):
    """Cuts off clients who send or read too slowly; uvicorn alone waits for them for ever."""

    patience: float  # seconds for each request, and more for a long one

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


# Names of hosts.


_AUTHORITY = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9_-]+(?:\.[a-z0-9_-]+)*))(?::\d{1,5})?", re.I)


def host_name(authority: str) -> str | None:
    """The host of a `Host` header; None where it is not exactly a name or an address, with or without a port.

    Lenient parsers read `127.0.0.1:80.evil.com` and `[::1].evil` as loopback addresses.
    """
    found = _AUTHORITY.fullmatch(authority)
    return (found[1] or found[2]).lower() if found else None


def answers_to(authority: str, names: Collection[str], scope: Mapping[str, Any]) -> bool:
    """Whether a request for this host may be answered: one of the names, or the address at which it arrived. A page
    that rebinds a name cannot send an address instead."""
    host = host_name(authority)
    if host is None or host in names:
        return host is not None
    try:
        return ipaddress.ip_address(host) == ipaddress.ip_address(str((scope.get("server") or ("",))[0]))
    except ValueError:  # a name, or a socket of the file system
        return False


def origin_host(origin: str) -> str | None:
    """The host of an `Origin` header; None where it is not exactly `http://` or `https://` and a host."""
    scheme, separator, authority = origin.partition("://")
    return host_name(authority) if separator and scheme.lower() in ("http", "https") else None


def refusal(
    headers: Mapping[str, str], names: Collection[str], origins: Collection[str], scope: Mapping[str, Any]
) -> tuple[int, str] | None:
    """Status and reason for a request for a foreign host or from a foreign page: none may come by DNS rebinding."""
    host, origin = headers.get("host", ""), headers.get("origin")
    if not answers_to(host, names, scope):
        return 421, f"this server does not answer to the name {host!r}; start it with --allow-host NAME"
    if origin and origin not in origins and origin_host(origin) not in LOOPBACK:
        return 403, f"pages of {origin} may not call this server; start it with --origin to allow them"
    return None


def address(host: str, listener: socket.socket) -> str:
    """The URL of a listener."""
    return f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Busy(
                f"port {port} is in use on {host}; stop the program that listens there, or choose another --port"
            ) from error
        raise InvalidInput(f"cannot listen on {host}, port {port}: {error.strerror or error}") from error
    except (OverflowError, UnicodeError) as error:
        raise InvalidInput(f"cannot listen on {host}, port {port}: {error}") from error
