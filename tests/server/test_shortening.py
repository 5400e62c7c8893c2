"""Long texts are cut between words, in every script, and never within a character."""

from tossup.server.shortening import shortened

TEXTS = {
    "between words": (
        "Have you been told that it happened?",
        28,
        "Have you been told that it…",
    ),
    "a word that just fits": ("one two three four", 14, "one two three…"),
    "no mark before the ellipsis": ("Ever lied, cheated or stolen?", 12, "Ever lied…"),
    "nothing opened": ("Ever taken drugs (such as speed)?", 20, "Ever taken drugs…"),
    "a hyphen parts": ("It’s well-established, or not", 17, "It’s well…"),
    "a number stays whole": ("More than 1,000.50 euros a week?", 14, "More than…"),
    "and so does its sign": ("More than 50 % of it?", 16, "More than 50 %…"),
    "a word without an end": ("Rindfleischetikettierungsgesetz", 10, "Rindfleis…"),
    "Chinese between any two": ("您是否曾经拿过不属于您的东西？", 10, "您是否曾经拿过不属…"),
    "Chinese without its comma": ("您是否曾经，哪怕一次，说谎？", 7, "您是否曾经…"),
    "Latin within Chinese": ("您是否曾在Facebook上说谎？", 9, "您是否曾在…"),
    "Japanese": ("あなたはこれまでに嘘をついたことがありますか", 9, "あなたはこれまで…"),
    "Korean has spaces": ("당신은 거짓말을 한적이 있습니까", 12, "당신은 거짓말을…"),
    "an accent stays": ("x" * 8 + "e\u0301" + "x" * 8, 10, "x" * 8 + "…"),
    "an emoji stays": ("谁" * 7 + "👩\u200d👧 和", 10, "谁" * 7 + "…"),
    "short enough": ("Ever lied?", 10, "Ever lied?"),
}


def test_a_text_is_cut_where_a_reader_would() -> None:
    for why, (text, most, said) in TEXTS.items():
        assert shortened(text, most) == said, why
        assert len(said) <= most, why
