"""Middleware: what happens to every request and every answer, whatever the route.

In: requests before a route sees them, answers and errors after it. Out: bounded, safe ones.
Sees no survey and no report.
"""
