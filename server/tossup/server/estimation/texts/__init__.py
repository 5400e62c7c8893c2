"""Texts that nobody listed: which are common, and how common they are.

One file each: the hash functions in arrays (`hashing`), the reports of one level (`sketch`), the
search for candidates (`search`), their shares (`shares`), and how common a text must be to be
found (`detection`).
"""

from tossup.server.estimation.texts.detection import (
    joint_quantile,
    largest_text_variance,
    reports_needed,
    smallest_found,
    text_variance,
)
from tossup.server.estimation.texts.shares import (
    RestEstimate,
    TextEstimate,
    TextsEstimate,
    estimate_texts,
    shares_of_texts,
)

__all__ = [
    "RestEstimate",
    "TextEstimate",
    "TextsEstimate",
    "estimate_texts",
    "joint_quantile",
    "largest_text_variance",
    "reports_needed",
    "shares_of_texts",
    "smallest_found",
    "text_variance",
]
