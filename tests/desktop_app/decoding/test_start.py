from hypothesis import given
from hypothesis import strategies as st

from desktop_app.decoding.start import Start

TOKENS = st.lists(st.integers(0, 2), max_size=8)


def start_of(tokens: list[int]) -> Start:
    return Start(1, 99, tuple((10 + index, token) for index, token in enumerate(tokens)))


@given(TOKENS, TOKENS.filter(bool))
def test_reuses_the_common_prefix_but_never_the_last_prompt_token(held: list[int], prompt: list[int]) -> None:
    reused = start_of(held).reusable(prompt)
    assert held[:reused] == prompt[:reused]
    assert reused < len(prompt)
    assert reused == len(prompt) - 1 or held[reused : reused + 1] != prompt[reused : reused + 1]


def test_new_session_reuses_nothing() -> None:
    assert Start().reusable([1, 2, 3]) == 0
