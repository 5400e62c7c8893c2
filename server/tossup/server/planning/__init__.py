"""Planning: what a design will say and cost, before anybody is asked.

Stage: authoring. Pure functions on numbers; nothing here sees an answer or a report.

How many must answer, for a margin or a test (`sample_size`); which epsilons meet several demands
at once (`feasible`); what a survey of two designs would tell about people who always say no
(`cheating`). The least number that is enough is always checked against one less (`search`).

What a trusted curator would have got (`curator`), so that the price of trusting nobody is known: a
share asked both ways (`compare`), and other queries (`sides`).
"""
