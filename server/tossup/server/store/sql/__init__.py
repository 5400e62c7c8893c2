"""What stores do alike on every database that speaks SQL.

Stage: ingest to tally. Both databases have the same tables, but for those of reports and counters.
"""
