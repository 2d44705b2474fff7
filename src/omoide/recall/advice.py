"""Whether a question seeks advice: what to choose, do or make, which the asker's own wishes should shape."""

from __future__ import annotations

import re

_SEEKS = re.compile(
    r"\b(?:recommend|recommendations?|suggest|suggestions?|advice|advise|tips?|ideas?|options?|inspiration)\b"
    r"|\b(?:what|which|where|how|who)\b[^.?!]{0,60}\b(?:should|could|can|would|might|do)\s+(?:i|we|you)\b(?!\s+(?:say|said|tell|remember))"
    r"|\bwhat(?:'s|\s+is|\s+are)\s+(?:the|some|a|your)\s+(?:\w+\s+)?(?:best|good|great|better|top|easiest|most|popular|effective)\b"
    r"|\b(?:help|assist|guide)\s+me\b|\bi(?:'m|\s+am)\s+(?:planning|looking|trying|thinking|considering|going|hoping|about)\b"
    r"|\bi\s+(?:want|need|'d\s+like|would\s+like|plan)\s+to\b|\b(?:plan|design|create|write|make|find|pick|choose)\s+(?:me|for\s+me|an?|some|the)\b"
    r"|\b(?:should|can|could)\s+(?:i|we|you)\b",
    re.I,
)


def seeks_advice(text: str) -> bool:
    return _SEEKS.search(text) is not None
