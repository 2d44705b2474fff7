"""The HTTP API against its own description: a fuzzer makes requests from it and puts every answer to all its checks.

`make test-http` makes many more of them, and runs the fuzzer's program against a server too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import schemathesis
from schemathesis.engine import events, from_schema

from omoide.interfaces.http.application import application
from omoide.interfaces.http.spaces import Spaces

CASES = int(os.environ.get("HTTP_CASES", "2"))  # random requests of each operation
PHASES = os.environ.get("HTTP_PHASES", "fuzzing").split(",")
SEED = int(os.environ.get("HTTP_SEED", "1"))


def findings() -> Iterator[str]:
    app = application(Spaces({"token": ":memory:"}, embedder=None))
    api = schemathesis.openapi.from_asgi("/openapi.json", app, headers={"Host": "localhost"})
    api.config.headers = {"Host": "localhost", "Authorization": "Bearer token"}
    api.config.generation.update(max_examples=CASES)
    api.config.continue_on_failure = True
    api.config.request_timeout = 60  # a list of 10,000 turns, on a busy machine
    assert api.config._parent is not None
    api.config._parent._seed = SEED
    for name in ("examples", "coverage", "fuzzing", "stateful"):
        getattr(api.config.phases, name).enabled = name in PHASES
    for event in from_schema(api).execute():
        if isinstance(event, events.NonFatalError | events.FatalError):
            yield f"{event}"
        if not isinstance(event, events.ScenarioFinished):
            continue
        for id, checks in event.recorder.checks.items():
            case, told = event.recorder.cases[id].value, event.recorder.interactions.get(id)
            for failed in (each for each in checks if each.failure_info is not None):
                answer = told.response.content[:300] if told is not None and told.response is not None else b""
                sent = (case.path_parameters, case.query, case.body)
                yield f"{failed.name}: {case.operation.label} {sent!r:.500} → {answer!r}"


def test_every_answer_is_as_described() -> None:
    assert list(findings()) == []
