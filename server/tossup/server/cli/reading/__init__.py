"""Commands of researchers: estimates of a survey or of counts from elsewhere, and exports.

In: results as a server sends them, or counts. Out: tables, JSON and CSV.
Sees no data folder: a survey is read over HTTP alone.
"""
