"""Titles of persons in Latin letters: they stand before a name, or behind it, and are no part of it."""

from desktop_app.privacy.language.word_sets import words

FEMALE_TITLES = words("""
    mrs ms miss madam madame mme mademoiselle mlle lady dame frau fräulein mevrouw mevr fru señora senora señorita srta senhora
    sra signora signorina doña sister aunt auntie queen princess
""")
MALE_TITLES = words("""
    mr mister messrs sir lord herr monsieur signor signore señor senor senhor sr meneer dhr brother uncle father king prince
    sheikh
""")
OTHER_TITLES = words("""
    mx dr doctor prof professor rev revd reverend hon judge justice captain capt colonel col major general gen admiral commander
    corporal sergeant sgt lieutenant lt officer constable inspector detective marshal sheriff agent nurse matron midwife paramedic
    president minister senator governor councillor councilman congressman congresswoman chancellor mayor ambassador chief coach
    pastor vicar deacon rabbi imam bishop archbishop cardinal attorney counsel dipl ing
""")
# Behind a name, of lists too: "Meyer, Anna, Dr".
SUFFIXES = words("jr sr ii iii iv md phd esq mba dds rn mr mrs ms mx dr prof")
# People are called so as well: where a name follows, these may be a part of it.
NAMES_TOO = words("""
    prince princess king queen judge justice major marshal general bishop cardinal deacon chancellor lord dame constable sheikh
    governor mayor chief agent president minister coach
""")
# With a capital and a name behind them these are a title and hardly anything else.
BEFORE_NAMES = (FEMALE_TITLES | MALE_TITLES | OTHER_TITLES) - NAMES_TOO | words("judge justice")


def is_title(word: str) -> bool:
    """Whether a word, in whatever case and with a point or without, is a title."""
    lower = word.casefold().rstrip(".")
    return lower in FEMALE_TITLES or lower in MALE_TITLES or lower in OTHER_TITLES
