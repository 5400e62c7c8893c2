"""Ingest: bodies of reports become stored chunks and counters, each report exactly once.

In: the bytes of a request. Out: a receipt, once everything is durable.
Sees randomized reports alone, and neither estimates nor pages.
"""
