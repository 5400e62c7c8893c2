"""The rows of a regression, checked: covariates, reports, and the channel of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tossup.server.estimation.checks import array_of, column_of, counts_of_rows, each_once
from tossup.server.estimation.designs.named import AnyDesign, design_of, one_a_row
from tossup.server.estimation.designs.scores import floats_of
from tossup.server.estimation.regression.errors import NotIdentifiedError, RegressionError

Floats = NDArray[np.float64]
#: One design for all rows, or one a row.
Designs = AnyDesign | Sequence[AnyDesign]
#: Columns by name.
Covariates = Mapping[str, ArrayLike]

INTERCEPT: Final = "(Intercept)"

#: A column further from 0 than this many times its spread is all but an intercept: of the sixteen
#: digits of a float too few would be left for the fit.
_FAR_FROM_ZERO: Final = 1e4


@dataclass(frozen=True, eq=False)
class Columns:
    """Covariates with their names, the intercept first."""

    names: list[str]
    matrix: Floats

    @property
    def reach(self) -> Floats:
        """A matrix that makes a step of coefficients one of what they say of respondents.

        Of each covariate by its spread; of the intercept by its share in what all covariates say
        at their means. Where a covariate is a year, the intercept alone is that of the year 0.
        """
        found = np.diag(self.matrix.std(axis=0))
        found[0] = self.matrix.mean(axis=0)
        return found


def columns(covariates: Covariates, rows: int, *ours: str) -> Columns:
    """Return covariates as a matrix that begins with a column of ones.

    Parameters
    ----------
    ours
        What other coefficients of the model are called: no covariate may be called so, nor
        as the intercept.

    Raises
    ------
    RegressionError
        If a column has another length, holds anything but finite numbers, or lies so far from 0
        that its spread would be lost to rounding.
    NotIdentifiedError
        If a column is a combination of those before it.
    """
    if not isinstance(covariates, Mapping) and not hasattr(covariates, "items"):
        raise RegressionError(
            "covariates must be columns by name, such as {'age': [31, 52]}, not"
            f" {type(covariates).__name__}"
        )
    pairs = list(covariates.items())  # of a DataFrame too
    each_once((INTERCEPT, *ours, *(name for name, _ in pairs)), "covariate")
    given = dict(pairs)
    matrix = np.empty((rows, len(given) + 1), order="F")
    matrix[:, 0] = 1
    for place, (name, column) in enumerate(given.items(), start=1):
        matrix[:, place] = _near(column_of(column, rows, str(name), RegressionError), name)
    found = Columns([INTERCEPT, *map(str, given)], matrix)
    _check_independent(found)
    return found


def present(
    counts: ArrayLike | None, covariates: Covariates, designs: Designs, *columns: Any
) -> tuple[Any, ...]:
    """Return what is given without the rows that count for nobody.

    Parameters
    ----------
    counts
        How many respondents each row stands for; None for one each.
    covariates, designs
        As the regressions take them.
    columns
        Others of one value a row; None for one that is not given.

    Raises
    ------
    RegressionError
        If all counts are 0, or a column has another length.
    """
    if counts is None:
        return (counts, covariates, designs, *columns)
    values = counts_of_rows(counts, None, RegressionError)
    kept = values != 0
    if not kept.any():
        raise RegressionError("counts are all 0: there is nobody")
    if kept.all():
        return (counts, covariates, designs, *columns)
    if hasattr(covariates, "items"):
        covariates = {name: _kept(column, kept) for name, column in covariates.items()}
    several = _several(designs)
    chosen = designs if several is None else _kept(several, kept)
    return (values[kept], covariates, chosen, *(_kept(column, kept) for column in columns))


def _kept(column: Any, kept: NDArray[np.bool_]) -> Any:
    """Return the rows of a column that are kept."""
    if column is None:
        return None
    listed = list(column)
    if len(listed) != len(kept):
        raise RegressionError(f"a column has {len(listed)} values for {len(kept)} counts")
    return [value for value, stays in zip(listed, kept.tolist(), strict=True) if stays]


def counted(counts: ArrayLike | None, rows: int) -> Floats:
    """Return how many respondents each row stands for.

    Raises
    ------
    RegressionError
        If a count is no whole number of at least 0.
    """
    return np.ones(rows) if counts is None else counts_of_rows(counts, rows, RegressionError)


def labels(reports: ArrayLike, kinds: int, what: str = "reports") -> NDArray[np.intp]:
    """Return integers from 0 to kinds - 1, one a row.

    Raises
    ------
    RegressionError
        If there are none, or one is another value.
    """
    given = array_of(reports, what, RegressionError)
    if given.ndim != 1 or not given.size:
        raise RegressionError(f"{what} must be a sequence of one value a row, not empty")
    given = column_of(reports, len(given), what, RegressionError)
    if not ((given >= 0) & (given < kinds) & (given % 1 == 0)).all():
        raise RegressionError(f"{what} must be integers from 0 to {kinds - 1}")
    return given.astype(np.intp)


def predictors(covariates: Covariates, names: Sequence[str]) -> tuple[int, list[Floats]]:
    """Return how many rows to predict for, and the columns of all names but the intercept.

    Raises
    ------
    RegressionError
        If a column is missing, or holds anything but finite numbers.
    """
    if not isinstance(covariates, Mapping) and not hasattr(covariates, "items"):
        raise RegressionError("covariates must be columns by name")
    missing = [name for name in names[1:] if name not in covariates]
    if missing:
        raise RegressionError(f"covariates lack {missing[0]}")
    found = [column_of(covariates[name], None, name, RegressionError) for name in names[1:]]
    rows = len(found[0]) if found else 1
    return rows, [column_of(column, rows, "every covariate", RegressionError) for column in found]


def chances(designs: Designs, reports: NDArray[np.intp]) -> Floats:
    """Return Pr[this row's report | answer], a row a report and a column an answer."""
    rows = len(reports)
    several = _several(designs)
    if several is None:
        return floats_of(design_of(designs))[:, reports].T  # type: ignore[arg-type]
    if len(several) != rows:
        raise RegressionError(f"designs must be one for all rows or one a row: {rows}")
    kinds = {id(design): design for design in several}
    tables = {key: floats_of(design_of(design)) for key, design in kinds.items()}
    if len({table.shape for table in tables.values()}) != 1:
        raise RegressionError("all designs of one model must have the same answers and reports")
    found: Floats = np.array(
        [tables[id(d)][:, r] for d, r in zip(several, reports.tolist(), strict=True)]
    )
    return found


def size_of(designs: Designs) -> tuple[int, int]:
    """Return how many answers and how many reports the designs have."""
    several = _several(designs)
    rows = design_of(designs if several is None else several[0]).rows  # type: ignore[arg-type]
    return len(rows), len(rows[0])


def _several(designs: Designs) -> list[AnyDesign] | None:
    """Return designs that are one a row; None for one that is for all."""
    several = one_a_row(designs)
    if several == []:
        raise RegressionError("designs must be one for all rows or one a row, not none")
    return several


def _near(values: Floats, name: str) -> Floats:
    centre, spread = float(np.abs(values.mean())), float(values.std())
    if spread > 0 and centre > _FAR_FROM_ZERO * spread:
        raise RegressionError(
            f"{name} lies {centre / spread:.0e} times its spread from 0, so that rounding would"
            " spoil the fit; subtract a round number near its mean from it"
        )
    return values


def _check_independent(found: Columns) -> None:
    """Refuse the first column that adds nothing to those before it."""
    lengths = np.sqrt((found.matrix**2).sum(axis=0))
    if (lengths == 0).any():
        raise NotIdentifiedError(f"{found.names[int(lengths.argmin())]} is 0 in every row")
    triangle = np.asarray(np.linalg.qr(found.matrix / lengths, mode="r"))
    left = np.abs(triangle.diagonal())
    if len(left) < len(lengths) or (left < 1e-9).any():
        place = int((left < 1e-9).argmax()) if (left < 1e-9).any() else len(left)
        raise NotIdentifiedError(
            f"{found.names[place]} is a combination of the covariates before it, so its coefficient"
            " could be anything; leave it out"
        )
