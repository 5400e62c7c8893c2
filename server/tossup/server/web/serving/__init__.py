"""Serving: processes that run the application, one that answers and one for each costly answer.

In: the application. Out: processes that answer until they are told to stop, or are done.
Sees no survey and no report.
"""
