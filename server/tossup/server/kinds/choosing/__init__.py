"""Which coins a question is asked with, and why: what a survey file asks for becomes a mechanism.

Stage: authoring, before any answer. In: a question's table. Out: a mechanism whose odds never
exceed what was asked; nothing here knows a report.
"""
