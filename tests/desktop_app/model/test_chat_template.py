"""Templates are run in a sandbox, and conversations fitted to what they take."""

import pytest

from desktop_app.model.chat_template import ChatTemplate, TemplateRefused, folded, joined
from desktop_app.model.errors import UnsupportedTokenizer

PLAIN = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}"
NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}" + PLAIN
DROPS_SYSTEM = PLAIN.replace("{% for m in messages %}", "{% for m in messages if m.role != 'system' %}")
CONVERSATION = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}]


def test_a_conversation_ends_where_the_model_goes_on() -> None:
    assert ChatTemplate(PLAIN, {}).render(CONVERSATION) == "[system]Be brief.[user]Hello[assistant]"


@pytest.mark.parametrize("template", [NO_SYSTEM, DROPS_SYSTEM], ids=["refuses", "drops"])
def test_a_system_turn_that_the_template_does_not_take_goes_into_the_first_user_turn(template: str) -> None:
    assert ChatTemplate(template, {}).render(CONVERSATION) == "[user]Be brief.\n\nHello[assistant]"
    assert ChatTemplate(template, {}).render(CONVERSATION[:1]) == "[user]Be brief.[assistant]"


def test_neighbours_of_one_role_are_joined() -> None:
    turns = [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}, {"role": "assistant", "content": "c"}]
    assert joined(turns) == [{"role": "user", "content": "a\n\nb"}, {"role": "assistant", "content": "c"}]
    assert turns[0]["content"] == "a"


def test_folding_keeps_what_is_there() -> None:
    turns = [{"role": "system", "content": "s"}, {"role": "assistant", "content": "a"}]
    assert folded(turns) == [{"role": "user", "content": "s"}, {"role": "assistant", "content": "a"}]


def test_the_dialect_of_hugging_face_is_understood() -> None:
    source = (
        "{%- for m in messages %}{% if loop.index > 1 %}{% break %}{% endif %}"
        "{% generation %}{{ m.content | tojson }}{% endgeneration %}{% endfor %}{{ bos_token }}{{ strftime_now('%Y') | length }}"
    )
    turns = [{"role": "user", "content": "né"}, {"role": "assistant", "content": "x"}]
    assert ChatTemplate(source, {"bos_token": "<s>"}).render(turns) == '"né"<s>4'


@pytest.mark.parametrize(
    "source",
    [
        "{{ messages.__class__.__mro__[1].__subclasses__() }}",
        "{{ ''.__class__.__base__.__subclasses__() }}",
        "{{ messages.append(1) }}",
        "{% include '/etc/passwd' %}",
        "{{ 1 // 0 }}",
        "{{ raise_exception('no') }}",
    ],
)
def test_a_template_cannot_reach_out_and_its_errors_are_sentences(source: str) -> None:
    with pytest.raises(TemplateRefused, match="Start a new chat"):
        ChatTemplate(source, {}).render(CONVERSATION)


def test_a_broken_template_is_a_sentence() -> None:
    with pytest.raises(UnsupportedTokenizer, match="damaged"):
        ChatTemplate("{% if %}", {})
