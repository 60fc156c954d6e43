"""All errors of the model room are caught as one."""

from desktop_app.model.errors import DownloadFailed, ModelError, NoModel, UnsupportedTokenizer


def test_every_error_has_the_rooms_base() -> None:
    assert all(issubclass(kind, ModelError) for kind in (NoModel, DownloadFailed, UnsupportedTokenizer))
