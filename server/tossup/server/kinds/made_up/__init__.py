"""Made-up respondents: a population with known answers, and what reports say of it.

Stage: planning. In: shares or answers that an author makes up. Out: respondents, or tallies and
estimates beside the truth. Nobody real answers here; nothing sees a store or a survey's reports.
"""
