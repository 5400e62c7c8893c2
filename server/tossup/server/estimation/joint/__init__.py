"""Joint: how the answers of one person to several questions go together.

In: counts of combinations of reports, and a design a question. Out: shares of combinations.
Sees no order of the reports and no time.
"""
