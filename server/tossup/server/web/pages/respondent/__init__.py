"""The page that a respondent's link opens: who learns what, the questions, and every state.

Stage: before the toss. In: a survey as its publisher signed it. Out: HTML with all questions and
all that may have to be said, hidden until the script that runs on the respondent's device shows it.
Nothing here sees an answer: the page's forms go nowhere, and its policy lets none be sent.

`views` answers the requests, `asked` is what the templates show, `tongues` the languages of a
survey beside those of the pages.
"""
