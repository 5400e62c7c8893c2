"""Every error and interval that a public attribute or method of an estimate tells."""

import re
from collections.abc import Callable, Iterator

import numpy as np

from tossup.server.estimation import EstimationError

_TELLS = re.compile("error|interval|covariance|difference|simultaneous")
#: Not told of the estimate alone: ways to ask for an interval, and the covariance with another.
_APART = {"interval_methods", "anytime_interval", "covariance_with"}
#: What is asked with which arguments, one after the other; whatever is not here takes none.
_ASKED: dict[str, tuple[tuple[object, ...], ...]] = {
    "shared_interval": ((0.95, "score"), (0.95, "wald"), (0.95, "profile")),
    "difference": ((0, 1),),
    "standard_errors": ((), ("expected",), ("robust",), ("cluster",), ("opg",)),
}
_NAMED: dict[str, dict[str, object]] = {"shared_interval": {"among": 3}}


def claims(found: object) -> Iterator[tuple[str, float]]:
    """Yield how much each public error, variance or interval of an estimate is, by its name.

    An interval counts as its width, a matrix of covariances as the root of each variance on its
    diagonal; the one covariance of a pair may be nothing. What is refused by an `EstimationError`
    claims nothing.
    """
    for name in sorted(set(dir(type(found))) - _APART):
        if _TELLS.search(name) and not name.startswith("_"):
            for told in _told(found, name):
                if name != "covariance" or isinstance(told, np.ndarray):
                    yield from ((name, amount) for amount in _amounts(told))


def _told(found: object, name: str) -> Iterator[object]:
    value = _unless_refused(lambda: getattr(found, name))
    if not callable(value):
        yield value
        return
    for given in _ASKED.get(name, ((),)):
        yield _unless_refused(lambda given=given: value(*given, **_NAMED.get(name, {})))


def _unless_refused(ask: Callable[[], object]) -> object | None:
    try:
        return ask()
    except (EstimationError, TypeError) as error:
        # Only some results take the name of a kind of error; all take none.
        if isinstance(error, TypeError) and "standard_errors() takes" not in str(error):
            raise
        return None


def _amounts(told: object) -> Iterator[float]:
    if isinstance(told, np.ndarray):
        square = told.ndim == 2 and told.shape[0] == told.shape[1]
        yield from np.sqrt(told.diagonal()).tolist() if square else told.ravel().tolist()
    elif isinstance(told, float):
        yield told
    elif isinstance(told, tuple):
        for each in told:
            yield from _amounts(each)
    elif hasattr(told, "low"):
        yield told.high - told.low
    elif hasattr(told, "standard_error"):
        yield told.standard_error
    else:
        assert told is None, told
