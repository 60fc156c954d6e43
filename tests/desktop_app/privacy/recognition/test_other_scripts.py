"""Names in scripts that no model here reads are found within other text, and by titles within text of their own."""

import pytest

from desktop_app.privacy.recognition import other_scripts
from tests.helpers.found_spans import found_by, left


@pytest.mark.parametrize(
    "name", ["王小明", "山田太郎", "金哲洙", "محمد عبد الله", "משה כהן", "สมชาย ใจดี", "राम कुमार", "マイケル・ジャクソン", "يوسف"]
)
@pytest.mark.parametrize(
    "around", ["Please call {} today", "환자 {}을 진료했다", "Name of the patient\n{}", "| Full name of patient | {} | 12 |"]
)
def test_a_name_within_other_text_is_found_whole(name: str, around: str) -> None:
    text = around.format(name)
    assert left(text, other_scripts.find(text)) == left(around.format(""), [])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("昨天下午王小明先生来到医院进行了一次全面的身体检查并且取得了报告", "王小明"),
        ("昨日の午後に山田太郎さんが病院に来て検査を受けましたので報告します", "山田太郎"),
        ("你好，我叫李雷，我想咨询一下关于租房合同里押金条款的法律问题，谢谢", "李雷"),
        ("زار السيد يوسف حداد المستشفى أمس وأجرى فحصا شاملا ثم عاد إلى بيته", "يوسف حداد"),
        ("เมื่อวานนี้ คุณสมชาย ใจดี มาที่โรงพยาบาลเพื่อตรวจร่างกายประจำปี", "สมชาย ใจดี"),
    ],
)
def test_within_text_of_its_own_a_title_tells(text: str, name: str) -> None:
    assert any(name in found for found in found_by(other_scripts.find, text))


@pytest.mark.parametrize("text", ["", "Anna Meyer", "김철수는", "Ольга", "今天天气很好", "请帮我写一封信", "كيف حالك"])
def test_other_text_is_left_alone(text: str) -> None:
    assert found_by(other_scripts.find, text) == []
