"""A text that no recogniser reads is told by its letters, whatever the script; one that is read is not."""

import pytest

from desktop_app.privacy.language.unread_scripts import unread_scripts, unread_sentence


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("我昨天在北京见到了王小明的母亲。", "Chinese"),
        ("昨日、山田さんの母親に会いました。", "Japanese"),
        ("التقيت أمس بوالدة أحمد في القاهرة", "Arabic"),
        ("פגשתי אתמול את אמא של דוד בירושלים", "Hebrew"),
        ("เมื่อวานผมพบแม่ของสมชายที่กรุงเทพ", "Thai"),
        ("कल मैं दिल्ली में राहुल की माँ से मिला", "Devanagari"),
        ("გუშინ თბილისში გიორგის დედა ვნახე", "Georgian"),
        ("Երեկ Երևանում հանդիպեցի Արամի մորը", "Armenian"),
        ("நேற்று சென்னையில் குமாரை சந்தித்தேன்", "Tamil"),
        ("ትናንት በአዲስ አበባ አበበን አገኘሁት", "Ethiopic"),
    ],
)
def test_a_text_in_a_script_that_is_not_read_is_told(text: str, script: str) -> None:
    assert unread_scripts([text]) == [script]
    assert script in unread_sentence([script])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Plain English, café, naïve, Straße, ﬁne, Ａｎｎ, 5 µm, 300 Ω, Việt Nam",
        "어제 서울에서 김철수의 어머니를 만났다. ㅋㅋㅋㅋㅋㅋㅋㅋ",
        "Вчера в Москве я встретил мать Ивана. Χθες στην Αθήνα",
        "The word 道 (dao) in passing, and 🙂🙂🙂🙂🙂🙂🙂",
        "١٢٣٤٥٦٧٨٩",
    ],
)
def test_what_is_read_and_a_word_in_passing_is_not(text: str) -> None:
    assert unread_scripts([text]) == []


def test_several_scripts_come_the_most_frequent_first_and_count_over_all_texts() -> None:
    texts = ["王小明的", "母亲在北京", "פגשתי את"]
    assert unread_scripts(texts) == ["Chinese", "Hebrew"]
    assert unread_scripts(texts[:1]) == []
