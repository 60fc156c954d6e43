"""Noise in words: what leaves under it, what a level is worth, what was spent, and what is wrong with a number.

The words are modest on purpose. A count (epsilon) bounds what anybody could ever learn, and at the levels at which this small
model still answers it bounds next to nothing; what attackers do get back is measured by the audit and told beside it.
"""

import math
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLocale

from desktop_app.chat.events import Noise
from desktop_app.chat.stored import NoiseSpent, NoiseWorth, Recovered
from desktop_app.settings.noise_numbers import Fault
from desktop_app.settings.settings import Settings

translate = QCoreApplication.translate

CERTAIN = 0.5
"""A guess that may be right this often after all is one that nothing protects."""


def noise_of(settings: Settings) -> Noise | None:
    """The noise that a new chat begins with; None: exact split."""
    if settings.noise == "off":
        return None
    if settings.noise == "words":
        strict = settings.strict_mu or settings.mu
        return Noise(mu=settings.mu, strict_mu=strict, epsilon=settings.epsilon, delta=settings.delta, rest="exact", per="value")
    return Noise(
        mu=settings.mu,
        strict_mu=settings.strict_mu,
        epsilon=settings.epsilon,
        delta=settings.delta,
        answers="codes" if settings.noisy_answers else "exact",
    )


def limiting_mu(noise: Noise) -> float:
    """The level that the budget is spent on, and whose figures are told."""
    return noise.strict_mu if noise.rest == "exact" else noise.mu


def choice_name(choice: str) -> str:
    """What leaves under noise, in the words of the settings."""
    names = {
        "off": translate("Noise", "as exact numbers (exact split)"),
        "words": translate("Noise", "names and numbers under strict noise, the rest exact"),
        "all": translate("Noise", "all under noise"),
    }
    return names[choice]


def choice_sentence(choice: str) -> str:
    """What a choice means, the weak side first."""
    sentences = {
        "off": translate(
            "Noise",
            "No noise. Whoever runs the agent and has the model's public weights can work out nearly all of the words; replacing "
            "names and numbers is what protects them.",
        ),
        "words": translate(
            "Noise",
            "Whoever runs the agent can read every other word, and the answer. Names and numbers that are found, and words that "
            "you mark, are drawn anew by chance before they leave: other words take their place, and yours come back in the "
            "answer. That words are marked, how long they are and which are the same stays visible. No first layers run here "
            "then.",
        ),
        "all": translate(
            "Noise",
            "Every word leaves as a code with chance in it. With a model as small as this one, noise that leaves answers right "
            "hides little: whoever has the model works most of the text out again. How long texts are, when they leave and "
            "which codes are the same stays visible. No first layers run here then.",
        ),
    }
    return sentences[choice]


def advice() -> str:
    """What a person should choose."""
    return translate(
        "Noise",
        "Our advice: where names and numbers are the secret, keep the exact split and have them replaced, or put strict noise on "
        "them. Where the whole text is, have every layer run on this computer. Noise on every word is for trying out: with the "
        "starter model no level both hides a text and leaves the answer.",
    )


def level_name(mu: float, *, strict: bool = False) -> str:
    """A level in plain words with its number."""
    mild = {
        10.0: translate("Noise", "very strong"),
        15.0: translate("Noise", "strong"),
        20.0: translate("Noise", "middling"),
        30.0: translate("Noise", "weak"),
        40.0: translate("Noise", "very weak"),
    }
    strictly = {
        0.5: translate("Noise", "strictest"),
        0.75: translate("Noise", "strict"),
        1.5: translate("Noise", "less strict"),
    }
    if strict and not mu:
        return translate("Noise", "as for every other word")
    name = (strictly if strict else mild).get(mu)
    return f"{name} (mu {mu:g})" if name else f"mu {mu:g}"


def mode_name(noise: Noise | None) -> str:
    """How words leave in a chat, short."""
    if noise is None:
        return translate("Noise", "Exact split")
    if noise.rest == "exact":
        return translate("Noise", "Strict words (mu {mu})").format(mu=f"{noise.strict_mu:g}")
    return translate("Noise", "Noise (mu {mu})").format(mu=f"{noise.mu:g}")


def epsilon_text(epsilon: float) -> str:
    """An epsilon, short."""
    if not math.isfinite(epsilon):
        return "∞"
    return QLocale().toString(round(epsilon)) if epsilon >= 100 else f"{epsilon:.3g}"


def delta_text(delta: float) -> str:
    """A delta, short: 1e-6."""
    return f"{delta:g}".replace("e-0", "e-")


def chance_text(chance: float) -> str:
    """How often a guess is right."""
    if chance >= 0.995:
        return translate("Noise", "as good as always")
    if chance >= 0.1:
        return translate("Noise", "{percent} % of the time").format(percent=f"{100 * chance:.0f}")
    times = float(f"{1 / chance:.2g}")
    return translate("Noise", "1 time in {times}").format(times=QLocale().toString(round(times)))


def guess_sentence(success: float) -> str:
    """The bound that people understand."""
    return translate(
        "Noise", "A guess that was right once in a million may then be right {chance}, no matter how clever the attack."
    ).format(chance=chance_text(success))


def spent_sentence(spent: NoiseSpent | None, noise: Noise) -> str:
    """What a chat has spent of its budget."""
    if spent is not None and spent.exact:
        return translate("Noise", "Exact rows have left in this chat, so its noise hides nothing: ε ∞.")
    per_value = noise.per == "value"
    budget, delta = (spent.budget, spent.delta) if spent is not None else (noise.epsilon, noise.delta)
    numbers = {"budget": epsilon_text(budget), "delta": delta_text(delta)}
    if spent is None or not spent.tokens:
        text = (
            translate("Noise", "Nothing spent yet of ε {budget} for each name or number (δ {delta}).")
            if per_value
            else translate("Noise", "Nothing spent yet of ε {budget} for this chat (δ {delta}).")
        )
        return text.format(**numbers)
    text = (
        translate(
            "Noise", "ε {epsilon} of {budget} spent for the most exposed name or number (δ {delta}), {tokens} tokens in all."
        )
        if per_value
        else translate("Noise", "ε {epsilon} of {budget} spent (δ {delta}), {tokens} tokens.")
    )
    tokens = QLocale().toString(spent.tokens)
    return text.format(epsilon=epsilon_text(spent.epsilon), tokens=tokens, **numbers)


def worth_sentence(worth: NoiseWorth, noise: Noise) -> str:
    """What a noise is worth by count: of one token, and how far the budget goes."""
    one = translate("Noise", "By count: one token costs ε {epsilon}.").format(epsilon=epsilon_text(worth.epsilon))
    if not worth.tokens:
        pays = translate("Noise", "The budget does not pay for one: nothing could be sent. Raise it, or choose stronger noise.")
    elif noise.per == "value":
        pays = translate("Noise", "The budget pays for {tokens} tokens of each name or number.")
    else:
        pays = translate("Noise", "The budget pays for about {tokens} tokens of this chat, history and documents included.")
    parts = [one, pays.format(tokens=QLocale().toString(worth.tokens)), _of_one(worth.success)]
    if not worth.proven:
        parts.append(translate("Noise", "This is the worst case of any vocabulary; what is charged may be less."))
    return " ".join(parts)


def _of_one(success: float) -> str:
    if success < CERTAIN:
        return translate("Noise", "A guess at one of them that was right once in a million may then be right {chance}.").format(
            chance=chance_text(success)
        )
    return translate("Noise", "That bounds nothing: a guess at one of them may be right every time.")


def measured_sentence(rows: Sequence[Recovered], noise: Noise) -> str:
    """What attackers got back at this level and what was left of the answer, where it was measured."""
    measured = [row for row in rows if row.measured and row.weights == "public"]
    attacks = [row for row in measured if not row.utility and row.of == "prompt" and row.unit == "tokens"]
    wanted = limiting_mu(noise)
    if not attacks:
        return translate(
            "Noise", "What attackers get back at mu {mu} is not measured yet. Do not take that for protection."
        ).format(mu=f"{wanted:g}")
    worst = max(attacks, key=lambda row: row.share)
    said = translate(
        "Noise", "Measured at mu {mu}: the best attack gets back {share} % of the noisy words ({guess} % by guessing)."
    )
    parts = [said.format(mu=f"{worst.mu:g}", share=round(100 * worst.share), guess=round(100 * worst.prior_only))]
    if (kept := next((row for row in measured if row.utility and row.attack == "agreement"), None)) is not None:
        left = translate(
            "Noise", "The answer's words are as without noise in {share} % of places ({guess} % with no question at all)."
        )
        parts.append(left.format(share=round(100 * kept.share), guess=round(100 * kept.prior_only)))
    if abs(worst.mu - wanted) > 1e-9:
        parts.append(translate("Noise", "At mu {mu} itself nothing is measured.").format(mu=f"{wanted:g}"))
    return " ".join(parts)


def answers_sentence(noise: Noise) -> str:
    """How answers go back, and what that means."""
    if noise.answers == "codes":
        return translate("Noise", "Every word of an answer is charged as well, and answers suffer most from it.")
    return translate(
        "Noise",
        "Answers go back exact, which costs nothing; but the agent can read them, and with them what they tell of the question.",
    )


def fault_sentence(fault: Fault, name: str) -> str:
    """What is wrong with a number, by the name of what it is for."""
    sentences = {
        Fault.EMPTY: translate("Noise", "{name} is empty. Write a number above 0."),
        Fault.NO_NUMBER: translate("Noise", "{name} is no number. Write one above 0, 20 or 1e-6 for example."),
        Fault.NOT_POSITIVE: translate("Noise", "{name} must be above 0: at 0 or below nothing could be sent."),
        Fault.INFINITE: translate("Noise", "{name} cannot be infinite: that would allow everything. Write a number."),
        Fault.TOO_LARGE: translate("Noise", "{name} is larger than any chat could spend. Write a smaller number."),
        Fault.TELLS_A_TOKEN: translate(
            "Noise",
            "{name} is larger than one over the number of tokens: it would allow that one of them is told in clear. Write 1e-6 "
            "for example.",
        ),
        Fault.NO_LEVEL: translate("Noise", "{name} must lie between 0.0625 and 4,095."),
    }
    return sentences[fault].format(name=name)
