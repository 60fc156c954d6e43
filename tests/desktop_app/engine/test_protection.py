"""What leaves is what was replaced: in every turn and document, the same throughout, also after a restart or a late word."""

import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from desktop_app.chat.events import DocumentText, ReplyRequest, Sampling
from desktop_app.chat.responder import ProtectionFailed
from desktop_app.chat.stored import Decision, SentRecord, StoredMessage
from desktop_app.engine.keeper import Kept
from desktop_app.engine.protection import ProtectedRequest, Protection
from desktop_app.privacy.keeping import KeptList
from desktop_app.privacy.naming import Naming
from desktop_app.privacy.spans import Kind
from tests.helpers.protecting import keeper_in, protection_of, request_of
from tests.helpers.sent_records import sent_record


def _nothing(done: int, total: int) -> None:
    """Progress that nobody watches."""


def _words(protected: ProtectedRequest) -> str:
    """Every word that leaves."""
    return "\n".join(
        text
        for turn in protected.request.turns
        for text in (turn.text, *(it for document in turn.documents for it in (document.name, document.text)))
    )


async def test_a_name_leaves_neither_in_the_question_nor_in_a_document_nor_in_its_file_name() -> None:
    protection, _ = protection_of("Marlowe")
    letter = DocumentText(name="Marlowe.pdf", text="Dear Marlowe, yours Marlowe")
    protected = await protection.protect(request_of("Who is Marlowe?", documents=[letter]), _nothing)
    assert "Marlowe" not in _words(protected)
    assert [mark.kind for mark in protected.marks] == ["person"]
    assert protected.replaced == {"person": 3}
    marks = protected.document_marks[0]
    assert [letter.text[mark.start : mark.end] for mark in marks] == ["Marlowe", "Marlowe"]
    assert len({mark.stand_in for mark in [*marks, *protected.marks]}) == 1


async def test_no_word_of_a_file_name_leaves_and_its_number_stays_in_all_turns() -> None:
    protection, _ = protection_of()
    results = DocumentText(name="Emma_Harrison_HIV_results.pdf", text="All is well.")
    first = await protection.protect(request_of("What does Emma_Harrison_HIV_results.pdf say?", documents=[results]), _nothing)
    assert "Emma" not in _words(first)
    assert first.request.turns[0].documents[0].name == "Document 1.pdf"
    question = replace(first.request.turns[0], text="Go on", documents=[results, replace(results, name="HIV_Ann.pdf")])
    second = await protection.protect(ReplyRequest(conversation="c", turns=[question]), _nothing)
    assert [document.name for document in second.request.turns[0].documents] == ["Document 1.pdf", "Document 2.pdf"]


async def test_a_name_that_only_a_later_turn_brings_is_replaced_in_the_earlier_ones_too() -> None:
    protection, recognition = protection_of()
    recognition.words = {}
    first = await protection.protect(request_of("Marlowe slept."), _nothing)
    assert "Marlowe" in _words(first)
    recognition.words = {"Marlowe": next(iter(protection_of("x")[1].words.values()))}
    second = await protection.protect(request_of("Marlowe slept.", "Who?", "Mr Marlowe of course"), _nothing)
    assert "Marlowe" not in _words(second)


def _left(message: str, *, protect: bool = True) -> SentRecord:
    return sent_record(message, peer="agent.example", protect=protect)


@pytest.mark.parametrize("protect", [True, False])
async def test_an_answer_goes_back_as_the_model_wrote_it_if_it_was_made_under_protection(protect: bool) -> None:
    keeper = keeper_in(None)
    protection, recognition = protection_of("Marlowe", "Vance", keeper=keeper)
    await protection.protect(request_of("Who is Marlowe?"), _nothing)

    def keep(kept: Kept) -> None:
        kept.history.begin("c", 1.0, True)
        sent = "The  raw words" if protect else "Vance  it is"
        answer = StoredMessage(identity="c-1", parent="", role="assistant", text="Vance  it is", sent=sent)
        kept.history.add("c", answer)
        kept.history.record(_left("c-1", protect=protect))

    await keeper.run(keep, "c")
    recognition.asked.clear()
    protected = await protection.protect(request_of("Who is Marlowe?", "Vance  it is", "Sure?"), _nothing)
    assert (protected.request.turns[1].text == "The  raw words") == protect
    assert ("Vance  it is" in recognition.asked) != protect
    assert "Vance" not in _words(protected)


async def test_an_answer_that_is_not_kept_is_replaced_like_any_text() -> None:
    protection, _ = protection_of("Marlowe")
    protected = await protection.protect(request_of("Who?", "Marlowe", "Sure?"), _nothing)
    assert "Marlowe" not in _words(protected)


async def test_texts_that_were_seen_before_are_not_looked_through_again() -> None:
    protection, recognition = protection_of("Marlowe")
    await protection.protect(request_of("One Marlowe", "b", "Two"), _nothing)
    recognition.asked.clear()
    await protection.protect(request_of("One Marlowe", "b", "Two", "c", "Three"), _nothing)
    assert recognition.asked == ["c", "Three"]


async def test_stand_ins_are_the_same_after_a_restart(tmp_path: Path) -> None:
    keeper = keeper_in(tmp_path)
    await keeper.unlock("correct horse battery staple")
    protection, _ = protection_of("Marlowe", keeper=keeper)
    await keeper.run(lambda kept: kept.history.begin("c", 1.0, True))
    before = await protection.protect(request_of("Who is Marlowe?"), _nothing)
    await keeper.close()
    keeper = keeper_in(tmp_path)
    await keeper.unlock("correct horse battery staple")
    protection, _ = protection_of("Marlowe", keeper=keeper)
    assert (await protection.protect(request_of("Who is Marlowe?"), _nothing)).request == before.request
    await keeper.close()


async def test_two_conversations_have_stand_ins_of_their_own() -> None:
    protection, _ = protection_of("Marlowe")
    words = {
        (await protection.protect(request_of("Marlowe", conversation=f"c{number}"), _nothing)).request.turns[0].text
        for number in range(8)
    }
    assert len(words) > 1


async def test_nothing_is_replaced_where_protection_is_off_and_nothing_is_looked_for() -> None:
    protection, recognition = protection_of("Marlowe")
    request = request_of("Marlowe", protect=False)
    assert (await protection.protect(request, _nothing)).request == request
    assert recognition.asked == []


async def test_where_the_recogniser_fails_nothing_is_given_out() -> None:
    protection, recognition = protection_of()
    recognition.failure = ProtectionFailed("It crashed. Try again.")
    with pytest.raises(ProtectionFailed):
        await protection.protect(request_of("Marlowe"), _nothing)


async def test_words_that_stop_an_answer_are_replaced_as_the_model_would_write_them() -> None:
    protection, _ = protection_of("Marlowe")
    protected = await protection.protect(request_of("Who is Marlowe?", sampling=Sampling(stop=["Marlowe", "END"])), _nothing)
    assert protected.request.sampling.stop == [protected.marks[0].stand_in, "END"]


async def test_the_review_shows_each_value_once_with_where_it_stands_and_what_would_leave() -> None:
    protection, _ = protection_of("Marlowe", "Vance")
    letter = DocumentText(name="letter", text="Marlowe and Marlowe and Vance")
    review = await protection.review(request_of("Who is Marlowe?", documents=[letter]), _nothing)
    rows = {row.value: row for row in review.found}
    assert rows["Marlowe"].count == 3
    assert rows["Marlowe"].places == ["", "letter"]
    assert rows["Vance"].places == ["letter"]
    sent = await protection.protect(request_of("Who is Marlowe?", documents=[letter]), _nothing)
    assert rows["Marlowe"].stand_in in sent.request.turns[0].text


async def test_what_the_person_says_holds_from_then_on_and_is_shown_in_the_review() -> None:
    protection, _ = protection_of("Marlowe")
    never = Decision(value="Marlowe", kind="person", replaced=False)
    marked = Decision(value="blue folder", kind="other", replaced=True)
    assert await protection.decide("c", False, [never, marked]) == []
    request = request_of("Marlowe has the blue folder")
    review = await protection.review(request, _nothing)
    assert {row.value: row.replaced for row in review.found} == {"Marlowe": False, "blue folder": True}
    words = _words(await protection.protect(request, _nothing))
    assert "Marlowe" in words
    assert "blue folder" not in words


async def test_a_stand_in_of_the_persons_own_is_used() -> None:
    protection, _ = protection_of("Marlowe")
    await protection.decide("c", False, [Decision(value="Marlowe", kind="person", replaced=True, stand_in="Whitcombe")])
    assert "Whitcombe" in _words(await protection.protect(request_of("Who is Marlowe?"), _nothing))


async def test_a_word_that_comes_too_late_is_told_with_how_often_it_left_and_to_whom() -> None:
    keeper = keeper_in(None)
    protection, _ = protection_of("Vance", keeper=keeper)

    def keep(kept: Kept) -> None:
        kept.history.begin("c", 1.0, True)
        kept.history.add("c", StoredMessage(identity="q", parent="", role="user", text="The blue folder of Vance"))
        kept.history.add("c", StoredMessage(identity="a", parent="q", role="assistant", text="Yes"))
        kept.history.record(_left("a"))

    await keeper.run(keep, "c")
    late = Decision(value="blue folder", kind="other", replaced=True)
    early = Decision(value="red folder", kind="other", replaced=True)
    consequences = await protection.decide("c", False, [late, early])
    assert [(it.value, it.messages, it.peer) for it in consequences] == [("blue folder", 1, "agent.example")]
    protected = await protection.protect(request_of("The blue folder of Vance"), _nothing)
    assert "blue folder" not in _words(protected)


async def test_the_persons_lists_count_from_the_next_question_on() -> None:
    keeper = keeper_in(None)
    protection, _ = protection_of("Marlowe", keeper=keeper)
    assert "Kestrel" in _words(await protection.protect(request_of("Project Kestrel"), _nothing))
    await keeper.run(lambda kept: kept.keeping.keep_list(KeptList(name="projects", kind="other", values=["Kestrel"])))
    assert "Kestrel" not in _words(await protection.protect(request_of("Project Kestrel"), _nothing))
    await keeper.run(lambda kept: kept.keeping.keep_list(KeptList(name="fine", kind="other", values=["Marlowe"], never=True)))
    assert "Marlowe" in _words(await protection.protect(request_of("Marlowe"), _nothing))


async def test_nothing_is_given_out_while_the_persons_lists_are_locked(tmp_path: Path) -> None:
    keeper = keeper_in(tmp_path)
    await keeper.unlock("correct horse battery staple")
    await keeper.close()
    keeper = keeper_in(tmp_path)
    await keeper.open()
    protection, _ = protection_of("Marlowe", keeper=keeper)
    with pytest.raises(ProtectionFailed, match="Your lists of names are locked"):
        await protection.protect(request_of("Who is Marlowe?"), _nothing)
    with pytest.raises(ProtectionFailed, match="Your lists of names are locked"):
        await protection.review(request_of("Who is Marlowe?", incognito=True), _nothing)
    keeper.go_on_without_lists()
    assert "Marlowe" not in _words(await protection.protect(request_of("Who is Marlowe?"), _nothing))
    await keeper.close()


async def values_of(protection: Protection, *texts: str) -> dict[str, str]:
    return (await protection.find(request_of(*texts), _nothing)).values


@pytest.mark.parametrize(
    "question",
    ["what does wierzbicki owe?", "Ask WIERZBICKI.", "Did Tomasz pay?", "Is Mr Wierzbicki well?", "Wierzbicki's rent"],
)
async def test_for_noise_a_name_of_an_earlier_turn_is_found_however_a_later_one_writes_it(question: str) -> None:
    protection, _ = protection_of("Tomasz Wierzbicki")
    values = await values_of(protection, "Tomasz Wierzbicki rents a flat.", "Yes.", question)
    replaced, _ = protection_of("Tomasz Wierzbicki")
    stand_ins = await replaced.protect(request_of("Tomasz Wierzbicki rents a flat.", "Yes.", question, protect=True), _nothing)
    left = question
    for value in sorted(values, key=len, reverse=True):
        left = left.replace(value, "")
    assert not any(name in left.casefold() for name in ("tomasz", "wierzbicki"))
    assert stand_ins.request.turns[-1].text != question, "as stand-ins do"


async def test_for_noise_all_of_a_word_is_found_where_a_span_ends_inside_it() -> None:
    protection, _ = protection_of("Okafor")
    assert "Okaforson" in await values_of(protection, "Call Okaforson now.")


async def test_for_noise_nothing_is_replaced_but_names_of_documents_and_what_was_let_go_is_not_found() -> None:
    protection, _ = protection_of("Okafor")
    await protection.decide("c", False, [Decision(value="Okafor", kind="person", replaced=False)])
    request = request_of("Okafor paid.", documents=[DocumentText(name="Okafor.pdf", text="Okafor.")])
    found = await protection.find(request, _nothing)
    assert found.values == {}
    assert found.request.turns[-1].text == "Okafor paid."
    assert found.request.turns[-1].documents[0].text == "Okafor."


async def test_where_names_bring_up_ever_more_names_nothing_is_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def learnt(naming: Naming, text: str, spans: object) -> None:
        naming.decide(f"Marlowe{len(naming.entries)}", Kind.OTHER, True)

    monkeypatch.setattr(Naming, "protect", learnt)
    protection, _ = protection_of("Marlowe")
    with pytest.raises(ProtectionFailed, match="ever more names"):
        await protection.protect(request_of("Marlowe"), _nothing)


async def test_a_replacement_that_takes_too_long_is_given_up_and_the_next_question_is_asked_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    protection, _ = protection_of("Marlowe")
    goes_on, orphans = threading.Event(), []

    def hangs(naming: Naming, text: str, spans: object) -> None:
        orphans.append(naming)
        goes_on.wait()

    with monkeypatch.context() as patched:
        patched.setattr(Naming, "protect", hangs)
        patched.setattr("desktop_app.engine.protection.REPLACE_SECONDS", 0.01)
        with pytest.raises(ProtectionFailed, match="took too long"):
            await protection.protect(request_of("Marlowe"), _nothing)
    protected = await protection.protect(request_of("Marlowe"), _nothing)
    assert "Marlowe" not in _words(protected)
    assert protected.naming not in orphans
    goes_on.set()


async def test_the_review_names_scripts_that_are_not_read_where_words_in_them_leave_as_they_are() -> None:
    protection, _ = protection_of("王小明")
    letter = DocumentText(name="a.txt", text="我昨天在北京见到了王小明的母亲。")
    assert (await protection.review(request_of("What is this?", documents=[letter]), _nothing)).unread == ["Chinese"]
    assert (await protection.review(request_of("Who is 王小明? 王小明, 王小明"), _nothing)).unread == []
