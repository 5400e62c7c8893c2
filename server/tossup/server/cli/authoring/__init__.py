"""Commands of authors: check, publish and verify surveys.

In: survey files and manifests. Out: what they cost and promise, and links.
Sees no report.
"""
