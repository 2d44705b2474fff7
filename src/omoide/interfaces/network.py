"""Listening on a port: bound before its address is printed, closed cleanly on Ctrl-C and SIGTERM. Slow clients are cut
off, and names of hosts are read strictly."""

from __future__ import annotations

import errno
import ipaddress
import re
import signal
import socket
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from omoide.errors import Busy, InvalidInput

LOOPBACK = ("127.0.0.1", "localhost", "::1")
PATIENCE = 10.0  # seconds for a request to arrive, more for a long one; and for a client to read what it asked for
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


def server(app: Any, patience: float = PATIENCE) -> Any:
    """The server of an application, before it runs."""
    import uvicorn

    from omoide.interfaces.slow_clients import bounded_protocol

    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=bounded_protocol(patience),
            ws="none",
            log_level="warning",
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=_GRACE,
        )
    )


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


def is_loopback_origin(origin: str) -> bool:
    return origin_host(origin) in LOOPBACK


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
