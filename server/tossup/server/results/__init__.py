"""Results: a survey's tallies as estimates by question, day and group, and as JSON and CSV.

Stage: tally to page. It reads tallies and manifests, and for joint tables alone single reports.
Every estimate that leaves here has its interval and its n beside it; with fewer reports than the
survey's minimum there is no estimate at all.
"""

from tossup.server.kinds.told.answer import AnswerEstimate, FoundText
from tossup.server.results.as_csv import results_to_csv
from tossup.server.results.as_json import results_to_json
from tossup.server.results.comparisons import Comparison
from tossup.server.results.filters import FilterError, Filters, once_each, parse_query, scope_of
from tossup.server.results.joint.tables import JointResult, is_tabled, joint_result, joint_to_json
from tossup.server.results.pooling import results
from tossup.server.results.slices import Slice, pooled
from tossup.server.results.values import QuestionResult, Results
from tossup.server.results.wordings import Wording, pooled_wordings

__all__ = [
    "AnswerEstimate",
    "Comparison",
    "FilterError",
    "Filters",
    "FoundText",
    "JointResult",
    "QuestionResult",
    "Results",
    "Slice",
    "Wording",
    "is_tabled",
    "joint_result",
    "joint_to_json",
    "once_each",
    "parse_query",
    "pooled",
    "pooled_wordings",
    "results",
    "results_to_csv",
    "results_to_json",
    "scope_of",
]
