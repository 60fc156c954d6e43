"""SIGKILL for engine, window or both while an answer streams: the archive opens, nothing older than a second is lost."""

from pathlib import Path

import pytest

from tests.benchmarks.kills import LOST_AT_MOST, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


def test_after_ten_kills_the_archive_opens_with_all_but_the_last_second_and_no_file_holds_a_word(
    tmp_path: Path, models_directory: Path, starter_model: Path
) -> None:
    kills = run(tmp_path, models_directory, 10, seed=7)
    assert all(kill.opened and kill.question_kept for kill in kills)
    assert max(kill.lost_seconds for kill in kills) <= LOST_AT_MOST
    assert [kill.plain_files for kill in kills] == [[]] * 10
