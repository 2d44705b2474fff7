"""A place on the network: taken before anybody is told of it, left as it should be when we are told to stop."""

from __future__ import annotations

import errno
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from omoide.errors import Busy, InvalidInput

_GRACE = 2  # seconds for requests under way when we are told to stop; a stream may have no end of its own


@contextmanager
def taken(host: str, port: int) -> Iterator[socket.socket]:
    """The place, ours until the block ends, which Ctrl-C and SIGTERM end quietly: closing the file is the caller's.

    With port 0 the system chooses one that is free. uvicorn raises a signal again when it is done with it; unheeded,
    SIGTERM would end us with the file open.
    """
    place = _bound(host, port)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield place
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)
        place.close()


def serve(app: Any, place: socket.socket) -> None:
    import uvicorn

    uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_GRACE)).run(sockets=[place])


def address(host: str, place: socket.socket) -> str:
    """As a client writes it."""
    return f"http://{f'[{host}]' if ':' in host else host}:{place.getsockname()[1]}"


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Busy(f"port {port} is in use on {host}; end what listens there, or choose another --port") from error
        raise InvalidInput(f"cannot listen on {host}, port {port}: {error.strerror or error}") from error
    except (OverflowError, UnicodeError) as error:
        raise InvalidInput(f"cannot listen on {host}, port {port}: {error}") from error
