"""Any pieces make up the message again, and pieces of anything at all do no harm."""

import random

import pytest

from remote_agent.wire.erasure import LEAST_CODED, MOST_CODED, PIECE_BYTES, repair_count, repair_pieces, restore


def pieces_of(message: bytes) -> dict[int, bytes]:
    own = [message[start : start + PIECE_BYTES] for start in range(0, len(message), PIECE_BYTES)]
    return dict(enumerate([*own, *repair_pieces(message)]))


@pytest.mark.parametrize("count", [*range(LEAST_CODED, 8), *range(8, MOST_CODED + 1, 4)])
@pytest.mark.parametrize("over", [-PIECE_BYTES + 1, -1, 0])
def test_the_message_comes_back_with_all_but_one_of_the_added_pieces_used_up(count: int, over: int) -> None:
    chance = random.Random(count)
    message = chance.randbytes(count * PIECE_BYTES + over)
    pieces = pieces_of(message)
    assert len(pieces) == count + repair_count(count)
    for _ in range(5):
        kept = chance.sample(sorted(pieces), count + 1)
        assert restore(len(message), {number: pieces[number] for number in kept}) == message


def test_too_few_pieces_give_nothing() -> None:
    pieces = pieces_of(bytes(10 * PIECE_BYTES))
    assert restore(10 * PIECE_BYTES, {number: pieces[number] for number in range(2, 11)}) is None


def test_pieces_of_anything_at_all_raise_nothing() -> None:
    chance = random.Random(1)
    for _ in range(300):
        count = chance.randint(LEAST_CODED, MOST_CODED)
        length = count * PIECE_BYTES - chance.randrange(PIECE_BYTES)
        numbers = chance.sample(range(count + repair_count(count)), count)
        restore(length, {number: chance.randbytes(PIECE_BYTES) for number in numbers})


def test_only_messages_of_more_than_one_piece_and_not_too_many_are_added_to() -> None:
    assert [repair_count(count) for count in (1, 2, 4, 16, 36, 72, 73)] == [0, 2, 2, 2, 5, 9, 0]
