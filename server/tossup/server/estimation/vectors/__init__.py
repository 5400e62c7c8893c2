"""Vectors: means of components and their covariance, from sums of digits and of their products.

In: the counters of a question. Out: means and covariances in the unit of the question.
Sees no single report.
"""
