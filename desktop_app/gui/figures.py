"""Numbers and states put into words: for the status line, below an answer, on a document."""

from PySide6.QtCore import QCoreApplication, QLocale

from desktop_app.chat.events import AgentState, DocumentText, Progress, Statistics


def _tr(text: str) -> str:
    return QCoreApplication.translate("Figures", text)


def bytes_text(count: int) -> str:
    """A number of bytes, short: 512 B, 1.5 kB, 2.0 MB (powers of 1000)."""
    return QLocale().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def milliseconds_text(seconds: float) -> str:
    """Seconds as milliseconds: below ten with one digit behind the point."""
    value = seconds * 1000
    return f"{value:.1f} ms" if value < 10 else f"{value:.0f} ms"


def document_detail(document: DocumentText) -> str:
    """What is known of a document: pages, characters, and the reader's note."""
    parts: list[str] = []
    if document.pages == 1:
        parts.append(_tr("1 page"))
    elif document.pages > 1:
        parts.append(_tr("{count} pages").format(count=document.pages))
    parts.append(_tr("{count} characters").format(count=QLocale().toString(len(document.text))))
    if document.note:
        parts.append(document.note)
    return " · ".join(parts)


def stage_sentence(progress: Progress) -> str:
    """What is going on before text comes."""
    sentence = {
        "engine": _tr("Starting the engine …"),
        "model": _tr("Preparing the model …"),
        "agent": _tr("Reaching the agent …"),
        "prompt": _tr("Reading the question …"),
    }[progress.stage]
    if progress.total > 0:
        return f"{sentence} {min(100, 100 * progress.done // progress.total)} %"
    return sentence


def agent_text(agent: AgentState | None, only_here: bool) -> str:
    """Who runs the middle layers."""
    if only_here:
        return _tr("Only here: all layers run on this computer")
    if agent is None:
        return _tr("Agent: not started yet")
    if not agent.connected:
        return _tr("Agent: not connected")
    if agent.embedded:
        return _tr("Agent: on this computer")
    return _tr("Agent: {address}").format(address=agent.address or _tr("remote"))


def traffic_text(statistics: Statistics) -> str:
    """Bytes up and down."""
    return f"↑ {bytes_text(statistics.bytes_up)}   ↓ {bytes_text(statistics.bytes_down)}"


def speed_text(statistics: Statistics) -> str:
    """Tokens per second."""
    return _tr("{number} tokens/s").format(number=f"{statistics.tokens_per_second:.1f}")


def step_text(statistics: Statistics) -> str:
    """Tokens per step."""
    return _tr("{number} tokens/step").format(number=f"{statistics.tokens_per_step:.2f}")


def reply_figures(statistics: Statistics) -> str:
    """One line below a finished answer; empty where there is nothing to say."""
    if not statistics.reply_tokens:
        return ""
    parts = [_tr("{count} tokens").format(count=statistics.reply_tokens), speed_text(statistics)]
    if statistics.middle_layers:
        parts.append(f"{statistics.head_layers} + {statistics.middle_layers} + {statistics.tail_layers}")
    return " · ".join(parts)


def privacy_sentence(agent: AgentState | None, only_here: bool) -> str:
    """The honest line: what the split protects from, and what not."""
    if only_here:
        return _tr("Only here: every layer runs on this computer and nothing is sent.")
    limit = _tr(
        "The agent gets numbers, not your text; but whoever has this model's public weights can work the text out from them. "
        "The split alone does not protect it."
    )
    if agent is not None and agent.connected and not agent.embedded:
        return limit
    return _tr("No agent is paired, so one runs on this computer.") + " " + _tr("With a remote one:") + " " + limit
