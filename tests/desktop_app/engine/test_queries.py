"""Questions and answers over the pipe: each comes back as what it was, an error as the class it was raised as."""

import math
from typing import Any, get_args

import msgspec
import pytest

from desktop_app.chat import responder
from desktop_app.chat.events import DocumentText, Noise, ReplyRequest, Split
from desktop_app.chat.responder import ChatError
from desktop_app.chat.stored import (
    Consequence,
    ConversationEntry,
    Decision,
    Mark,
    NameList,
    NoiseSpent,
    NoiseWorth,
    Recovered,
    Review,
    StoredConversation,
    StoredMessage,
)
from desktop_app.engine import queries
from desktop_app.engine.queries import ANSWERS, About, Query, Unanswered, answered, error_of, value_of
from tests.helpers.sent_records import sent_record

REQUEST = ReplyRequest(conversation="c", turns=[])
ENTRY = ConversationEntry(identity="c", title="박지영", created=1.0, changed=2.0)
RECORD = sent_record()
ASKED: list[tuple[Any, Any]] = [
    (queries.DocumentAt("p"), DocumentText(name="a", text="b")),
    (queries.ReviewOf(REQUEST), Review(found=[], marks=[Mark(start=0, end=1, kind="person")], document_marks=[[]])),
    (queries.Decide("c", True, [Decision(value="v", kind="person", replaced=False)]),
     [Consequence(value="v", messages=1, peer="p")]),
    (queries.Lists(), [NameList(name="n", kind="person", values=["v"])]),
    (queries.KeepList(NameList(name="n", kind="person", values=[])), None),
    (queries.ImportList("p", "n", "person"), NameList(name="n", kind="person", values=["v"], never=True)),
    (queries.Conversations(), [ENTRY]),
    (queries.OpenConversation("c"), StoredConversation(entry=ENTRY, messages=[])),
    (queries.KeepBranch("c", False, [StoredMessage(identity="q", parent="", role="user", text="t")]), None),
    (queries.RenameConversation("c", "t"), None),
    (queries.DeleteConversation("c"), None),
    (queries.SentOf("c", False), [RECORD]),
    (queries.RecoveredAt("", Split(), True, 40.0), [Recovered(attack="a", of="prompt", weights="public")]),
    (queries.NoiseSpentIn("c"), None),
    (
        queries.NoiseSpentIn("c"),
        NoiseSpent(epsilon=math.inf, delta=1e-6, budget=9.0, tokens=3, success=1.0, prior=1e-6, exact=True),
    ),
    (queries.WorthOf(Noise(epsilon=9.0), ""), NoiseWorth(epsilon=3.5, success=0.1, prior=1e-6, tokens=12)),
    (queries.SetNoiseBudget("c", 9.0, 1e-6), None),
    (queries.Unlock("secret"), None),
    (queries.GoOnWithoutLists(), None),
]  # fmt: skip


@pytest.mark.parametrize(("about", "value"), ASKED)
def test_question_and_answer_come_back_equal(about: Any, value: Any) -> None:
    query = Query(1, about)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(query), type=Query) == query
    answer = msgspec.msgpack.decode(msgspec.msgpack.encode(answered(1, value)), type=queries.Answered)
    assert value_of(about, answer) == value


def test_every_question_is_tried_and_has_an_answer() -> None:
    assert {type(about) for about, _ in ASKED} == set(get_args(About)) == set(ANSWERS)


@pytest.mark.parametrize("kind", [responder.DocumentRefused, responder.ArchiveUnavailable, responder.ProtectionFailed, ChatError])
def test_an_error_is_raised_as_what_it_was(kind: type[ChatError]) -> None:
    error = error_of(Unanswered(1, kind.__name__, "No. Try again."))
    assert type(error) is kind
    assert str(error) == "No. Try again."


@pytest.mark.parametrize("name", ["ConversationGone", "Path", "Responder", "os", ""])
def test_an_error_of_another_name_is_a_chat_error(name: str) -> None:
    assert type(error_of(Unanswered(1, name, "No."))) is ChatError
