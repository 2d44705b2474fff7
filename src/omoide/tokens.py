"""Estimates."""


def estimate(text: str) -> int:
    return 0 if not text else max(1, (len(text) + 3) // 4)
