"""At an exact split the public attack gets everything, scored on the person's own tokens and the reply apart."""

from desktop_app.audit.held_rows import HeldRows
from desktop_app.audit.recording import Recorded
from desktop_app.audit.split import PROMPT_GIVEN, Case, PublicAttack, request_at
from desktop_app.chat.events import Split, Statistics
from tests.helpers.attacked_rows import greedy, random_tokens, rows_of, tiny_public_model

TEMPLATE = random_tokens(6, 9)


def case(seed: int) -> Case:
    prompt = [*TEMPLATE, *random_tokens(8, seed), 3, 4]
    reply = greedy(prompt, 6)
    rows: HeldRows = rows_of(prompt + reply[:-1], 2, 1)  # the last token is never sent
    return Case(Recorded(prompt, reply, "", Statistics(), []), rows, len(TEMPLATE), len(prompt) - 2)


def test_everything_is_recovered_and_said_to_be() -> None:
    cases = [case(seed) for seed in range(3)]
    told: list[str] = []
    results = PublicAttack(tiny_public_model(), Split(head=2, tail=1)).run(cases, cases, told.append)
    shares = {result.name: result.share.value for result in results}
    assert shares["exact_search.exact_public.head2.prompt"] == 1.0
    assert shares["exact_search.exact_public.head2.reply"] == 1.0
    assert shares["exact_search.exact_public.head2.reply.sampled"] == 1.0
    assert shares["tail_completion.exact_public.head2.reply"] == 1.0
    assert shares["tail_completion.exact_public.head2.prompt"] < 0.5  # random tokens: the next one cannot be guessed
    assert max(result.prior.value for result in results if result.of == "prompt") < 0.3
    assert told
    # That the search of sampled replies gets the prompt is no finding of its own, and said beside it.
    assert [it.name for it in results if it.note == PROMPT_GIVEN] == ["exact_search.exact_public.head2.reply.sampled"]


def test_only_the_persons_own_tokens_count_as_prompt() -> None:
    one = case(1)
    assert one.prompt == random_tokens(8, 1)
    prompt, reply = one.guesses([*one.recorded.prompt, *one.recorded.reply])
    assert (prompt, reply) == (one.prompt, one.recorded.reply)


def test_what_is_asked_says_how_it_is_sampled() -> None:
    request = request_at("m", Split(head=3), temperature=0.7, tokens=5)
    assert (request.model, request.split.head, request.sampling.temperature, request.sampling.max_tokens) == ("m", 3, 0.7, 5)
