"""Words with a capital, in the alphabets that have capitals: what recognisers of names and addresses are made of."""

from desktop_app.privacy.language.word_sets import words

_CAPITALS = "".join(
    letter
    for code in (*range(0x41, 0x5B), *range(0xC0, 0x590), *range(0x1E00, 0x2000))
    if (letter := chr(code)).isupper() or letter.istitle()
)
UPPER = f"[{_CAPITALS}]"
# A word as names have them: O'Brien, Müller-Lüdenscheidt, McPherson, SEINÄJOKI.
CAPITAL_WORD = rf"{UPPER}[^\W\d_]*(?:['’-][^\W\d_]+)*"
# What stands in lower case within a name: Rosa de la Cruz, Omar bin Said, Jan op 't Hof.
NAME_PARTICLES = words("""
    de da do das dos del della delle dei degli di du des d' la las le les los el al van von zu zum zur vom der den dem ter ten te
    't op het bin ibn bint ben abu af av
""")
# And within the name of a street or a town: Via dei Fiori, Stoke on Trent, Frankfurt am Main.
PARTICLES = NAME_PARTICLES | words("e y i et und og and na nad pod am an im in on upon sur sous saint santa san st 's")


def is_capital(word: str) -> bool:
    """Whether a word begins with a capital letter."""
    return word[:1].isupper() or word[:1].istitle()
