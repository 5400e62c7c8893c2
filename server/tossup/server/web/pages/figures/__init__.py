"""Figures: estimates as drawings, computed on the server and readable without a script.

In: estimates with their intervals. Out: places and sizes that templates draw.
Sees no request and no text.
"""
