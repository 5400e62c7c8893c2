"""What cannot be estimated."""

from tossup.shared.errors import TossupError


class EstimationError(TossupError, ValueError):
    """Counts or a design from which no estimate can be made. The message says which and why."""
