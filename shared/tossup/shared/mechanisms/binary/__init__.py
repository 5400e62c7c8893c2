"""Yes or no, by two coins or any table of integer weights.

In comes no (0) or yes (1), out comes a small number: no or yes, or how many cards are red.
These files see the answer and the coins, never a question, a respondent or another answer.
"""
