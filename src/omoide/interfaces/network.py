"""Listening on a port: bound before its address is printed, closed cleanly on Ctrl-C and SIGTERM."""

from __future__ import annotations

import errno
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from omoide.errors import Busy, InvalidInput

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


def serve(app: Any, listener: socket.socket) -> None:
    import uvicorn

    uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_GRACE)).run(sockets=[listener])


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
