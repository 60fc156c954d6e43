"""What the demonstration window shows: questions, answers, people, documents and figures, written for it."""

from desktop_app.chat.events import DocumentText, EngineState, ReplyFailed
from desktop_app.chat.stored import ConversationEntry, NameList, Recovered, StoredConversation, StoredMessage
from tests.helpers.scripted_responder import FIGURES, ScriptedResponder

ANSWER = """\
**Margaret Whitlow** may end the lease early, and so may the other side; they differ in *when*:

| Lease | Tenant | Notice | Early end |
|:--|:--|:-:|:--|
| Harbour Street 4 | Margaret Whitlow | 6 months | Tenant, after year 3 |
| Mill Lane 12 | Dr. Osei | 3 months | Either side |
| Old Brewery | Whitlow & Osei | 1 month | Either side, *any time* |

## What to watch

1. The notice for Harbour Street 4 must reach the landlord **in writing**; an e-mail to margaret@whitlow.example does not count.
2. Mill Lane 12 renews by itself unless one side objects:
   - Dr. Osei by the end of March,
   - the landlord by the end of January.

> Notice is given when the letter arrives, not when it is sent. Margaret knows that.

```python
from datetime import date

tenants = {"Margaret Whitlow": date(2026, 3, 1)}

def last_day(tenant: str, months: int) -> date:
    \"\"\"The last day of the month that lies `months` behind the notice.\"\"\"
    year, month = divmod(tenants[tenant].month + months, 12)
    return date(tenants[tenant].year + year, month + 1, 1)  # then step one day back
```

The rules come from [the tenancy code](https://example.org/tenancy), section 542.
"""
QUESTION = "Margaret Whitlow and Dr. Osei ask who may end which lease, and what to watch. Her number is +44 20 7946 0018."
PEOPLE = {
    "Margaret Whitlow": ("person", "Eleanor Hartley"),
    "Whitlow": ("person", "Hartley"),
    "Margaret": ("person", "Eleanor?"),
    "Dr. Osei": ("person", "Dr. Bennett"),
    "Osei": ("person", "Bennett"),
    "Harbour Street 4": ("address", "Orchard Road 9"),
    "Mill Lane 12": ("address", "Station Road 31"),
    "margaret@whitlow.example": ("email", "eleanor@hartley.example"),
    "+44 20 7946 0018": ("phone", "+44 20 7946 0853"),
    "Northgate Estates": ("organisation", "Fairfield Holdings"),
    "GB33BUKB20201555555555": ("iban", "GB94BARC10201530093459"),
}
KOREAN = """\
**김지우** 님과 박서준 님의 계약은 주로 *누가, 언제* 해지할 수 있는지가 다릅니다.

| 계약 | 임차인 | 기간 | 통지 |
|:--|:--|--:|:-:|
| 항구로 4 | 김지우 | 5년 | 6개월 |
| 방앗간길 12 | 박서준 | 2년 | 3개월 |

1. 항구로 4 계약의 통지는 **서면**으로 도착해야 합니다. 김지우는 3월 말까지 보내야 합니다.
2. 방앗간길 12 계약은 이의가 없으면 자동으로 갱신됩니다. 지우에게 알려 주세요.

```python
print("김지우")  # 임차인
```
"""
KOREAN_QUESTION = "김지우 씨와 박서준 씨의 임대차 계약은 어떻게 다른가요? 김지우 씨 번호는 010-0000-1234입니다."
KOREAN_PEOPLE = {
    "김지우": ("person", "이하은"),
    "박서준": ("person", "최민재"),
    "지우": ("person", "하은?"),
    "항구로 4": ("address", "과수원로 9"),
    "방앗간길 12": ("address", "역전길 31"),
    "010-0000-1234": ("phone", "010-0000-5791"),
    "한빛부동산": ("organisation", "새빛개발"),
}
LEASES = """\
LEASE

Between Northgate Estates (the landlord) and Margaret Whitlow (the tenant), Harbour Street 4.

1. The rent is paid to GB33BUKB20201555555555 on the first day of each month.
2. The tenant may end the lease after its third year with six months' notice in writing.

Signed: Margaret Whitlow, margaret@whitlow.example
""" + "\n".join(f"{number}. A clause that says something about the house." for number in range(3, 300))
DOCUMENT = DocumentText(name="leases 2026.pdf", text=LEASES, pages=12)
SCAN = "scan.pdf holds pictures of pages and no text. Choose a file whose text can be selected."
GONE = ReplyFailed(
    sentence="The agent has gone away in mid-answer. Ask again; Sotto starts a new one.", kind="interrupted", statistics=FIGURES
)
DEAD = EngineState(running=False, sentence="The engine has stopped unexpectedly. All text is kept; a new one is being started.")
COMMAND = "sotto audit --head 4 --tail 2"
FIGURES_OF_ATTACKS = [
    Recovered(attack="tail_completion", of="reply", weights="public", share=1.0, low=0.99, high=1.0, prior_only=0.31),
    Recovered(attack="exact_search", of="prompt", weights="public", share=0.997, low=0.981, high=1.0, prior_only=0.12),
    Recovered(attack="canary", of="prompt", weights="public", unit="values", protect=True, high=0.06),
    Recovered(attack="sequence_inverter", of="prompt", weights="private ends", share=0.44, low=0.38, high=0.5, prior_only=0.12),
    Recovered(attack="learned_inverter", of="prompt", weights="private ends", share=0.21, low=0.15, high=0.28, prior_only=0.12),
    Recovered(attack="traffic", of="prompt", weights="public", measured=False, command=COMMAND),
]
FIGURES_OF_NOISE = [
    Recovered(attack=attack, of=of, weights="public", share=share, low=share - 0.05, high=share + 0.05, prior_only=prior, mu=40.0,
              utility=utility)
    for attack, of, share, prior, utility in (
        ("map_with_model", "prompt", 0.83, 0.06, False),
        ("map", "prompt", 0.55, 0.06, False),
        ("agreement", "reply", 0.81, 0.64, True),
        ("gain", "reply", 0.47, 0.05, True),
    )
]  # fmt: skip


def fill(responder: ScriptedResponder, korean: bool) -> None:
    """Give the scripted engine people, lists, past chats and figures."""
    responder.people = dict(KOREAN_PEOPLE if korean else PEOPLE)
    responder.documents = {DOCUMENT.name: DOCUMENT, "scan.pdf": SCAN}
    responder.figures = [*FIGURES_OF_ATTACKS, *FIGURES_OF_NOISE]
    titles = (
        ("임대차 계약 비교", "의뢰인 서신 번역", "의무 기록 요약", "이사회 회의록")
        if korean
        else ("Notice periods in the Whitlow leases", "Letter to Northgate Estates", "Summary of the discharge report", "Minutes")
    )
    for number, title in enumerate(titles):
        changed = 1_779_900_000.0 - 90_000.0 * number
        entry = ConversationEntry(identity=f"past-{number}", title=title, created=changed, changed=changed)
        asked = StoredMessage(identity=f"q{number}", parent="", role="user", text=title)
        responder.archive.keep(StoredConversation(entry=entry, messages=[asked]))
    name = "의뢰인" if korean else "Clients"
    values = ["김태형", "박서윤", "한빛부동산"] if korean else ["Amelia Whitlow", "Kwame Osei", "Fairweather"]
    responder.archive.lists = {
        name: NameList(name=name, kind="person", values=values),
        "Projects": NameList(name="Projects" if not korean else "프로젝트", kind="other", values=["Heron", "Blue Harbour"]),
    }
