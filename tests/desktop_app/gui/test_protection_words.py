"""What is said of protection promises nothing that does not hold."""

import pytest

from desktop_app.chat.events import Noise
from desktop_app.gui.protection_words import protected_sentences, unprotected_sentences


@pytest.mark.parametrize("protect", [True, False])
def test_an_agent_is_never_said_to_be_blind(protect: bool) -> None:
    said = " ".join(unprotected_sentences(False, protect))
    assert "public weights" in said
    assert "More layers on this computer do not prevent that." in said
    assert "how long" in said
    assert ("not anonymisation" in said) == protect
    assert ("leave as they are written" in said) != protect
    assert "no text, no files and no token numbers" in unprotected_sentences(False, protect)[0]
    promised = " ".join(protected_sentences(False, protect))
    assert ("stand-ins" in promised) == protect
    assert not any(word in promised.casefold() for word in ("secure", "private", "safe", "encrypt", "guarantee", "anonym"))


def test_what_stand_ins_tell_and_what_left_before_is_not_kept_back() -> None:
    said = " ".join(unprotected_sentences(False, True))
    for told in ("kind of thing", "language", "woman's or a man's", "days", "how a number is built", "before you marked it"):
        assert told in said
    assert protected_sentences(False, False) == ["Nothing, from whoever runs the agent."]
    assert not any("sent" in sentence or "Only" in sentence for sentence in protected_sentences(False, True))


def test_where_nothing_is_sent_only_this_computer_can_tell() -> None:
    assert protected_sentences(True, True) == ["Nothing is sent: every layer of the model runs on this computer."]
    assert "this computer" in unprotected_sentences(True, False)[0]


@pytest.mark.parametrize("noise", [Noise(mu=40.0, epsilon=1e6), Noise(strict_mu=0.75, rest="exact", per="value", epsilon=20.0)])
@pytest.mark.parametrize("protect", [True, False])
def test_noise_is_not_said_to_hide_what_can_be_read(noise: Noise, protect: bool) -> None:
    said = " ".join(unprotected_sentences(False, protect, noise))
    assert "whoever runs the agent" in said
    assert "answers" in said
    assert "which codes are the same" in said
    promised = " ".join(protected_sentences(False, protect, noise))
    assert ("strict noise" in promised) == (noise.strict_mu > 0)
    assert not any(word in promised.casefold() for word in ("secure", "private", "safe", "encrypt", "guarantee", "anonym"))
    assert protected_sentences(True, protect, noise) == ["Nothing is sent: every layer of the model runs on this computer."]
