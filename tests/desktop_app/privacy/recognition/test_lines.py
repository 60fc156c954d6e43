"""Models read line by line, and a Korean word that is cut by the end of a line also as a whole."""

from desktop_app.privacy.recognition.lines import Line, lines_of
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind


def test_lines_without_words_are_left_out() -> None:
    assert [line.text for line in lines_of("Anna Meyer\n12 34\n\n- -\nBerlin")] == ["Anna Meyer", "Berlin"]


def test_a_korean_word_cut_by_a_full_line_is_read_as_one() -> None:
    text = "오늘 오후에 진료실에서 만난 환자 김지\n 훈은 건강하다"
    cut = list(lines_of(text))[-1]
    assert cut.text == "환자 김지훈은 건강하다"
    start = cut.text.index("김지훈")
    (found,) = cut.placed([Found(start, start + 3, Kind.PERSON)])
    assert text[found.start : found.end] == "김지\n 훈"


def test_of_what_is_read_over_a_cut_only_what_stands_across_it_counts() -> None:
    line = Line(10, "환자 김지훈은", cut=5, skipped=1)
    assert list(line.placed([Found(0, 2, Kind.PERSON), Found(3, 6, Kind.PERSON)])) == [Found(13, 17, Kind.PERSON)]


def test_cells_of_a_form_are_not_joined() -> None:
    assert [line.text for line in lines_of("이름\n김지훈")] == ["이름", "김지훈"]
