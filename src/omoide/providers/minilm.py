"""The default embedder: all-MiniLM-L6-v2 in int8 on the CPU, from an installed package, never a download."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from omoide.providers.protocols import TokenStates

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The model was trained on 256 word pieces; what comes after them does not count.
MAX_PIECES = 256
# 32 characters for each of these pieces, when English takes five: only text that is mostly blank loses words
# here, and a megabyte costs as little as a page.
MAX_CHARACTERS = 32 * MAX_PIECES
# Word pieces in one run, padding included. Beyond this the activations leave the cache and throughput falls.
PIECES_PER_RUN = 512

_EAST_ASIAN = re.compile("[\u2e80-\u2fff\u3005-\ua4cf\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+")

_REQUIRED_MODULES = ("omoide_minilm", "onnxruntime", "tokenizers")


def is_available() -> bool:
    """Whether everything that it needs is installed; looks, but imports nothing."""
    return all(find_spec(module) is not None for module in _REQUIRED_MODULES)


class _Engine(NamedTuple):
    session: Any
    tokenizer: Any


class MiniLM:
    """Good English sentence vectors in a few milliseconds, without a network or a graphics card.

    Making one is cheap: the runtime and the weights are loaded by the first `embed`. It may be shared by
    threads and used in a forked child. `threads` is how many cores one run may take; with more than one, fork
    before the first `embed`, or the child may hang when it exits.
    """

    def __init__(self, threads: int = 1) -> None:
        for module in _REQUIRED_MODULES:
            if find_spec(module) is None:
                raise ImportError(f'MiniLM needs {module}, which is missing: pip install "omoide[minilm]"', name=module)
        import omoide_minilm

        self._threads = threads
        self._dimensions: int = omoide_minilm.DIMENSIONS
        # Vectors of other weights must not be compared with these, so the weights are part of the name.
        self._name = f"{omoide_minilm.NAME}-{omoide_minilm.CHECKSUMS['model.onnx'][:8]}"
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._engine: _Engine | None = None
        self._inherited: list[_Engine | None] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def reads(self, text: str) -> bool:
        """It was taught English. Of East Asian scripts it knows some characters, not what they say together."""
        unknown = sum(map(len, _EAST_ASIAN.findall(text[:MAX_CHARACTERS])))
        return 2 * unknown <= sum(map(str.isalpha, text[:MAX_CHARACTERS]))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text, in order. A text's vector does not depend on the texts beside it."""
        return self._run(texts, None)

    def embed_tokens(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], list[TokenStates]]:
        """The same vectors, and the state of every word piece, from the same run."""
        found: dict[int, TokenStates] = {}
        vectors = self._run(texts, found)
        return vectors, [found[i] for i in range(len(texts))]

    def _run(self, texts: Sequence[str], found: dict[int, TokenStates] | None) -> NDArray[np.float32]:
        """The vectors of all texts; where there is a place for their pieces, those are put there."""
        import numpy as np

        vectors = np.empty((len(texts), self._dimensions), dtype=np.float32)
        if not len(texts):
            return vectors
        session, tokenizer = self._ready()
        # One by one: the tokenizer's own batches start threads on every core, which do not survive a fork.
        cleaned = [_tokenizer_input(text) for text in texts]
        read = [tokenizer.encode(text) for text in cleaned]
        pieces: list[list[int]] = [each.ids for each in read]
        for run in _batches_by_length([len(ids) for ids in pieces]):
            shape = len(run), max(len(pieces[i]) for i in run)
            padded, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.float32)
            for row, i in enumerate(run):
                padded[row, : len(pieces[i])] = pieces[i]
                mask[row, : len(pieces[i])] = 1.0
            wanted = ["sentence"] if found is None else ["sentence", "tokens"]
            vectors[run], *states = session.run(wanted, {"input_ids": padded, "mask": mask})
            if found is not None:
                found |= {i: _token_states(cleaned[i], read[i], states[0][row]) for row, i in enumerate(run)}
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def _ready(self) -> _Engine:
        if self._pid != os.getpid():
            # A forked child has the parent's memory but not its threads: the lock may be held by nobody, and
            # the old session would wait, even to close, for workers that are not there. Keep it untouched.
            self._inherited.append(self._engine)
            self._pid, self._lock, self._engine = os.getpid(), threading.Lock(), None
        with self._lock:
            if self._engine is None:
                self._engine = _load_engine(self._threads)
            return self._engine


def _load_engine(threads: int) -> _Engine:
    # Since 1.29 onnxruntime reports its use to Microsoft unless this is set before its import. Its uploader
    # also leaves a device id in the home folder and makes a forked child hang when it exits.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import omoide_minilm
    import onnxruntime
    from tokenizers import Tokenizer

    onnxruntime.disable_telemetry_events()  # for Windows, and where another library imported it before us
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Waiting in a busy loop, the default, halves the speed where other programs want the cores too.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(os.fspath(omoide_minilm.MODEL), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(os.fspath(omoide_minilm.TOKENIZER))
    tokenizer.enable_truncation(MAX_PIECES)
    tokenizer.no_padding()
    return _Engine(session, tokenizer)


def _tokenizer_input(text: str) -> str:
    """The part of a text that can count, with lone surrogates, which the tokenizer refuses, replaced."""
    return text[:MAX_CHARACTERS].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _token_states(text: str, read: Any, states: NDArray[np.float32]) -> TokenStates:
    """The pieces that are of the text, not of the model's own, each with the whole word that it was cut from."""
    of, offsets = read.word_ids, read.offsets  # each makes a new list when it is asked for
    places = [place for place, word in enumerate(of) if word is not None]
    spans: dict[int, tuple[int, int]] = {}
    for place in places:
        start, end = offsets[place]
        spans[of[place]] = (spans.get(of[place], (start, end))[0], end)
    return TokenStates(tuple(text[slice(*spans[of[place]])] for place in places), states[places])


def _batches_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions of texts of about the same length, shortest first, so that little is padded."""
    run: list[int] = []
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        if run and (len(run) + 1) * lengths[i] > PIECES_PER_RUN:
            yield run
            run = []
        run.append(i)
    if run:
        yield run
