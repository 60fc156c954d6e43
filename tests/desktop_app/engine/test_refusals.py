"""Every refusal is a sentence with a next step; those that only ask for everything anew are told apart."""

import pytest

from desktop_app.engine.errors import CacheLost, RequestRefused
from desktop_app.engine.refusals import refusal_of, sentence_of
from remote_agent.wire.errors import ErrorCode


@pytest.mark.parametrize("code", list(ErrorCode))
def test_every_code_has_a_sentence_with_a_next_step(code: ErrorCode) -> None:
    sentence = sentence_of(code)
    assert sentence.endswith(".")
    assert sentence.count(". ") >= 1


@pytest.mark.parametrize("code", list(ErrorCode))
def test_where_only_the_cache_is_gone_everything_can_be_sent_anew(code: ErrorCode) -> None:
    error = refusal_of(code)
    gone = code in (ErrorCode.SESSION_UNKNOWN, ErrorCode.SESSION_GONE, ErrorCode.ROW_UNKNOWN)
    assert (isinstance(error, CacheLost), isinstance(error, RequestRefused)) == (gone, not gone)
    assert str(error) == sentence_of(code)
