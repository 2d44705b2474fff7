"""Forgetting by query erases what the preview showed, and names what still contains a rare word of the query."""

from __future__ import annotations

from omoide import Memory

TEXTS = (
    "Quuxville Zanzibarqux is where the crane stands",
    "We went to Quuxville Zanzibarqux by train",
    "Quuxville has a harbour",
    "The mayor of Quuxville likes tea",
    "Otto likes green tea",
)


def test_it_erases_what_it_previewed_and_lists_what_still_contains_a_word(memory: Memory) -> None:
    held = {memory.observe(text).id: text for text in TEXTS}
    shown = memory.forget(query="Quuxville Zanzibarqux", preview=True)
    receipt = memory.forget(query="Quuxville Zanzibarqux")
    assert receipt.ids == tuple(sorted(node.id for node in shown.nodes))
    rest = [id for id, text in held.items() if "Quuxville" in text and id not in receipt.ids]
    assert list(receipt.still_containing) == [node.id for node in shown.still_containing] == rest
    assert memory.admin.receipts(1)[0].still_containing == receipt.still_containing
