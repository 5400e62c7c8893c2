"""Joint: two questions together, and rows of joint reports, where a respondent's answers travel so.

In: stored reports, since tallies do not hold what was said together. Out: tables and rows.
Sees no id of a report and no order.
"""
