"""What the reports of a slice tell: estimates as lines, which every renderer takes.

Stage: tally to estimate. In: a question and counts. Out: its lines and what else such reports
tell; nothing here knows a survey's days and groups, nor how any of it is shown.
"""
