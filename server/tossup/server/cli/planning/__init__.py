"""Commands of planners and auditors: what designs cost and tell before anybody is asked.

In: designs, survey files, programs to audit. Out: numbers of respondents, bounds, verdicts.
Sees no report of a respondent.
"""
