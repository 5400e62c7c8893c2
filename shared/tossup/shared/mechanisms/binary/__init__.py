"""Yes or no, by two coins or any table of integer weights.

In: no (0) or yes (1). Out: a small number: no or yes, or how many cards are red.
These files see the answer and the coins, never a question, a respondent or another answer.
"""
