"""Serving: the application on waitress, its connections bounded and its headers set.

In: the application. Out: a process that answers until it is told to stop.
Sees no survey and no report.
"""
