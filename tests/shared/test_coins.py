"""Coins are exact, constant in what they draw, and never shared."""

import multiprocessing
import os
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeps import each

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins, bytes_for, bytes_for_run


def replay(data: bytes) -> Callable[[int], bytes]:
    """Return a source that gives ``data`` and fails after it."""
    feed = iter(data)
    return lambda count: bytes(next(feed) for _ in range(count))


class Patterns(Coins):
    """Coins whose attempts are given, the last of the list first."""

    def __init__(self, left: list[int]) -> None:
        super().__init__()
        self.left = left

    def _take(self, bits: int, draw: int) -> int:
        return self.left.pop()


def test_bits_come_least_significant_first():
    """Eight tosses of one byte read its bits from the lowest to the highest."""
    coins = Coins(replay(bytes([0b10110010])))

    tosses = [coins.toss() for _ in range(8)]

    assert [0, 1, 0, 0, 1, 1, 0, 1] == tosses


@each("n", range(1, 257))
def test_every_accepted_pattern_is_one_value(n: int):
    """Below n, the patterns of one attempt give each value once, and the rest try again."""
    bits = (n - 1).bit_length()
    firsts = []
    for pattern in range(1 << bits):
        left = [0, pattern]
        value = Patterns(left).below(n)
        firsts.append(value if left else "again")

    expected = Counter(range(n))
    expected["again"] = (1 << bits) - n
    assert +expected == Counter(firsts)


@each("n", [1, 2, 3, 4, 5, 7, 100, 256, 257, 65_537, MAX_WEIGHT_SUM - 1])
def test_one_draw_suffices_but_for_one_in_2_to_the_128(n: int):
    """The bytes drawn at once hold so many attempts that a second draw never happens."""
    bits = (n - 1).bit_length()
    attempts = 8 * bytes_for(n) // bits if bits else 1

    all_fail = Fraction((1 << bits) - n, 1 << bits) ** attempts

    assert all_fail <= Fraction(1, 1 << 128)


@each("n", [2, 4, 5, 7, 259, MAX_WEIGHT_SUM])
def test_a_choice_draws_the_same_number_of_bytes_every_time(n: int):
    """What is drawn depends on the design, never on what was chosen."""
    draws = set()
    for _ in range(2000):
        drawn: list[int] = []

        def source(count: int, drawn: list[int] = drawn) -> bytes:
            drawn.append(count)
            return os.urandom(count)

        Coins(source).below(n)
        draws.add(tuple(drawn))

    assert {(bytes_for(n),)} == draws


@pytest.mark.parametrize(
    "sizes", [[4] * 16, [7] * 16, [129] * 3, [*range(255, 191, -1)], [5] * 300]
)
def test_the_reserve_of_a_run_is_enough(sizes: list[int]):
    """By exact binomial tails, more attempts than are held are needed in at most 2**-128 runs."""
    bits = max((size - 1).bit_length() for size in sizes)
    attempts = 8 * bytes_for_run(sizes) // bits
    success = min(Fraction(size, 1 << (size - 1).bit_length()) for size in sizes)

    too_few = sum(
        comb(attempts, hits) * success**hits * (1 - success) ** (attempts - hits)
        for hits in range(len(sizes))
    )

    assert too_few <= Fraction(1, 1 << 128)


def test_a_reserve_is_drawn_at_once():
    """Choices after it draw nothing more, and see the same bits as without it."""
    drawn: list[int] = []

    def source(count: int) -> bytes:
        drawn.append(count)
        return bytes(range(count))

    coins = Coins(source)
    coins.reserve(bytes_for_run([4] * 16))
    choices = [coins.below(4) for _ in range(16)]

    assert [4] == drawn
    assert [n >> place & 3 for n in (0, 1, 2, 3) for place in (0, 2, 4, 6)] == choices


@each("n", [0, -1, MAX_WEIGHT_SUM + 1, 2.0, True, "2", None])
def test_impossible_ranges_are_refused(n: object):
    """Only integers from 1 to 2**32 are a range to choose from."""
    with pytest.raises(ValueError, match="must be an integer from 1"):
        Coins().below(n)  # type: ignore[arg-type]


@given(st.lists(st.integers(1, 300), min_size=1, max_size=8), st.binary(min_size=600, max_size=600))
def test_the_same_bytes_give_the_same_choices(sizes: list[int], data: bytes):
    """A choice is a function of the bytes: this is what the vectors rely on."""

    def run() -> list[int]:
        feed = iter(data)
        coins = Coins(lambda count: bytes(next(feed, 0) for _ in range(count)))
        return [coins.below(size) for size in sizes]

    assert run() == run()


def _child(coins: Coins, pipe) -> None:
    pipe.send(tuple(coins.toss() for _ in range(128)))
    pipe.close()


def test_forked_children_share_no_coin():
    """16 children forked after a toss, with leftover bits in the parent, toss distinct coins."""
    coins = Coins()
    coins.toss()
    context = multiprocessing.get_context("fork")
    runs = []
    for _ in range(16):
        mine, theirs = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(coins, theirs))
        child.start()
        theirs.close()
        runs.append(mine.recv())
        child.join()
        mine.close()
    seven_left = {run[:7] for run in runs}

    assert 16 == len(set(runs))
    assert len(seven_left) > 1  # all 16 equal by chance: 2**-105
