"""Tests of many cases: a sweep in one test that names what fails, and long ones to prove."""

import functools
import inspect
from collections.abc import Callable, Container, Iterable

import pytest

Cases = Iterable[object] | Callable[[], Iterable[object]]


def each(names: str, cases: Cases) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with every case in turn, as `pytest.mark.parametrize` with one id for all.

    For sweeps whose ids say nothing, and tests that leave nothing behind: fixtures of a test are
    shared by its cases. The first case that fails ends the test, with the case in its message.

    Parameters
    ----------
    names
        Names of the test's arguments, with commas between them.
    cases
        What to call it with: values, or tuples where there are several names. A function that
        returns them is called when the test runs, for cases that take time to make.
    """
    wanted = [name.strip() for name in names.split(",")]
    known = cases if callable(cases) else tuple(cases)
    parameter_set = type(pytest.param())
    marked = [] if callable(known) else [case for case in known if getattr(case, "marks", ())]
    assert not marked, f"a case of a sweep takes no marks: {marked[0]}"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        def sweep(**fixtures: object) -> None:
            tried = 0
            for case in known() if callable(known) else known:
                tried += 1
                many = len(wanted) > 1 or isinstance(case, parameter_set)
                values = case.values if isinstance(case, parameter_set) else case
                given = dict(zip(wanted, values if many else (values,), strict=True))
                try:
                    test(**given, **fixtures)
                except Exception as error:
                    error.add_note(f"case {tried} of {test.__name__}: {given}")
                    raise
            assert tried, f"{test.__name__} has no cases"

        parameters = inspect.signature(test).parameters
        assert set(wanted) <= set(parameters), f"{test.__name__} does not take {names}"
        functools.update_wrapper(sweep, test)
        sweep.__signature__ = inspect.Signature(
            [parameter for name, parameter in parameters.items() if name not in wanted]
        )
        return sweep

    return decorate


def proving(cases: Iterable[object], *, but: Container[object]) -> list:
    """Return cases for `pytest.mark.parametrize`, all but some marked as a part of `make prove`.

    For a proof whose every case takes long: `make test` keeps the cases that show that it works.
    """
    return [
        case
        if case in but
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.prove)
        for case in cases
    ]
