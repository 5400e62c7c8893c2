"""Authors know before they print the link which surveys the respondents' page cannot ask."""

from tossup.server.cli.authoring.told import cautions, note_created
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.publishing.browsers import kept_from_browsers

HEAD = """
id = "habits"
title = "Habits"
purpose = "To learn."
question_cap = 81
[publisher]
name = "Example University"
contact = "irb@example.org"
"""
PLAIN = '[[question]]\nid = "tried"\ntext = "Have you?"\n'
VECTOR = '[[question]]\nid = "both"\ntext = "How?"\nanswers = { vector = ["a", "b"], norm = 1 }\n'
DEAR = '[[question]]\nid = "word"\ntext = "Which?"\nanswers = { text = "a-z", longest = 4 }\n'


def test_the_questions_that_keep_everybody_out_are_named_before_and_after(capsys):
    """Coins that no browser has, odds that devices refuse; where there are none, nothing."""
    for more, kept, why in (
        ("", {}, ""),
        (VECTOR, {"both": "coins"}, "no browser has the coins of both"),
        (f"{DEAR}odds = 81\n", {"word": "odds"}, "they are too dear"),
    ):
        survey = load_survey(HEAD + PLAIN + more, bytes(32))
        note_created(survey, "https://survey.example/v1/surveys/habits#key=k", "Created")
        said, noted = capsys.readouterr().err, "\n".join(cautions(survey))

        assert kept_from_browsers(survey) == kept
        assert ("They open the link in a browser" in said) == (not kept), more
        assert "tossup answer 'https://survey.example" in said
        assert ("the page for respondents asks nothing" in noted) == bool(kept), more
        assert why in noted
