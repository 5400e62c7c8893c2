"""Every run of a mechanism's coins, with its exact probability."""

from collections import Counter
from fractions import Fraction
from math import prod

from tossup.shared.coins import Coins
from tossup.shared.mechanisms import Mechanism


class Led(Coins):
    """Coins that make given choices first, then 0, and note how many values each had."""

    def __init__(self) -> None:
        super().__init__()
        self.choices: list[int] = []
        self.sizes: list[int] = []

    def reserve(self, count: int) -> None:
        pass

    def below(self, n: int) -> int:
        place = len(self.sizes)
        self.sizes.append(n)
        if place == len(self.choices):
            self.choices.append(0)
        return self.choices[place]


class Chosen(Coins):
    """Coins that choose a given value once, and refuse a second choice."""

    def __init__(self, value: int) -> None:
        super().__init__()
        self.values = [value]

    def below(self, n: int) -> int:
        value = self.values.pop()
        assert 0 <= value < n
        return value


def channel_row(mechanism: Mechanism, answer: int) -> dict[int, Fraction]:
    """Return Pr[report | answer] as the sampler makes it: by walking all its choices."""
    runs: Counter[tuple[int, int]] = Counter()
    coins = Led()
    choices, sizes = coins.choices, coins.sizes
    while True:
        sizes.clear()
        report = mechanism.perturb(answer, coins)
        runs[report, prod(sizes)] += 1
        while choices and choices[-1] == sizes[len(choices) - 1] - 1:
            choices.pop()
        if not choices:
            break
        choices[-1] += 1
    row: Counter[int] = Counter()
    for (report, of), count in runs.items():
        row[report] += Fraction(count, of)
    return dict(row)
