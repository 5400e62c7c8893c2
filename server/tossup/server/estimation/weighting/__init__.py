"""Weighting: samples with weights, strata and clusters, and finite populations.

In: one report a row with its weight. Out: weighted shares and totals with design-based errors.
Sees rows that the caller has; a server keeps none.
"""
