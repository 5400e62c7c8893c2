"""Shares of answers: estimated from a tally, each with its intervals, and how they go together.

In: the tally of one question and its design. Out: one share an answer.
Sees no respondent and no other question.
"""
