"""Made-up respondents of every kind of question: their answers, reports and estimates.

Stage: answer to estimate, for nobody real. In come shares or answers of a population, out go the
truth beside its estimates, or reports for the wire; nothing here is ever sent for a person.
"""
