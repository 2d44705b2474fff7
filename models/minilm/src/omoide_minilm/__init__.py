"""The files of all-MiniLM-L6-v2 in int8: where they lie, and what they must hash to."""

from pathlib import Path

NAME = "all-MiniLM-L6-v2-int8"
DIMENSIONS = 384

_HERE = Path(__file__).parent
MODEL = _HERE / "model.onnx"
TOKENIZER = _HERE / "tokenizer.json"

# SHA256SUMS is written by the scripts that make the files, in the format of `sha256sum --check`.
CHECKSUMS: dict[str, str] = {
    name: digest
    for digest, name in (line.split() for line in (_HERE / "SHA256SUMS").read_text(encoding="utf-8").splitlines())
}
