"""Frames: any order, repeats, bounded memory."""

import random
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remote_agent.wire import erasure, frames
from remote_agent.wire.codec import MAX_MESSAGE_BYTES
from remote_agent.wire.erasure import MOST_CODED, repair_count
from remote_agent.wire.errors import MalformedFrame
from remote_agent.wire.frames import (
    MAX_FRAME_BYTES,
    MAX_UNFINISHED_MESSAGES,
    PIECE_BYTES,
    Assembler,
    Spare,
    Splitter,
    framed_bytes,
)
from tests.helpers.wire_messages import mutate


def assemble(pieces: list[bytes]) -> list[bytes]:
    assembler = Assembler()
    whole = [message for piece in pieces if (message := assembler.add(piece)) is not None]
    assert assembler.held_bytes == 0
    return whole


@settings(deadline=None)
@given(st.lists(st.tuples(st.binary(min_size=1, max_size=50), st.integers(0, 9 * MAX_FRAME_BYTES)), max_size=8), st.randoms())
def test_shuffled_and_repeated_frames_give_each_message_once(parts: list[tuple[bytes, int]], chance: random.Random) -> None:
    splitter = Splitter()
    messages = [(head, chance.randbytes(size)) for head, size in parts]
    pieces = [
        piece
        for head, payload in messages
        for piece in splitter.split(head, payload, chance.choice([0, 1, 5000, 12_000]), chance.choice(list(Spare)))
    ]
    pieces += chance.sample(pieces, len(pieces) // 2)
    chance.shuffle(pieces)
    assert sorted(assemble(pieces)) == sorted(head + payload for head, payload in messages)


@pytest.mark.parametrize("size", [1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 2 * PIECE_BYTES, 2 * PIECE_BYTES + 1])
def test_sizes_around_the_edges_of_a_piece(size: int) -> None:
    message = random.Random(size).randbytes(size)
    pieces = list(Splitter().split(message[:1], memoryview(message)[1:]))
    assert len(pieces) == -(-size // PIECE_BYTES)
    assert all(len(piece) <= MAX_FRAME_BYTES for piece in pieces)
    assert assemble(pieces[::-1]) == [message]


@pytest.mark.parametrize("size", [1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES])
def test_padded_frames_have_one_size_and_are_as_many_as_asked_for(size: int) -> None:
    message = random.Random(size).randbytes(size)
    for room in (1, size, size + 2 * PIECE_BYTES):
        pieces = list(Splitter().split(message[:1], message[1:], room))
        assert {len(piece) for piece in pieces} == {MAX_FRAME_BYTES}
        assert len(pieces) == -(-max(size, room) // PIECE_BYTES)
        assert sum(map(len, pieces)) == framed_bytes(size, room)
        assert assemble(pieces[::-1]) == [message]
    assert sum(map(len, Splitter().split(message))) == framed_bytes(size)


@settings(deadline=None)
@given(st.integers(1, PIECE_BYTES), st.randoms())
def test_of_a_message_of_one_frame_one_of_two_is_enough(size: int, chance: random.Random) -> None:
    message = chance.randbytes(size)
    pieces = list(Splitter().split(b"", message, spare=Spare.REPAIRS))
    count = len(pieces) // 2
    assert pieces[:count] == pieces[count:]
    assert sum(map(len, pieces)) == framed_bytes(size, spare=Spare.REPAIRS)
    assert assemble([pieces[index + chance.choice([0, count])] for index in range(count)]) == [message]


@settings(deadline=None, max_examples=50)
@given(st.integers(PIECE_BYTES + 1, MOST_CODED * PIECE_BYTES), st.sampled_from([0, 1, 60_000]), st.randoms())
def test_of_a_larger_message_any_frames_but_as_many_as_were_added_less_one_are_enough(
    size: int, room: int, chance: random.Random
) -> None:
    message = chance.randbytes(size)
    pieces = list(Splitter().split(message[:9], message[9:], room, spare=Spare.REPAIRS))
    assert sum(map(len, pieces)) == framed_bytes(size, room, spare=Spare.REPAIRS)
    count, spare = -(-size // PIECE_BYTES), repair_count(-(-size // PIECE_BYTES))
    told = [piece for piece in pieces if piece[18] != 2]
    assert len(told) == count + spare
    lost = chance.sample(told, spare - 1)  # with exactly `count` left one in a hundred needs one more
    assert assemble([piece for piece in told if piece not in lost]) == [message]


def test_a_padded_message_tells_by_its_spare_frames_no_more_than_by_the_others() -> None:
    for room in (1000, 3000, 5000, 50_000, 70_000, 100_000):
        counts = {len(list(Splitter().split(b"", bytes(size), room, spare=Spare.REPAIRS))) for size in (1, 999, room // 2, room)}
        assert len(counts) == 1


def test_a_large_message_has_no_spare_frames() -> None:
    size = MOST_CODED * PIECE_BYTES + 1
    assert len(list(Splitter().split(b"", bytes(size), spare=Spare.REPAIRS))) == MOST_CODED + 1


def test_repair_pieces_that_are_not_of_this_message_are_found_out_and_cost_little() -> None:
    chance = random.Random(5)
    pieces = list(Splitter().split(b"", chance.randbytes(60_000), spare=Spare.REPAIRS))
    count = -(-60_000 // PIECE_BYTES)
    false = [piece[:20] + chance.randbytes(len(piece) - 20) for piece in pieces[count:]]
    started = time.process_time()
    with pytest.raises(MalformedFrame):
        assemble(pieces[: count - len(false)] + false)
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize("index", [0, 4, 7, 65_535])
def test_a_repair_piece_stands_behind_the_message_and_is_one_of_a_few(index: int) -> None:
    *_, last = Splitter().split(b"", bytes(5 * PIECE_BYTES), spare=Spare.REPAIRS)
    assert Assembler().add(last) is None
    with pytest.raises(MalformedFrame):
        Assembler().add(last[:16] + index.to_bytes(2, "little") + last[18:])


@pytest.mark.parametrize("size", [1, 3000, frames.MOST_COPIED * PIECE_BYTES])
def test_a_side_without_repair_pieces_sends_copies_says_so_and_is_sent_copies(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    able = Assembler()
    assert able.spare is Spare.REPAIRS
    monkeypatch.setattr(frames, "AVAILABLE", False)
    unable = Assembler()
    assert unable.spare is Spare.COPIES
    pieces = list(Splitter().split(b"", bytes(size), spare=unable.spare))
    count = -(-size // PIECE_BYTES)
    assert pieces[:count] == pieces[count:]
    assert sum(map(len, pieces)) == framed_bytes(size, spare=Spare.COPIES)
    for piece in pieces[1:] + pieces[:1]:
        able.add(piece)
    assert able.spare is Spare.COPIES
    larger = list(Splitter().split(b"", bytes(frames.MOST_COPIED * PIECE_BYTES + 1), spare=Spare.COPIES))
    assert len(larger) == frames.MOST_COPIED + 1


def test_a_side_without_repair_pieces_takes_messages_that_have_some(monkeypatch: pytest.MonkeyPatch) -> None:
    message = random.Random(1).randbytes(20_000)
    pieces = list(Splitter().split(b"", message, spare=Spare.REPAIRS))
    monkeypatch.setattr(erasure, "AVAILABLE", False)
    assembler = Assembler()
    assert [assembler.add(piece) for piece in pieces[1:]] == [None] * (len(pieces) - 1)
    assert assembler.add(pieces[0]) == message


def test_an_assembler_tells_whether_the_last_frame_was_padded() -> None:
    splitter, assembler = Splitter(), Assembler()
    for size in (0, 1, 0, 3000):
        *_, last = splitter.split(b"message", b"", size)
        assembler.add(last)
        assert assembler.padded == bool(size)


def test_nothing_hides_in_padding() -> None:
    padded, empty = Splitter().split(b"message", b"", PIECE_BYTES + 1)
    for frame in (padded, empty):
        for spoilt in (frame[:-1] + b"x", frame[:-1]):
            with pytest.raises(MalformedFrame):
                Assembler().add(spoilt)


def test_a_head_longer_than_a_piece_is_cut_too() -> None:
    assert assemble(list(Splitter().split(b"h" * 3000, b"p" * 3000))) == [b"h" * 3000 + b"p" * 3000]


def test_a_large_message_costs_no_more_per_frame_than_a_small_one() -> None:
    def seconds(size: int) -> float:
        pieces = list(Splitter().split(bytes(size)))
        random.Random(0).shuffle(pieces)
        started = time.process_time()
        assert len(assemble(pieces)[0]) == size
        return (time.process_time() - started) / len(pieces)

    small = min(seconds(100_000) for _ in range(5))
    assert min(seconds(4_000_000) for _ in range(3)) < 5 * small


def test_a_damaged_message_is_refused() -> None:
    pieces = [bytearray(piece) for piece in Splitter().split(bytes(3000))]
    pieces[1][-1] ^= 1
    assembler = Assembler()
    assembler.add(bytes(pieces[0]))
    assembler.add(bytes(pieces[1]))
    with pytest.raises(MalformedFrame):
        assembler.add(bytes(pieces[2]))


def test_an_empty_or_too_large_message_is_not_sent() -> None:
    for message in (b"", bytes(MAX_MESSAGE_BYTES + 1)):
        with pytest.raises(MalformedFrame):
            Splitter().split(message)


def test_frames_that_disagree_about_their_message_are_refused() -> None:
    first, second = Splitter().split(bytes(2000)), Splitter().split(b"x" * 2000)
    assembler = Assembler()
    assembler.add(next(first))
    with pytest.raises(MalformedFrame):
        assembler.add(list(second)[1])


def test_too_many_unfinished_messages_are_refused() -> None:
    splitter, assembler = Splitter(), Assembler()
    for _ in range(MAX_UNFINISHED_MESSAGES):
        assembler.add(next(splitter.split(bytes(2000))))
    with pytest.raises(MalformedFrame):
        assembler.add(next(splitter.split(bytes(2000))))


def test_too_many_unfinished_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MAX_UNFINISHED_BYTES", 100_000)
    splitter, assembler = Splitter(), Assembler()
    for piece in list(splitter.split(bytes(60_000)))[:-1]:
        assembler.add(piece)
    over = list(splitter.split(bytes(60_000)))
    with pytest.raises(MalformedFrame):
        [assembler.add(piece) for piece in over]
    assert assembler.held_bytes < 110_000


def test_a_claimed_length_takes_no_memory() -> None:
    frame = next(Splitter().split(bytes(MAX_MESSAGE_BYTES)))
    tracemalloc.start()
    Assembler().add(frame)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000


def test_late_copies_of_old_messages_start_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "REMEMBERED_MESSAGES", 10)
    splitter, assembler = Splitter(), Assembler()
    pieces = [list(splitter.split(bytes(2000))) for _ in range(50)]
    for first, second in pieces:
        assert assembler.add(first) is None
        assert assembler.add(second) is not None
    for first, second in pieces:
        assert assembler.add(first) is None
        assert assembler.add(second) is None
    assert assembler.held_bytes == 0


def fuzz(count: int, seed: int) -> None:
    chance = random.Random(seed)
    splitter = Splitter()
    samples = [piece for size in (1, 500, 3000, 10_000) for piece in splitter.split(chance.randbytes(size))]
    samples += splitter.split(chance.randbytes(500), b"", 4000)
    for size in (500, 3000, 6000, 20_000):
        samples += splitter.split(chance.randbytes(size), b"", 0, Spare.REPAIRS)
        samples += splitter.split(chance.randbytes(size), b"", 21_000, Spare.COPIES)
    assembler = Assembler()
    for _ in range(count):
        try:
            assembler.add(mutate(chance.choice(samples), chance))
        except MalformedFrame:
            assembler = assembler if chance.random() < 0.99 else Assembler()
        assert assembler.held_bytes <= frames.MAX_UNFINISHED_BYTES + 2 * MAX_FRAME_BYTES


def test_mutated_frames_raise_nothing_but_their_own_error() -> None:
    fuzz(5_000, seed=1)


@pytest.mark.slow
def test_100000_mutated_frames_raise_nothing_but_their_own_error() -> None:
    fuzz(100_000, seed=2)
