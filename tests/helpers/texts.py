"""Text as people write it, hard cases first: families joined by ZWJ, flags, Korean both ways, combining marks."""

from hypothesis import strategies as st

HARD = [
    "👨‍👩‍👧‍👦",
    "🏳️‍🌈",
    "🇰🇷",
    "👍🏽",
    "한국어",
    "\u1112\u1161\u11ab",
    "e\u0301",
    "العربية",
    "日本語",
    "\n\n",
    "  ",
    "\t",
    "1,234.56",
    "don't",
]

TEXTS = st.lists(st.sampled_from(HARD) | st.text(st.characters(exclude_categories=["Cs", "Cn"]), max_size=8), max_size=8).map(
    "".join
)
