"""What is protected at a setting and what is not, in sentences that hold in front of a lawyer."""

from PySide6.QtCore import QCoreApplication

from desktop_app.chat.events import Noise

translate = QCoreApplication.translate


def unprotected_sentences(only_here: bool, protect: bool, noise: Noise | None = None) -> list[str]:
    """What whoever runs the agent can work out or see; the weakest point comes first."""
    if only_here:
        return [translate("ProtectionWords", "Whoever can use this computer while your chats are open can read them.")]
    if noise is not None:
        return _under_noise(noise, protect)
    sentences = [
        translate(
            "ProtectionWords",
            "What you write and attach, and the answers. Only rows of numbers are sent, no text, no files and no token numbers; "
            "but whoever runs the agent and has the model's public weights can work out nearly all of the words from them. More "
            "layers on this computer do not prevent that.",
        )
    ]
    if protect:
        sentences += [
            translate(
                "ProtectionWords",
                "Names and numbers that were not found, and what has left before you marked it or while replacing was off. No "
                "recogniser finds all; look over what is replaced before you send.",
            ),
            translate(
                "ProtectionWords",
                "Who is meant, where the rest of the text tells it. Replacing names is pseudonymisation, not anonymisation.",
            ),
            translate(
                "ProtectionWords",
                "What a stand-in tells: what kind of thing it stands for, mostly the language of a name and whether it is a "
                "woman's or a man's, how many days lie between dates, how a number is built, and where the same one is meant "
                "again.",
            ),
        ]
    else:
        sentences.append(translate("ProtectionWords", "Names and numbers: they leave as they are written."))
    sentences.append(translate("ProtectionWords", "When you ask, how often, and how long questions and answers are."))
    return sentences


def protected_sentences(only_here: bool, protect: bool, noise: Noise | None = None) -> list[str]:
    """What an agent does not get, whoever runs it."""
    if only_here:
        return [translate("ProtectionWords", "Nothing is sent: every layer of the model runs on this computer.")]
    if noise is not None and noise.strict_mu:
        return [
            translate(
                "ProtectionWords",
                "The wording of names and numbers that Sotto finds, that stand on your lists or that you mark, as far as the "
                "strict noise on them goes: the line in the chat says how well a guess can do.",
            )
        ]
    if not protect:
        return [translate("ProtectionWords", "Nothing, from whoever runs the agent.")]
    return [
        translate(
            "ProtectionWords",
            "The wording of names and numbers that Sotto finds, that stand on your lists or that you mark: stand-ins take their "
            "place on this computer before the model reads them. What can be worked out there are the stand-ins.",
        )
    ]


def _under_noise(noise: Noise, protect: bool) -> list[str]:
    """What noise does not hide; the weakest point comes first."""
    if noise.rest == "exact":
        first = translate(
            "ProtectionWords", "Everything that is no name or number, and the answers: whoever runs the agent can read them."
        )
    else:
        first = translate(
            "ProtectionWords",
            "What you write and attach: at noise that leaves answers right, whoever runs the agent and has the model can work "
            "most of it out again. How much was recovered stands below.",
        )
    sentences = [first]
    if noise.rest != "exact" and noise.answers == "exact":
        sentences.append(translate("ProtectionWords", "The answers: they go back exact, so the agent can read them."))
    if noise.strict_mu or protect:
        sentences.append(
            translate(
                "ProtectionWords",
                "Names and numbers that were not found. No recogniser finds all; look over what is found before you send.",
            )
        )
    sentences.append(
        translate(
            "ProtectionWords",
            "When you ask, how often, how long questions and answers are, and which codes are the same.",
        )
    )
    return sentences
