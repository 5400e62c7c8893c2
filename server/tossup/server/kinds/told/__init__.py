"""What the reports of a slice tell: estimates as lines, which every renderer takes.

Stage: tally to estimate. In come a question and counts, out come its lines and what else such
reports tell; nothing here knows a survey's days and groups, nor how any of it is shown.
"""
