"""Names in scripts without capitals that no model here reads: Chinese, Japanese, Arabic, Hebrew, Thai, Devanagari.

Within an English or Korean text a few such words are nearly always somebody's name, so all of them count. In a text of such a
script only titles, words like "my name is" and Chinese family names tell; whoever works in these languages needs a model for
them (`names.NameRecogniser`) or a list.
"""

import re
from collections.abc import Iterator

from desktop_app.privacy.language.word_sets import alternatives, words
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind

SHORT = 30  # characters: as long as a name may be
_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_KANA = "\u3040-\u30ff"
_SPACED = "\u0590-\u05ff\u0600-\u06ff\u0750-\u077f\u0900-\u097f"  # Hebrew, Arabic, Devanagari: words have blanks between them
_THAI = "\u0e01-\u0e4e"
_ANY = f"{_HAN}{_KANA}{_SPACED}{_THAI}"
_RUN = re.compile(rf"[{_ANY}]+(?:[ ·・‧'’.-][{_ANY}]+)*")
_SCRIPT = re.compile(f"[{_ANY}]")
_DENSE = re.compile(f"[{_HAN}가-힣]")
_OTHER = re.compile(rf"[^\W\d_{_ANY}]")

_FAMILIES = "".join(
    sorted(
        words("""
    王 李 张 張 刘 劉 陈 陳 杨 楊 赵 趙 黄 黃 周 吴 吳 徐 孙 孫 胡 朱 高 林 何 郭 马 馬 罗 羅 梁 宋 郑 鄭 谢 謝 韩 韓 唐 冯 馮
    于 董 萧 蕭 程 曹 袁 邓 鄧 许 許 傅 沈 曾 彭 吕 呂 苏 蘇 卢 盧 蒋 蔣 蔡 贾 賈 丁 魏 薛 叶 葉 阎 閻 余 潘 杜 戴 夏 钟 鍾 汪
    田 任 姜 范 方 石 姚 谭 譚 廖 邹 鄒 熊 金 陆 陸 郝 孔 白 崔 康 毛 邱 秦 江 史 顾 顧 侯 邵 孟 龙 龍 万 萬 段 雷 钱 錢 汤 湯
    尹 黎 易 常 武 乔 喬 贺 賀 赖 賴 龚 龔 文
""")
    )
)
_TITLES = alternatives(
    "先生, 女士, 小姐, 太太, 医生, 醫生, 大夫, 教授, 律师, 律師, 老师, 老師, 经理, 總裁, さん, 様, 氏, くん, 君, ちゃん, 先輩"
)
PATTERNS = (
    # 王小明先生, 山田太郎さん
    re.compile(rf"(?P<name>[{_HAN}{_KANA}]{{1,5}}){_TITLES}"),
    # 我叫王小明, 氏名：山田太郎, 患者張偉
    re.compile(
        r"(?:我叫|名叫|姓名|患者|病人|原告|被告|氏名|名前は|私は)[:：は]?[ ]?"
        rf"(?P<name>[{_FAMILIES}][{_HAN}]{{1,2}}|[{_HAN}]{{2,5}}(?![{_HAN}]))"
    ),
    # 王小明 by itself: a family name and one or two letters between marks
    re.compile(rf"(?<![{_HAN}{_KANA}])(?P<name>[{_FAMILIES}][{_HAN}]{{1,2}})(?![{_HAN}{_KANA}])"),
    # Arabic, Hebrew and Hindi titles, and what they stand before
    re.compile(
        rf"(?:السيد|السيدة|الدكتور|الدكتورة|د\.|اسمي|מר|גב['׳]|ד[\"״]ר|פרופ['׳]|שמי|श्री|श्रीमती|डॉ\.?|मेरा नाम)[ ]"
        rf"(?P<name>[{_SPACED}]+(?:[ ][{_SPACED}]+)?)"
    ),
    # Thai ones
    re.compile(rf"(?:นาย|นางสาว|นาง|คุณ|ดร\.?|นพ\.|ชื่อ)[ ]?(?P<name>[{_THAI}]{{2,15}}(?:[ ][{_THAI}]{{2,20}})?)"),
)


def find(text: str) -> Iterator[Found]:
    """Find such names in a `Reading`'s text; what is found may overlap."""
    if _SCRIPT.search(text) is None:
        return
    mostly_other = _share(text) < 0.5
    for line in re.finditer(r"[^\n]+", text):
        if mostly_other or 0 < _share(line[0]) < 0.5:
            for run in _RUN.finditer(line[0]):
                if len(run[0]) <= SHORT:
                    yield Found(line.start() + run.start(), line.start() + run.end(), Kind.PERSON)
    for pattern in PATTERNS:
        for match in pattern.finditer(text):
            yield Found(match.start("name"), match.end("name"), Kind.PERSON)


def _share(text: str) -> float:
    """Which part of the words of a text is of these scripts; a word is two letters of Han or Hangul, five of an alphabet."""
    foreign, other = _words_in(_SCRIPT.findall(text)), _words_in(_OTHER.findall(text))
    return foreign / (foreign + other) if foreign else 0.0


def _words_in(letters: list[str]) -> float:
    dense = sum(1 for letter in letters if _DENSE.match(letter))
    return dense / 2 + (len(letters) - dense) / 5
