"""The interface that the window knows is the one that the scripted engine has."""

import inspect

from desktop_app.chat.responder import ChatError, DocumentRefused, Responder
from tests.helpers.scripted_responder import ScriptedResponder


def test_scripted_engine_has_every_method() -> None:
    wanted = {name for name, _ in inspect.getmembers(Responder, inspect.isfunction) if not name.startswith("_")}
    assert {"start", "close", "reply", "review", "decide", "conversations", "unlock"} < wanted
    for name in wanted:
        asked = list(inspect.signature(getattr(Responder, name)).parameters)
        assert list(inspect.signature(getattr(ScriptedResponder, name)).parameters) == asked


def test_errors_of_the_room_have_one_base() -> None:
    assert issubclass(DocumentRefused, ChatError)
