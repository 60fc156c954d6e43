"""How much of everything an audit does: quickly, or thoroughly."""

from msgspec import Struct, structs


class Sizes(Struct, frozen=True):
    """Counts: documents, canaries, repetitions of the fifty prompts, and tokens and epochs for learned attackers."""

    heads: tuple[int, ...]
    documents: int
    attribute_heads: tuple[int, ...]
    inverter_heads: tuple[int, ...]
    canaries: int
    strangers: int
    repetitions: int
    steady_repetitions: int  # as a clock makes each take as long as it takes
    reply_tokens: int  # of a reply whose traffic is looked at
    corpus_tokens: int
    random_tokens: int
    epochs: int


QUICK = Sizes(
    heads=(1, 4, 15),
    documents=8,
    attribute_heads=(4,),
    inverter_heads=(2, 8),
    canaries=50,
    strangers=10,
    repetitions=5,
    steady_repetitions=2,
    reply_tokens=65,
    corpus_tokens=6_000,
    random_tokens=49_152,  # each token of the starter model once
    epochs=3,
)
FULL = Sizes(
    heads=(1, 2, 4, 8, 15),
    documents=48,
    attribute_heads=(1, 2, 4, 8, 15),
    inverter_heads=(1, 2, 4, 8, 15),
    canaries=500,
    strangers=100,
    repetitions=20,
    steady_repetitions=8,
    reply_tokens=200,
    corpus_tokens=300_000,
    random_tokens=98_304,  # each twice
    epochs=4,
)


def possible(heads: tuple[int, ...], tail: int, layers: int) -> tuple[int, ...]:
    """Those heads that leave a layer to the agent."""
    return tuple(head for head in heads if 0 < head < layers - tail)


def narrowed(sizes: Sizes, head: int | None) -> Sizes:
    """The same at one number of first layers only, where one is given."""
    if head is None:
        return sizes
    return structs.replace(sizes, heads=(head,), attribute_heads=(head,), inverter_heads=(head,))


class NoiseSizes(Struct, frozen=True):
    """How much of everything an audit of noise does: levels, texts, and tokens of replies and of continuations."""

    mus: tuple[float, ...]  # a ladder
    documents: int
    passages: int
    chats: int  # with canaries, six in each
    reply_tokens: int
    continued_tokens: int
    wikitext: int  # passages of a file that is given
    examples: int  # of a task whose file is given
    prior_tokens: int  # that the model writes, where no projection says how usual tokens are


NOISE_QUICK = NoiseSizes(
    mus=(5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 60.0),
    documents=20,
    passages=10,
    chats=3,
    reply_tokens=40,
    continued_tokens=40,
    wikitext=8,
    examples=24,
    prior_tokens=3_000,
)
NOISE_FULL = NoiseSizes(
    mus=(5.0, 10.0, 12.5, 15.0, 17.5, 20.0, 22.5, 25.0, 30.0, 35.0, 40.0, 50.0, 60.0, 80.0),
    documents=48,
    passages=24,
    chats=20,
    reply_tokens=40,
    continued_tokens=100,
    wikitext=48,
    examples=200,
    prior_tokens=30_000,
)
