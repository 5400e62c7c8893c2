"""Views: what an audit looks at where a mechanism has too many reports to count each.

In: a mechanism. Out: events whose probability is known exactly, or within bounds.
Sees no audited program.
"""
