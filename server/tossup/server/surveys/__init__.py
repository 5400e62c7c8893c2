"""Surveys: a researcher's file becomes a signed manifest, and lives until it is deleted.

In: a TOML file, or signed bytes. Out: manifests, and what they mean, cost and promise.
Sees no report and no estimate's value.
"""
