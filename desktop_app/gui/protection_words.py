"""What is protected at a setting and what is not, in sentences that hold in front of a lawyer."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def protected_sentences(only_here: bool, protect: bool) -> list[str]:
    """What an agent does not get, whoever runs it."""
    if only_here:
        return [translate("ProtectionWords", "Nothing is sent: every layer of the model runs on this computer.")]
    sentences = [
        translate("ProtectionWords", "Text, files and token numbers are never sent, only rows of numbers between two layers."),
    ]
    if protect:
        sentences.append(
            translate(
                "ProtectionWords",
                "Names and numbers that Sotto finds, that stand on your lists or that you mark are replaced on this computer "
                "before the model reads them. Only their stand-ins can be worked out from what is sent.",
            )
        )
    return sentences


def unprotected_sentences(only_here: bool, protect: bool) -> list[str]:
    """What whoever runs the agent can work out or see."""
    if only_here:
        return [translate("ProtectionWords", "Whoever can use this computer while your chats are open can read them.")]
    sentences = [
        translate(
            "ProtectionWords",
            "Everything else that you write and attach, and the answers: whoever runs the agent and has the model's public "
            "weights can work out the words, nearly all of them. More layers on this computer do not prevent that.",
        )
    ]
    if protect:
        sentences += [
            translate(
                "ProtectionWords",
                "Names and numbers that were not found. No recogniser finds all; look over what is replaced before you send.",
            ),
            translate(
                "ProtectionWords",
                "Who is meant, where the rest of the text tells it. Replacing names is pseudonymisation, not anonymisation.",
            ),
        ]
    else:
        sentences.append(translate("ProtectionWords", "Names and numbers: they leave as they are written."))
    sentences.append(translate("ProtectionWords", "When you asked, how often, and how long questions and answers are."))
    return sentences
