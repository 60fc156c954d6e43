"""Has the starter model in the user's data folder, and shows how it comes. Runs in the project's own environment."""

import sys

from desktop_app.model.errors import ModelError
from desktop_app.model.starter import NAME, starter_model
from desktop_app.settings.paths import user_paths
from installers.progress import Progress
from remote_agent.segment.errors import SegmentError


def main() -> int:
    """Fetch the model if it is not there; returns the exit status, a failure's sentence goes to standard error."""
    progress = Progress()
    models = user_paths().models
    has_come = False

    def show(done: int, total: int) -> None:
        nonlocal has_come
        progress.download(f"starter model {NAME}", done if has_come else 0, total)
        has_come = True

    try:
        path = starter_model(models, show)
    except (ModelError, SegmentError, OSError) as error:
        progress.end()
        print(f"\n{error}", file=sys.stderr)
        return 1
    if has_come:
        progress.say(f"The starter model is in {path.parent}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
