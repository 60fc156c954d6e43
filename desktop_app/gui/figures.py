"""Numbers and states put into words: for the status line, below an answer, on a document."""

from PySide6.QtCore import QCoreApplication, QLocale

from desktop_app.chat.events import AgentState, DocumentText, Noise, Progress, Statistics

translate = QCoreApplication.translate

HERE = "this computer"
"""What the engine calls the agent that it started itself."""


def bytes_text(count: int) -> str:
    """A number of bytes, short: 512 B, 1.5 kB, 2.0 MB (powers of 1000)."""
    return QLocale().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def round_trip_text(seconds: float) -> str:
    """A round trip in milliseconds: below ten with one digit behind the point."""
    value = seconds * 1000
    return translate("Figures", "Round trip {number} ms").format(number=f"{value:.1f}" if value < 10 else f"{value:.0f}")


def document_detail(document: DocumentText) -> str:
    """What is known of a document: pages, characters, and the reader's note."""
    parts: list[str] = []
    if document.pages == 1:
        parts.append(translate("Figures", "1 page"))
    elif document.pages > 1:
        parts.append(translate("Figures", "{count} pages").format(count=document.pages))
    if len(document.text) == 1:
        parts.append(translate("Figures", "1 character"))
    else:
        parts.append(translate("Figures", "{count} characters").format(count=QLocale().toString(len(document.text))))
    if document.note:
        parts.append(document.note)
    return " · ".join(parts)


def stage_sentence(progress: Progress) -> str:
    """What is going on before text comes."""
    sentence = {
        "engine": translate("Figures", "Starting the engine …"),
        "model": translate("Figures", "Preparing the model …"),
        "agent": translate("Figures", "Reaching the agent …"),
        "protect": translate("Figures", "Looking for names …"),
        "prompt": translate("Figures", "Reading the question …"),
    }[progress.stage]
    if progress.total > 0:
        return f"{sentence} {min(100, 100 * progress.done // progress.total)} %"
    return sentence


def agent_text(agent: AgentState | None, only_here: bool) -> str:
    """Who runs the middle layers."""
    if only_here:
        return translate("Figures", "Only here: all layers run on this computer")
    if agent is None:
        return translate("Figures", "Agent: not started yet")
    if not agent.connected:
        return translate("Figures", "Agent: not connected")
    if agent.embedded:
        return translate("Figures", "Agent: on this computer")
    return translate("Figures", "Agent: {address}").format(address=agent.address or translate("Figures", "remote"))


def peer_name(peer: str) -> str:
    """Who got what was sent, as the engine calls it: "" is nobody, `HERE` the agent that Sotto runs here."""
    if peer == HERE:
        return translate("Figures", "the agent on this computer")
    return peer or translate("Figures", "nobody")


def traffic_text(statistics: Statistics) -> str:
    """Bytes up and down."""
    return f"↑ {bytes_text(statistics.bytes_up)}   ↓ {bytes_text(statistics.bytes_down)}"


def speed_text(statistics: Statistics) -> str:
    """Tokens per second."""
    return translate("Figures", "{number} tokens/s").format(number=f"{statistics.tokens_per_second:.1f}")


def step_text(statistics: Statistics) -> str:
    """Tokens per step."""
    return translate("Figures", "{number} tokens/step").format(number=f"{statistics.tokens_per_step:.2f}")


def reply_figures(statistics: Statistics) -> str:
    """One line below a finished answer; empty where there is nothing to say."""
    if not statistics.reply_tokens:
        return ""
    return " · ".join([translate("Figures", "{count} tokens").format(count=statistics.reply_tokens), speed_text(statistics)])


def reply_layers(statistics: Statistics) -> str:
    """Where the layers of a finished answer ran."""
    if not statistics.middle_layers:
        return translate("Figures", "All layers ran on this computer.")
    return translate(
        "Figures", "The first {head} and the last {tail} layers ran on this computer, {middle} at the agent."
    ).format(head=statistics.head_layers, tail=statistics.tail_layers, middle=statistics.middle_layers)


def shape_cost(statistics: Statistics) -> str:
    """What shaping the traffic has cost; empty where it was not shaped."""
    if statistics.shape == "off" or not statistics.middle_layers:
        return ""
    return translate("Figures", "Padding: {bytes} of {all}, and {seconds} s after the end of the answer.").format(
        bytes=bytes_text(statistics.padding_bytes),
        all=bytes_text(statistics.bytes_up + statistics.bytes_down),
        seconds=f"{statistics.padding_seconds:.1f}",
    )


def privacy_sentence(
    agent: AgentState | None, only_here: bool, protect: bool, incognito: bool, noise: Noise | None = None
) -> str:
    """The honest line: what protects what is asked here, and what does not."""
    noisy = noise is not None and not only_here
    parts = [_noise_sentence(noise) if noise is not None and noisy else _split_sentence(agent, only_here)]
    if not only_here and not (noise is not None and noise.strict_mu):
        parts.append(
            translate("Figures", "Names and numbers that were found leave as stand-ins; what was not found is not replaced.")
            if protect
            else translate("Figures", "Names and numbers leave as they are written.")
        )
    if incognito:
        parts.append(translate("Figures", "Nothing of this chat is written to disk."))
    return " ".join(parts)


def _noise_sentence(noise: Noise) -> str:
    if noise.rest == "exact":
        return translate(
            "Figures",
            "Names and numbers that were found, and words that you marked, leave under strict noise. Whoever runs the agent can "
            "read everything else, and the answer.",
        )
    sentence = translate(
        "Figures",
        "Every word leaves as a noisy code; but whoever has this model can work out most of the text where answers are still "
        "right. The settings say how much was recovered.",
    )
    if noise.answers == "exact":
        sentence += " " + translate("Figures", "The agent can read the answer.")
    return sentence


def _split_sentence(agent: AgentState | None, only_here: bool) -> str:
    if only_here:
        return translate("Figures", "Only here: every layer runs on this computer and nothing is sent.")
    if agent is not None and agent.connected and not agent.embedded:
        return translate(
            "Figures",
            "The agent gets numbers, not your text; but whoever has this model's public weights can work the text out from them. "
            "The split alone does not protect it.",
        )
    if agent is None or not agent.connected:
        return translate(
            "Figures",
            "No agent is connected at the moment. One gets numbers, not your text; but whoever has this model's public weights "
            "can work the text out from them. The split alone does not protect it.",
        )
    return translate(
        "Figures",
        "No agent is paired, so one runs on this computer. A remote one would get numbers, not your text; but whoever has this "
        "model's public weights can work the text out from them. The split alone does not protect it.",
    )
