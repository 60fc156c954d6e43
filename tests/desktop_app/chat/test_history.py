"""Whatever is kept comes back, of trees of any shape; what streams costs little and survives a kill."""

import math
import random
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from desktop_app.archive.database import Archive
from desktop_app.archive.errors import TextRefused
from desktop_app.archive.packing import packed
from desktop_app.archive.schema import Schema
from desktop_app.chat.events import DocumentText, Mark, Noise, Statistics
from desktop_app.chat.history import CUT_OFF, SCHEMA, ConversationGone, History, MessageRefused
from desktop_app.chat.stored import SentRecord, StoredMessage
from tests.helpers.archive_writer import KEY, WORDS, answer, database, told, writer
from tests.helpers.sent_records import sent_record
from tests.helpers.texts import TEXTS

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | TEXTS
MARKS = st.lists(
    st.builds(
        Mark,
        start=st.integers(0, 2**31),
        end=st.integers(0, 2**31),
        kind=st.sampled_from(["person", "place", "a kind of later"]),
        stand_in=ANY,
        doubtful=st.booleans(),
    ),
    max_size=3,
)
TIMES = st.floats(0, 2e9)
DOCUMENTS = st.lists(
    st.tuples(st.builds(DocumentText, name=ANY, text=ANY, pages=st.integers(0, 10**6), note=ANY), MARKS), max_size=3
)


@st.composite
def messages(draw: st.DrawFn) -> list[StoredMessage]:
    """A tree: each message hangs on an earlier one or begins a branch."""
    tree: list[StoredMessage] = []
    for number in range(draw(st.integers(0, 8))):
        documents = draw(DOCUMENTS)
        marked = any(marks for _, marks in documents)
        tree.append(
            StoredMessage(
                identity=f"{number} {draw(ANY)}",
                parent=draw(st.sampled_from(["", *(message.identity for message in tree)])),
                role=draw(st.sampled_from(["system", "user", "assistant"])),
                text=draw(ANY),
                sent=draw(ANY),
                marks=draw(MARKS),
                documents=[document for document, _ in documents],
                document_marks=[marks for _, marks in documents] if marked else [],
                state=draw(st.sampled_from(["complete", "stopped", "interrupted", "failed"])),
                sentence=draw(ANY),
                at_limit=draw(st.booleans()),
                created=draw(TIMES),
                statistics=draw(st.builds(Statistics, reply_tokens=st.integers(0, 2**62), seconds=st.floats(0, 1e9))),
            )
        )
    return tree


def question(identity: str = "q", text: str = "Who are you?", parent: str = "", created: float = 1.0) -> StoredMessage:
    return StoredMessage(identity=identity, parent=parent, role="user", text=text, created=created)


def streaming(identity: str = "a", parent: str = "q") -> StoredMessage:
    return StoredMessage(identity=identity, parent=parent, role="assistant", text="", state="streaming", created=2.0)


@pytest.fixture
def history() -> History:
    history = History(Archive.in_memory([SCHEMA]))
    history.begin("c", 1.0, True)
    return history


def only(history: History, identity: str) -> StoredMessage:
    return next(message for message in history.load("c").messages if message.identity == identity)


# what is kept


@given(messages())
@settings(max_examples=40, deadline=None)
def test_whatever_is_kept_comes_back(tree: list[StoredMessage]) -> None:
    history = History(Archive.in_memory([SCHEMA]))
    history.begin("c", 5.0, False)
    for message in tree:
        history.add("c", message)
    loaded = history.load("c")
    assert loaded.messages == tree
    assert (loaded.entry.created, loaded.entry.protect) == (5.0, False)
    assert loaded.entry.tip == (tree[-1].identity if tree else "")
    assert loaded.entry.changed == max([5.0, *(message.created for message in tree)])
    assert all(history.holds("c", message.identity) for message in tree)


def test_half_a_character_is_refused_and_nothing_is_kept(history: History) -> None:
    spoilt = [
        question(text="a\ud800"),
        replace(question(), sent="a\ud800"),
        replace(question(), marks=[Mark(start=0, end=1, kind="person", stand_in="\udfff")]),
        replace(question(), documents=[DocumentText(name="a", text="\ud800")]),
    ]
    for message in spoilt:
        with pytest.raises(TextRefused):
            history.add("c", message)
    loaded = history.load("c")
    assert (loaded.messages, loaded.entry.tip, loaded.entry.title) == ([], "", "")


def test_a_message_that_is_there_stays_as_it_is(history: History) -> None:
    history.add("c", question(text="first"))
    history.add("c", question(text="second"))
    assert [message.text for message in history.load("c").messages] == ["first"]


def test_a_conversation_that_is_there_takes_only_its_protection_anew(history: History) -> None:
    history.add("c", question())
    history.begin("c", 99.0, False)
    entry = history.load("c").entry
    assert (entry.created, entry.protect, entry.title, entry.tip) == (1.0, False, "Who are you?", "q")


def test_a_branch_is_kept_as_a_whole_and_keeps_its_place_in_the_list(history: History) -> None:
    history.begin("other", 9.0, True)
    answer = StoredMessage(identity="b", parent="p", role="assistant", text="Half", state="stopped", sentence="", at_limit=True)
    branch = [question("p", "Who?", created=0.0), answer]
    history.branch("c", 5.0, False, branch)
    kept = history.load("c")
    assert (kept.entry.protect, kept.entry.tip) == (False, "b")
    assert [message for message in kept.messages if message.identity in ("p", "b")] == branch
    assert [entry.identity for entry in history.entries()] == ["other", "c"]
    with pytest.raises(MessageRefused):
        history.branch("c", 6.0, True, [question("r", created=0.0), replace(answer, identity="s", parent="nobody")])
    assert (history.load("c").entry.protect, len(history.load("c").messages)) == (False, len(kept.messages))
    history.branch("new", 7.0, False, [])
    assert not history.load("new").entry.protect


def test_what_hangs_on_nothing_is_refused(history: History) -> None:
    history.begin("other", 1.0, True)
    history.add("other", question("elsewhere"))
    with pytest.raises(ConversationGone):
        history.add("none", question())
    for parent in ("none", "elsewhere"):
        with pytest.raises(MessageRefused):
            history.add("c", question(parent=parent))
    assert history.load("c").messages == []
    assert not history.holds("c", "elsewhere")


def test_a_conversation_that_is_not_there_is_a_sentence(history: History) -> None:
    with pytest.raises(ConversationGone, match=r"Choose another one"):
        history.load("none")


def test_the_latest_comes_first(history: History) -> None:
    for identity, created in (("old", 0.0), ("new", 3.0)):
        history.begin(identity, created, True)
    assert [entry.identity for entry in history.entries()] == ["new", "c", "old"]
    history.add("old", question(created=7.0))
    assert [entry.identity for entry in history.entries()] == ["old", "new", "c"]


def test_the_open_branch_is_the_one_that_was_added_to_or_chosen(history: History) -> None:
    history.add("c", question())
    history.add("c", streaming("a"))
    history.add("c", streaming("b"))
    assert history.load("c").entry.tip == "b"
    history.set_tip("c", "a")
    assert history.load("c").entry.tip == "a"


# titles


def test_the_first_question_gives_the_title_until_there_is_another(history: History) -> None:
    history.add("c", replace(question("s", "Be brief."), role="system"))
    assert history.load("c").entry.title == ""
    history.add("c", question("q", "  Who\n are  you?"))
    history.add("c", question("q2", "And who am I?"))
    assert history.load("c").entry.title == "Who are you?"
    history.rename("c", "  On\nidentity ")
    history.add("c", question("q3", "Really?"))
    assert history.load("c").entry.title == "On identity"


def test_a_title_that_is_taken_away_comes_from_the_next_question(history: History) -> None:
    history.rename("c", "Old")
    history.rename("c", " ")
    history.add("c", question(text="New"))
    assert history.load("c").entry.title == "New"


# its noise


def test_the_noise_of_a_conversation_is_kept_until_it_is_given_up(history: History) -> None:
    noise = Noise(strict_mu=0.75, rest="exact", per="value", epsilon=20.0)
    history.begin("noisy", 1.0, True, noise)
    assert history.load("noisy").entry.noise == noise
    history.branch("noisy", 2.0, False, [], noise)
    assert [entry.noise for entry in history.entries() if entry.identity == "noisy"] == [noise]
    history.begin("noisy", 3.0, True)
    assert history.load("noisy").entry.noise is None


# what streams


PIECES = st.lists(st.tuples(ANY, ANY, MARKS), max_size=6)


@given(PIECES)
@settings(max_examples=60, deadline=None)
def test_an_answer_that_streams_can_be_read_at_any_time(pieces: list[tuple[str, str, list[Mark]]]) -> None:
    archive = Archive.in_memory([SCHEMA])
    history = History(archive)
    history.begin("c", 1.0, True)
    history.add("c", streaming(parent=""))
    text, sent, marks = "", "", list[Mark]()
    for more_text, more_sent, more_marks in pieces:
        text, sent, marks = text + more_text, sent + more_sent, marks + more_marks
        history.stream("a", text, marks, sent)
        history.stream("a", text, marks, sent)
        now = only(history, "a")
        assert (now.text, now.sent, now.marks, now.state) == (text, sent, marks, "streaming")
    History(archive)  # as after a kill
    cut = only(history, "a")
    assert (cut.text, cut.sent, cut.marks, cut.state, cut.sentence) == (text, sent, marks, "interrupted", CUT_OFF)
    assert archive.query("SELECT count(*) FROM piece") == [(0,)]


def test_an_answer_is_kept_as_it_ended_and_changes_no_more(history: History) -> None:
    history.add("c", question())
    history.add("c", streaming())
    history.stream("a", "I am", [], "I am")
    ended = replace(
        streaming(),
        text="I am Will.",
        sent="I am Tom.",
        marks=[Mark(start=5, end=9, kind="person", stand_in="Tom")],
        state="stopped",
        sentence="You stopped it.",
        at_limit=True,
        statistics=Statistics(reply_tokens=4),
    )
    history.finish(ended)
    history.stream("a", "I am somebody else", [], "")
    history.finish(replace(ended, text="Too late", state="complete"))
    assert only(history, "a") == ended


def test_an_answer_can_be_added_when_a_part_of_it_has_come(history: History) -> None:
    marks = [Mark(start=0, end=1, kind="person")]
    half = replace(streaming(parent=""), text="I am", sent="I was", marks=marks)
    history.add("c", half)
    assert only(history, "a") == half
    history.stream("a", "I am here", marks, "I was there")
    assert only(history, "a") == replace(half, text="I am here", sent="I was there")


def test_what_is_not_kept_cannot_stream_and_hinders_nothing(history: History) -> None:
    history.stream("none", "text", [], "")
    history.finish(streaming("none"))
    assert history.load("c").messages == []


def test_what_has_come_is_written_once(history: History) -> None:
    history.add("c", streaming(parent=""))
    for length in range(0, 30_000, 100):
        history.stream("a", "x" * length, [], "y" * length)
    written = history._archive.query("SELECT sum(length(text)), max(length(text)) FROM piece")
    assert written == [(29_900, 100)]


def test_a_piece_that_could_not_be_kept_comes_with_the_next_one(history: History) -> None:
    history.add("c", streaming(parent=""))
    history.stream("a", "one ", [], "")
    with suppress(ZeroDivisionError), history._archive.transaction():
        history.stream("a", "one two ", [], "")
        raise ZeroDivisionError
    history.stream("a", "one two three ", [], "")
    assert only(history, "a").text == "one two three "


# what was sent


def record(message: str = "a", at: float = 3.0, **changes: object) -> SentRecord:
    return sent_record(message, **{"time": at, "replaced": {"person": 2}, **changes})


def test_what_was_sent_is_told_in_order_and_the_last_record_of_a_time_counts(history: History) -> None:
    history.add("c", streaming("a", ""))
    history.add("c", streaming("b", ""))
    history.begin("other", 1.0, True)
    history.add("other", streaming("x", ""))
    for one in (record("b", 5.0), record("a", 3.0), record("a", 3.0, bytes_up=7), record("a", 4.0), record("x")):
        history.record(one)
    assert history.sent("c") == [record("a", 3.0, bytes_up=7), record("a", 4.0), record("b", 5.0)]
    with pytest.raises(MessageRefused):
        history.record(record("none"))


# deleting


def test_a_conversation_goes_with_everything_that_hangs_on_it(history: History) -> None:
    archive = history._archive
    history.begin("other", 1.0, True)
    history.add("other", question("stays"))
    parent = ""
    for number in range(1500):  # deeper than SQLite lets deletions cascade from row to row
        history.add("c", question(f"{number}", parent=parent))
        parent = f"{number}"
    history.add("c", replace(streaming(parent=parent), documents=[DocumentText(name="d", text="t")]))
    history.stream("a", "some", [], "")
    history.record(record())
    history.delete("c")
    history.delete("none")
    assert [entry.identity for entry in history.entries()] == ["other"]
    for table, rows in (("message", 1), ("piece", 0), ("document", 0), ("sent_record", 0)):
        assert archive.query(f"SELECT count(*) FROM {table}") == [(rows,)]


# versions: what each has written is read by this one. A new step of the schema wants a new sample here.

WRITTEN_BY_VERSION = {
    1: """
    INSERT INTO conversation VALUES ('c', 'Who are you?', 0, 1.0, 2.0, 1, 'a');
    INSERT INTO message VALUES
      (1, 'q', 'c', NULL, 'user', 'Who are you?', '', x'90', 'complete', '', 0, 1.0, x'80'),
      (2, 'a', 'c', 'q', 'assistant', '', '', x'90', 'streaming', '', 0, 2.0, x'81ac7265706c795f746f6b656e7304'),
      (3, 'b', 'c', 'q', 'assistant', 'Nobody.', 'Nobody.', x'90', 'complete', '', 0, 2.5, x'c1');
    INSERT INTO piece VALUES (1, 2, 'I am ', 'I am ', x'90', 5, 5, 0), (2, 2, 'here.', 'here.', x'90', 10, 10, 0);
    INSERT INTO document VALUES (1, 1, 'd.txt', 'About you.', 1, '', x'90');
    """
}
WRITTEN_BY_VERSION[2] = WRITTEN_BY_VERSION[1].replace(
    "1, 'a');", "1, 'a', x'83a26d75cb4044000000000000a97374726963745f6d75cb3fe8000000000000a7657073696c6f6ecb4022000000000000');"
)
NOISE_BY_VERSION = {2: Noise(mu=40.0, strict_mu=0.75, epsilon=9.0)}


def test_every_version_has_a_sample() -> None:
    assert sorted(WRITTEN_BY_VERSION) == list(range(1, len(SCHEMA.steps) + 1))


@pytest.mark.parametrize("version", WRITTEN_BY_VERSION)
def test_what_every_version_wrote_is_all_there(tmp_path: Path, version: int) -> None:
    archive = Archive.open(tmp_path / "conversations.db", KEY, [Schema(SCHEMA.room, SCHEMA.steps[:version])])
    for statement in WRITTEN_BY_VERSION[version].split(";\n"):
        archive.execute(statement)
    archive.close()
    archive = Archive.open(tmp_path / "conversations.db", KEY, [SCHEMA])
    loaded = History(archive).load("c")
    archive.close()
    assert (loaded.entry.title, loaded.entry.noise) == ("Who are you?", NOISE_BY_VERSION.get(version))
    assert [(one.identity, one.parent, one.text, one.state) for one in loaded.messages] == [
        ("q", "", "Who are you?", "complete"),
        ("a", "q", "I am here.", "interrupted"),
        ("b", "q", "Nobody.", "complete"),
    ]
    assert loaded.messages[0].documents == [DocumentText(name="d.txt", text="About you.", pages=1)]
    assert loaded.messages[1].statistics == Statistics(reply_tokens=4)
    assert loaded.messages[2].statistics == Statistics()


def test_values_with_fields_of_a_later_version_are_read(history: History) -> None:
    history.add("c", question())
    later = {"start": 0, "end": 3, "kind": "person", "colour": "red"}
    history._archive.execute("UPDATE message SET marks = ?", (packed([later]),))
    assert only(history, "q").marks == [Mark(start=0, end=3, kind="person")]


# killed


def written(folder: Path, seconds: float) -> tuple[int, float]:
    """Let a writer stream for so long, kill it; how many words it had told, and how long before the kill that was."""
    with writer("stream", folder) as process:
        words, at = 0, 0.0
        begin = math.inf
        while time.monotonic() < begin + seconds:
            words, at = int(told(process)), time.monotonic()
            begin = min(begin, at)
        process.kill()
        killed = time.monotonic()
        rest, _ = process.communicate()
        words = max([words, *(int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n"))])
    return words, killed - at


def check_after_kill(folder: Path, words: int) -> None:
    for file in folder.iterdir():
        content = file.read_bytes()
        for word in (*WORDS, *map(str.upper, WORDS)):
            assert not any(word.strip().encode(encoding) in content for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
    archive = Archive.open(database(folder), KEY, [SCHEMA])
    history = History(archive)
    asked, answered = history.load("c").messages
    archive.close()
    assert asked.text == answer(10)
    assert answered.state == "interrupted"
    count = len(answered.marks)
    assert words <= count <= words + 7  # all that was told is there, and at most the piece that was not told yet
    assert answered.text == answer(count)
    assert answered.sent == answer(count).upper()
    assert [mark.start for mark in answered.marks] == list(range(count))


def test_what_streamed_before_a_kill_is_there_and_nowhere_readable(tmp_path: Path) -> None:
    words, _ = written(tmp_path, 0.2)
    check_after_kill(tmp_path, words)


@pytest.mark.slow
def test_ten_kills_lose_nothing_that_was_told(tmp_path: Path) -> None:
    for attempt in range(10):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        words, before = written(folder, random.uniform(0, 2))
        assert before < 1.0
        check_after_kill(folder, words)


def test_the_files_are_unreadable_while_a_writer_runs(tmp_path: Path) -> None:
    with writer("stream", tmp_path) as process:
        for _ in range(20):
            assert int(told(process)) > 0
        for file in tmp_path.iterdir():
            content = file.read_bytes()
            assert content
            assert not any(word.strip().encode() in content for word in WORDS)
