"""A proposal survives its JSON form."""

from __future__ import annotations

from datetime import UTC, datetime

from omoide.learn import proposal
from omoide.learn.proposal import CausalLink, EntityMention, Proposal, Quote, Statement, UserCorrection


def test_every_kind_of_item_comes_back_as_it_was() -> None:
    quote = Quote(7, "as it stands")
    whole = Proposal(
        entities=(EntityMention(name="Otto", type="person", quote=quote, aliases=("O.",)),),
        statements=(
            Statement(
                form="instruction",
                subject="Otto",
                text="Use pnpm",
                quote=quote,
                confidence=0.9,
                slot="rule",
                valid_from=datetime(2026, 5, 3, tzinfo=UTC),
                exceptions=("old projects",),
                steps=("a", "b"),
            ),
        ),
        corrections=(UserCorrection(wrong="npm", right="pnpm", text="c", quote=quote, about=3),),
        causes=(CausalLink(cause=1, effect=2, quote=quote),),
        notes=("left out a joke",),
    )
    assert proposal.load_proposal(proposal.dump_proposal(whole)) == whole
