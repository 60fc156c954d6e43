"""What the page of what left this computer says of noise: its levels, what it has cost, and what its guarantee is not about."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLocale

from desktop_app.chat.events import Noise
from desktop_app.chat.stored import SentRecord
from desktop_app.gui.noise_words import delta_text, epsilon_text

translate = QCoreApplication.translate


def is_strict(record: SentRecord) -> bool:
    """Whether names and numbers left under a noise of their own, and so none as a stand-in."""
    return record.mode == "dp" and record.noise is not None and record.noise.strict_mu > 0


def noise_facts(record: SentRecord, noise: Noise) -> list[tuple[str, str]]:
    """What was noisy of an answer's rows, how strongly, and what the chat had spent by then."""
    levels = []
    if noise.rest == "noisy":
        levels.append(translate("SentPage", "every word: mu {mu}").format(mu=f"{noise.mu:g}"))
    else:
        levels.append(translate("SentPage", "all other words: none, they left as they were written"))
    if noise.strict_mu:
        levels.insert(0, translate("SentPage", "names, numbers and marked words: mu {mu}").format(mu=f"{noise.strict_mu:g}"))
    facts = [(translate("SentPage", "Noise"), "; ".join(levels))]
    if record.codes >= 0:
        codes = translate("SentPage", "{count} of the rows").format(count=QLocale().toString(record.codes))
        facts.append((translate("SentPage", "Noisy codes"), codes))
    back = (
        translate("SentPage", "as codes") if noise.answers == "codes" else translate("SentPage", "exact; the agent can read it")
    )
    facts.append((translate("SentPage", "The answer went back"), back))
    if record.epsilon >= 0:
        spent = translate("SentPage", "ε {epsilon} of {budget} at δ {delta}, each name or number by itself")
        if noise.per == "conversation":
            spent = translate("SentPage", "ε {epsilon} of {budget} at δ {delta}, the whole chat up to then")
        numbers = {
            "epsilon": epsilon_text(record.epsilon),
            "budget": epsilon_text(noise.epsilon),
            "delta": delta_text(noise.delta),
        }
        facts.append((translate("SentPage", "Spent of the budget"), spent.format(**numbers)))
    return facts


def noise_explained(records: Sequence[SentRecord]) -> list[str]:
    """What noise was worth, and what its guarantee is not about."""
    sentences = [
        translate(
            "SentPage",
            "Under noise an agent gets codes with chance in them, drawn once for each word. Epsilon bounds what anybody can "
            "learn from the codes of a word, whatever else they know; a large one bounds next to nothing, and then all that "
            "protects is what attackers have not managed. The settings tell how much was recovered.",
        ),
        translate(
            "SentPage",
            "The guarantee does not cover how long texts are, when something was sent, which codes are the same, or words of the "
            "template, which are public.",
        ),
    ]
    if any(record.noise is None or record.noise.answers == "exact" for record in records):
        sentences.append(
            translate(
                "SentPage", "Nor does it cover the answer: it went back exact, so the agent can read it, and what it tells."
            )
        )
    if any(record.noise is not None and record.noise.rest == "exact" for record in records):
        sentences.append(
            translate("SentPage", "Words that were neither found nor marked left without noise: whoever got them can read them.")
        )
    return sentences
