"""Elastic sensitivity: a bound on how far one row moves a count over equijoins.

Computed from the query's shape and from how often the commonest value of each joined column
occurs; the rows themselves are never looked at. Neighbours are databases in which one row of one
table differs.

References
----------
Johnson, Near and Song 2018, Towards practical differential privacy for SQL queries, section 3
(VLDB 11(5); arXiv:1706.09479).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, exp
from typing import Final

from tossup.server.planning.curator.sensitivity import beta_of
from tossup.server.planning.errors import PlanningError, count

_MOST_ROWS: Final = 10**15


@dataclass(frozen=True)
class Table:
    """A base table in a query, under an alias of its own.

    Attributes
    ----------
    alias
        Its name in this query; unique there.
    table
        Whose rows they are: two aliases of one table make a self-join.
    frequencies
        For every joined column, how often its commonest value occurs.
    """

    alias: str
    table: str
    frequencies: Mapping[str, int]

    @property
    def tables(self) -> frozenset[str]:
        """The base tables below."""
        return frozenset({self.table})

    @property
    def aliases(self) -> frozenset[str]:
        """The aliases below."""
        return frozenset({self.alias})

    @property
    def leaves(self) -> int:
        """How many aliases are below."""
        return 1

    def frequency(self, column: "Column", changed: int) -> int:
        """Return the most that a value can occur after so many changed rows."""
        alias, name = column
        if alias != self.alias or name not in self.frequencies:
            raise PlanningError(f"no frequency is given for column {alias}.{name}")
        return count(self.frequencies[name], f"frequency of {alias}.{name}") + changed

    def stability(self, changed: int) -> int:  # noqa: ARG002  # the same as of a join
        """Return how many rows one changed row changes: itself."""
        return 1


#: An alias, and the name of one of its columns.
Column = tuple[str, str]


@dataclass(frozen=True)
class Join:
    """Rows of left and right that agree in one column each."""

    left: "Table | Join"
    right: "Table | Join"
    left_column: Column
    right_column: Column

    def __post_init__(self) -> None:
        if twice := self.left.aliases & self.right.aliases:
            raise PlanningError(f"alias {min(twice)} stands twice; give each use its own")
        for side, column in ((self.left, self.left_column), (self.right, self.right_column)):
            side.frequency(column, 0)

    @property
    def tables(self) -> frozenset[str]:
        """The base tables below."""
        return self.left.tables | self.right.tables

    @property
    def aliases(self) -> frozenset[str]:
        """The aliases below."""
        return self.left.aliases | self.right.aliases

    @property
    def leaves(self) -> int:
        """How many aliases are below."""
        return self.left.leaves + self.right.leaves

    def frequency(self, column: Column, changed: int) -> int:
        """Return the most that a value can occur: each row meets the other side's commonest."""
        if column[0] in self.left.aliases:
            met = self.right.frequency(self.right_column, changed)
            return self.left.frequency(column, changed) * met
        met = self.left.frequency(self.left_column, changed)
        return self.right.frequency(column, changed) * met

    def stability(self, changed: int) -> int:
        """Return how many joined rows one changed row changes, after so many changes before.

        Through different tables it changes one side only; in a self-join both, and the changed
        rows of both sides meet too.
        """
        left, right = self.left.stability(changed), self.right.stability(changed)
        by_right = self.left.frequency(self.left_column, changed) * right
        by_left = self.right.frequency(self.right_column, changed) * left
        if self.left.tables & self.right.tables:
            return by_left + by_right + left * right
        return max(by_left, by_right)


def smooth_elastic(query: Table | Join, epsilon: float, delta: float, rows: int) -> float:
    """Return S, the max over k of exp(-beta k) times the elastic sensitivity after k changes.

    A count over the query with Laplace noise of scale 2 S / epsilon is (epsilon, delta)-DP;
    beta = epsilon / (2 ln(2 / delta)).

    Parameters
    ----------
    query
        A table, or joins of tables.
    epsilon, delta
        What is promised.
    rows
        Rows of the whole database: more cannot change.
    """
    beta = beta_of(epsilon, delta)
    if count(rows, "rows") > _MOST_ROWS:
        raise PlanningError(f"rows ({rows}) must be at most {_MOST_ROWS}")
    # A polynomial in k of degree below `leaves`, without negative terms, times exp(-beta k) falls
    # from leaves / beta on.
    farthest = min(rows, ceil(query.leaves / beta))
    return max(exp(-beta * k) * query.stability(k) for k in range(farthest + 1))
