"""Published: the results of a survey, fetched from its server or read from an export.

In: JSON of results and rows of joint reports. Out: the estimates of this package.
Sees what a reader of the results sees.
"""
