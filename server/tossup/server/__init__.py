"""The collection server: counts randomized reports, debiases them, and shows what they say.

Stage: ingest to page. Only randomized values exist here; the truth stopped at the device.
"""
