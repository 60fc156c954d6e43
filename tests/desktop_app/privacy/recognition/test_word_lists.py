"""A person's own lists: values are found however they are written, lists of any length load, and bad files are sentences."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.privacy.errors import ListUnreadable
from desktop_app.privacy.language.reading import Reading
from desktop_app.privacy.recognition.word_lists import WordLists, left_out_sentence, values_from_file
from desktop_app.privacy.spans import Kind
from tests.helpers.found_spans import values


def found(lists: WordLists, text: str) -> set[str]:
    assert Reading(text).text == text
    return set(values(text, lists.find(text)))


def one(value: str, kind: Kind = Kind.OTHER) -> WordLists:
    return WordLists({value: kind})


@pytest.mark.parametrize(
    ("value", "text", "written"),
    [
        ("Harlan Voss", "HARLAN  VOSS'S house", "HARLAN  VOSS"),
        ("Harlan Voss", "by harlan\nvoss", "harlan\nvoss"),
        ("O'Brien", "the O’Brien file", "O’Brien"),
        ("José García", "Jose Garcia came", "Jose Garcia"),
        ("Straße", "STRASSE 5", "STRASSE"),
        ("Project Orion", "project-orion_v2", "project-orion"),
        ("C++", "in C++ now", "C"),
        ("김철수", "김철수에게서는", "김철수"),
        ("김철수", "우리김철수님", "김철수"),
        ("하늘", "하늘은 맑다", "하늘"),
        ("金哲洙", "昨日金哲洙先生", "金哲洙"),
        ("010-1234-5678", "01012345678로", "01012345678"),
        ("LG전자", "LG전자가", "LG전자"),
    ],
)
def test_a_value_is_found_however_it_is_written(value: str, text: str, written: str) -> None:
    assert written in found(one(value), text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Ann", "Anna and annual"),
        ("하늘", "하늘색 옷"),
        ("Will", "I will come"),
        ("Anna Meyer", "Anna. Meyer said"),
        ("Anna Meyer", "Anna\n\nMeyer"),
        ("orion", ""),
    ],
)
def test_a_part_of_another_word_or_sentence_is_not(value: str, text: str) -> None:
    assert found(one(value), text) == set()


def test_a_name_that_is_a_common_word_is_found_with_its_capital() -> None:
    assert found(one("will", Kind.PERSON), "Will you, WILL?") == {"Will", "WILL"}


def test_a_persons_name_is_found_by_its_parts_and_turned() -> None:
    lists = one("Anna Meyer", Kind.PERSON)
    assert found(lists, "Meyer, Anna; Ms Meyer, Anna's, a meyer") == {"Meyer, Anna", "Meyer", "Anna"}
    assert found(one("Anna Meyer"), "Ms Meyer") == set()


def test_in_a_list_of_names_nobody_is_turned_round() -> None:
    assert (
        values("Anna Meyer, Anna Meyer", one("Anna Meyer", Kind.PERSON).find("Anna Meyer, Anna Meyer")).count("Meyer, Anna") == 0
    )


def test_what_is_never_replaced_is_told_apart() -> None:
    lists = WordLists({"Orion": Kind.OTHER}, never=["Sirius"])
    assert values("Orion, Sirius", lists.find("Orion, Sirius")) == ["Orion"]
    assert values("Orion, Sirius", lists.find_never("Orion, Sirius")) == ["Sirius"]


NAMES = st.lists(st.from_regex(r"[A-Z][a-z]{3,8} [A-Z][a-z]{3,8}", fullmatch=True), min_size=1, max_size=20, unique=True)


@settings(max_examples=60)
@given(NAMES, st.data())
def test_every_value_of_a_list_is_found_between_other_words(names: list[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(names))
    behind = data.draw(st.sampled_from(["", "'s", ".", ",", ")", "은", "에게"]))
    assert name in found(WordLists(dict.fromkeys(names, Kind.OTHER)), f"it was {name}{behind} then")


def test_a_hundred_thousand_values_are_as_good_as_one() -> None:
    names = [f"{chr(0xAC00 + number % 3000)}{chr(0xB000 + number // 3000)}산업" for number in range(100_000)]
    lists = WordLists(dict.fromkeys(names, Kind.ORGANISATION))
    text = "그리고 " * 2000 + f"{names[77_777]}에서 "
    assert found(lists, text) == {names[77_777]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
def test_a_text_file_holds_one_value_a_line(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "names.txt"
    file.write_bytes("Harlan Voss\r\n\n  김철수  \nHarlan Voss\n이영희와 박민수의 긴 회사 이름\n".encode(encoding))
    assert values_from_file(file).values == ["Harlan Voss", "김철수", "이영희와 박민수의 긴 회사 이름"]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_csv_file_holds_one_value_a_cell(tmp_path: Path, sign: str) -> None:
    file = tmp_path / "customers.csv"
    file.write_text(
        "\n".join(sign.join(row) for row in (["Voss", "Harlan", "17"], ['"Meyer & Sons"', "Anna", "yes"])), encoding="utf-8"
    )
    assert values_from_file(file).values == ["Voss", "Harlan", "Meyer & Sons", "Anna"]


def test_a_list_is_made_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "projects.txt"
    file.write_text("Orion\n", encoding="utf-8")
    assert WordLists(dict.fromkeys(values_from_file(file).values, Kind.OTHER)).always == {"Orion": Kind.OTHER}


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\x00\x01\x02", b"x"])
def test_a_file_without_names_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "list.txt"
    file.write_bytes(content)
    with pytest.raises(ListUnreadable, match=r"list\.txt .*\."):
        values_from_file(file)


def test_a_file_that_is_not_there_or_a_folder_is_a_sentence(tmp_path: Path) -> None:
    for path in (tmp_path / "gone.txt", tmp_path):
        with pytest.raises(ListUnreadable, match="could not be read"):
            values_from_file(path)


@pytest.mark.parametrize(
    "stray",
    ['"Ida Stray', 'Ida "Stray" Voss,x', '"Ida" Stray,y', 'Ida Stray"', '"'],
)
def test_a_stray_quote_loses_no_name(tmp_path: Path, stray: str) -> None:
    file = tmp_path / "staff.csv"
    names = [f"Person {chr(97 + number // 26)}{chr(97 + number % 26)}, Anna" for number in range(400)]
    lines = [f'"{name}",Kelby' for name in names]
    file.write_text("\n".join([*lines[:200], stray, *lines[200:]]), encoding="utf-8")
    read = values_from_file(file)
    assert set(names) <= set(read.values)
    assert (any("Stray" in value for value in read.values)) == ("Stray" in stray)


def test_a_cell_of_several_lines_is_one_value_and_each_of_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "staff.csv"
    file.write_text('name,town\n"Harlan\nVoss",Kelby\n', encoding="utf-8")
    assert {"Harlan Voss", "Harlan", "Voss"} <= set(values_from_file(file).values)


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    file = tmp_path / "staff.csv"
    file.write_text(f"Harlan Voss,yes,12\n{'a' * 201},x,\n", encoding="utf-8")
    read = values_from_file(file)
    assert (read.values, read.left_out) == (["Harlan Voss"], 4)
    assert left_out_sentence(1, 4).startswith("1 values were read, and 4 entries left out: ")
    file.write_text("Harlan Voss,Kelby\n", encoding="utf-8")
    assert values_from_file(file).left_out == 0


@given(st.lists(st.from_regex(r"[a-zA-Z가-힣,;\"' ]{1,12}", fullmatch=True), max_size=8), st.sampled_from([".txt", ".csv"]))
@settings(max_examples=60, deadline=None)
def test_every_word_of_a_file_is_read_or_counted(tmp_path_factory: pytest.TempPathFactory, lines: list[str], suffix: str) -> None:
    file = tmp_path_factory.mktemp("lists") / f"names{suffix}"
    file.write_text("\n".join(["Harlan Voss", *lines]), encoding="utf-8")
    read = values_from_file(file)
    lost = set(re.findall(r"\w+", " ".join(lines))) - set(re.findall(r"\w+", " ".join(read.values)))
    assert len(lost) <= read.left_out * 12
