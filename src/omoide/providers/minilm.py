"""The default embedder: all-MiniLM-L6-v2 in int8 on the CPU, from an installed package without downloads."""

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

# The model was trained on 256 word pieces; later ones are ignored.
MAX_PIECES = 256
# English needs five characters per piece. With 32, only text that is mostly blank loses words, and a megabyte costs
# as little as a page.
MAX_CHARACTERS = 32 * MAX_PIECES
# Word pieces in one run, padding included. With more, the activations leave the CPU cache and throughput falls.
PIECES_PER_RUN = 512

_EAST_ASIAN = re.compile("[\u2e80-\u2fff\u3005-\ua4cf\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+")

_REQUIRED_MODULES = ("omoide_minilm", "onnxruntime", "tokenizers")


def is_available() -> bool:
    """Returns whether the required packages are installed, without importing them."""
    return all(find_spec(module) is not None for module in _REQUIRED_MODULES)


class _Engine(NamedTuple):
    session: Any
    tokenizer: Any


class MiniLM:
    """English sentence vectors in a few milliseconds, without network or GPU.

    The first `embed` loads the runtime and the weights. An instance may be shared by threads and used in a forked
    child. `threads` is the number of cores per run; with more than one, fork before the first `embed`, or the child
    may hang when it exits.
    """

    def __init__(self, threads: int = 1) -> None:
        for module in _REQUIRED_MODULES:
            if find_spec(module) is None:
                raise ImportError(f'MiniLM needs {module}, which is missing: pip install "omoide[minilm]"', name=module)
        import omoide_minilm

        self._threads = threads
        self._dimensions: int = omoide_minilm.DIMENSIONS
        # Vectors of other weights must not be compared with these, so the name includes a checksum of the weights.
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

    def supports(self, text: str) -> bool:
        """Returns False for mostly East Asian text: the model was trained on English and knows only some characters."""
        unknown = sum(map(len, _EAST_ASIAN.findall(text[:MAX_CHARACTERS])))
        return 2 * unknown <= sum(map(str.isalpha, text[:MAX_CHARACTERS]))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns one unit vector per text, in order. A vector does not depend on the other texts of the call."""
        return self._run(texts, None)

    def embed_tokens(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], list[TokenStates]]:
        """Returns the same vectors and the state of every word piece, from one run."""
        found: dict[int, TokenStates] = {}
        vectors = self._run(texts, found)
        return vectors, [found[i] for i in range(len(texts))]

    def _run(self, texts: Sequence[str], found: dict[int, TokenStates] | None) -> NDArray[np.float32]:
        """Returns the vectors of all texts, and adds their token states to `found` unless it is None."""
        import numpy as np

        vectors = np.empty((len(texts), self._dimensions), dtype=np.float32)
        if not len(texts):
            return vectors
        session, tokenizer = self._loaded_engine()
        # One by one: the batch mode of the tokenizer starts threads, which do not survive a fork.
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

    def _loaded_engine(self) -> _Engine:
        if self._pid != os.getpid():
            # A forked child has the memory of the parent but not its threads: the lock may stay held for ever, and the
            # old session would wait for missing workers, even to close. Keep a reference and do not touch it.
            self._inherited.append(self._engine)
            self._pid, self._lock, self._engine = os.getpid(), threading.Lock(), None
        with self._lock:
            if self._engine is None:
                self._engine = _load_engine(self._threads)
            return self._engine


def _load_engine(threads: int) -> _Engine:
    # Since 1.29 onnxruntime reports its use to Microsoft unless this is set before the import. Its uploader also
    # writes a device id to the home folder and makes a forked child hang when it exits.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import omoide_minilm
    import onnxruntime
    from tokenizers import Tokenizer

    onnxruntime.disable_telemetry_events()  # for Windows, and if another library imported it first
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # The default, a busy wait, halves the speed when other programs use the cores too.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(os.fspath(omoide_minilm.MODEL), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(os.fspath(omoide_minilm.TOKENIZER))
    tokenizer.enable_truncation(MAX_PIECES)
    tokenizer.no_padding()
    return _Engine(session, tokenizer)


def _tokenizer_input(text: str) -> str:
    """Cuts a text to what the model reads and replaces lone surrogates, which the tokenizer refuses."""
    return text[:MAX_CHARACTERS].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _token_states(text: str, read: Any, states: NDArray[np.float32]) -> TokenStates:
    """Returns the pieces of the text without special tokens, each with the whole word that it belongs to."""
    word_ids, offsets = read.word_ids, read.offsets  # properties that build a new list on each access
    pieces = [piece for piece, word in enumerate(word_ids) if word is not None]
    spans: dict[int, tuple[int, int]] = {}
    for piece in pieces:
        start, end = offsets[piece]
        spans[word_ids[piece]] = (spans.get(word_ids[piece], (start, end))[0], end)
    return TokenStates(tuple(text[slice(*spans[word_ids[piece]])] for piece in pieces), states[pieces])


def _batches_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Groups the positions of texts by similar length, shortest first, to keep padding small."""
    run: list[int] = []
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        if run and (len(run) + 1) * lengths[i] > PIECES_PER_RUN:
            yield run
            run = []
        run.append(i)
    if run:
        yield run
