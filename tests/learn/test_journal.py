"""A proposal survives its JSON form."""

from __future__ import annotations

from datetime import UTC, datetime

from omoide.learn import proposal
from omoide.learn.proposal import (
    CausalLink,
    Claim,
    EntityMention,
    Proposal,
    Quote,
    StatedOpinion,
    StatedPreference,
    StatedRelation,
    TaughtProcedure,
    UserCorrection,
)


def test_every_kind_of_item_comes_back_as_it_was() -> None:
    quote = Quote(7, "as it stands")
    whole = Proposal(
        entities=(EntityMention(name="Otto", type="person", quote=quote, aliases=("O.",)),),
        claims=(
            Claim(
                subject="Otto",
                predicate="lives_in",
                object="São Paulo",
                text="Otto lives in São Paulo",
                quote=quote,
                confidence=0.9,
                valid_from=datetime(2026, 5, 3, tzinfo=UTC),
            ),
        ),
        opinions=(StatedOpinion(holder="Otto", about="Docker", text="Otto finds it bad", quote=quote, confidence=0.8),),
        relations=(StatedRelation(source="Otto", type="uses", target="Vercel", quote=quote, confidence=1.0),),
        preferences=(
            StatedPreference(
                category="tools", name="package_manager", value="pnpm", text="p", quote=quote, strength=0.9
            ),
        ),
        procedures=(
            TaughtProcedure(name="Deploy", trigger="t", steps=("a", "b"), text="d", quote=quote, confidence=0.5),
        ),
        corrections=(UserCorrection(wrong="npm", right="pnpm", text="c", quote=quote, about=3),),
        causes=(CausalLink(cause=1, effect=2, quote=quote),),
        notes=("left out a joke",),
    )
    assert proposal.load_proposal(proposal.dump_proposal(whole)) == whole
