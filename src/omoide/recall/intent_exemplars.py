"""Example questions of each intent in several languages, embedded once for each embedder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.language.registry import QuestionKind
from omoide.recall.question import embed_once

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.providers.protocols import Embedder

_TEXTS: dict[QuestionKind, str] = {
    "why": """
        Why did we do that? | What was the reason for this decision? | How come it failed? | What caused the problem? |
        Explain the motivation behind the change | I wonder about the reason he left | Warum haben wir das gemacht? |
        Pourquoi avons-nous choisi cela ? | ¿Por qué cambiamos de idea? | Por que isso aconteceu? | Perché abbiamo
        deciso così? | Почему мы так решили? | 我们为什么这样做？ | どうしてそうしたのですか？
    """,
    "when": """
        When did this happen? | What day was the meeting? | On which date did we start? | How long ago was that? | At
        what time is the appointment? | Give me the date of the event | Wann war das? | Quand est-ce arrivé ? | ¿Cuándo
        fue eso? | Quando foi isso? | Quando è successo? | Когда это было? | 那是什么时候的事？ | それはいつでしたか？
    """,
    "who": """
        Who is that person? | Who told me about it? | Whose idea was it? | Which people were involved? | Name the person
        responsible | With whom did I go? | Wer hat das gesagt? | Qui était avec moi ? | ¿Quién me lo dijo? | Quem fez
        isso? | Chi era con me? | Кто это сделал? | 那个人是谁？ | 誰が言いましたか？
    """,
    "what": """
        What is my favourite food? | What did I buy? | Which tool do we use? | Where do I live? | What is the name of
        the project? | How many books did I read? | Was ist mein Lieblingsessen? | Qu'est-ce que j'ai acheté ? | ¿Qué
        herramienta usamos? | Qual é o nome do projeto? | Che cosa ho comprato? | Что я купил? |
        我喜欢吃什么？ | 何を買いましたか？
    """,
    "how": """
        How do I deploy the app? | How did we fix the error? | What are the steps to set it up? | Show me the way to do
        this | Walk me through the procedure | Instructions for configuring the server | Wie richte ich das ein? |
        Comment faire cela ? | ¿Cómo se configura? | Como faço isso? | Come si fa? | Как это настроить? | 这个怎么做？ |
        どうやって設定しますか？
    """,
    "general": """
        Tell me about the project | I had a good day today | Hello, nice to see you again | Thanks, that was helpful |
        Let's continue with the plan | Please write an email to the team | Erzähl mir etwas über das Projekt | Parle-moi
        du projet | Cuéntame sobre el proyecto | Fale-me sobre o projeto | Parlami del progetto | Расскажи мне о проекте
        | 给我讲讲这个项目 | プロジェクトについて教えて
    """,
}  # separated by |


@dataclass(frozen=True, slots=True, eq=False)
class IntentExemplars:
    """(intent, text) pairs, and their vectors in the same order."""

    texts: tuple[tuple[QuestionKind, str], ...]
    vectors: NDArray[np.float32]


def intent_exemplars(embedder: Embedder) -> IntentExemplars:
    """The exemplars of an embedder."""
    texts = tuple((kind, " ".join(text.split())) for kind, several in _TEXTS.items() for text in several.split("|"))
    return IntentExemplars(texts, embed_once(embedder, tuple(text for _, text in texts)))
