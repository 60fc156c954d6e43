"""A run's losses as a picture (SVG), which any browser shows: each step's, and their moving mean."""

from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT, MARGIN = 720, 320, 48
WINDOW = 20  # steps of the mean


def curve_svg(title: str, losses: Sequence[float]) -> str:
    """The picture; losses that are not finite are left out."""
    finite = [(step, loss) for step, loss in enumerate(losses, start=1) if abs(loss) < float("inf")]
    low, high = min((loss for _, loss in finite), default=0.0), max((loss for _, loss in finite), default=1.0)
    high = high if high > low else low + 1.0

    def place(step: int, loss: float) -> str:
        across = MARGIN + (WIDTH - 2 * MARGIN) * (step - 1) / max(1, len(losses) - 1)
        down = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (loss - low) / (high - low)
        return f"{across:.1f},{down:.1f}"

    means = []
    for place_in, (step, _) in enumerate(finite):
        window = [loss for _, loss in finite[max(0, place_in - WINDOW + 1) : place_in + 1]]
        means.append((step, sum(window) / len(window)))
    lines = [
        f'<polyline fill="none" stroke="{colour}" stroke-width="{width}" points="{" ".join(place(*point) for point in points)}"/>'
        for colour, width, points in (("#b8c8c6", 1, finite), ("#1f6b65", 2, means))
    ]
    labels = [
        f'<text x="{MARGIN}" y="{MARGIN - 20}" font-size="15">{escape(title)}</text>',
        f'<text x="4" y="{MARGIN}" font-size="11">{high:.3g}</text>',
        f'<text x="4" y="{HEIGHT - MARGIN}" font-size="11">{low:.3g}</text>',
        f'<text x="{WIDTH - MARGIN}" y="{HEIGHT - 16}" font-size="11" text-anchor="end">{len(losses)} steps</text>',
    ]
    body = "\n".join([*labels, *lines])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n{body}\n</svg>\n'
    )
