"""Every answer costs the same work: the same draws and the same steps of the interpreter.

What is counted is bytecode, not time, so that a busy machine changes nothing. It sees every branch,
loop and call; it does not see how long one step on a large integer takes: docs/proofs/privunit.md.
"""

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from sweeps import each

import tossup.shared
from tossup.shared.coins import Coins
from tossup.shared.mechanisms import MECHANISMS, Mechanism, MemoMechanism, from_spec
from tossup.shared.mechanisms.drawn import DrawnTable

OURS = tossup.shared.__path__[0]
VECTORS = Path(OURS) / "vectors"
Work = tuple[int, tuple[int, ...]]


def designs(name: str) -> Iterator[tuple[Mechanism, list[int], list[bytes]]]:
    """Yield the designs of a mechanism's vectors, some of their answers, and bytes to toss."""
    vectors = json.loads((VECTORS / f"{name.replace('/', '-')}.json").read_text())
    for case in vectors["designs"]:
        design = from_spec(case["mechanism"], case["answers"])
        tried = dict.fromkeys([*case["tried"][:6], 0, 1, case["answers"] - 1])
        tosses = [bytes.fromhex(data) for data in list(case["reports"])[:3]]
        yield design, [answer for answer in tried if design.is_answer(answer)], tosses


def work(toss: Callable[[Coins], int], data: bytes) -> Work:
    """Return how many steps a toss takes, and how many bytes it draws each time."""
    rest = bytearray(data)
    drawn: list[int] = []
    steps = 0

    def source(count: int) -> bytes:
        drawn.append(count)
        taken = bytes(rest[:count])
        del rest[:count]
        return taken.ljust(count, b"\0")

    def trace(frame, event, _):
        nonlocal steps
        if not frame.f_code.co_filename.startswith(OURS):  # a garbage collector's hook, say
            return None
        frame.f_trace_opcodes = True
        steps += event == "opcode"
        return trace

    coins = Coins(source)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        toss(coins)
    finally:
        sys.settrace(before)
    return steps, tuple(drawn)


@each("name", MECHANISMS)
def test_every_answer_takes_the_same_steps(name):
    """With the same coins, no branch, loop or draw depends on the answer."""
    for design, answers, tosses in designs(name):
        for answer in answers:
            design.perturb(answer, Coins())  # fills what a design computes once
        for data in tosses:
            done = {answer: work(partial(design.perturb, answer), data) for answer in answers}
            assert len(set(done.values())) == 1, f"{design}: {done}"


@each("name", MECHANISMS)
def test_every_answer_takes_the_same_steps_through_a_memo(name):
    """In the waves of a survey, too."""
    for design, answers, tosses in designs(name):
        if not isinstance(design, MemoMechanism):
            continue
        memo = design.memo(Coins())
        for answer in answers:
            design.through(memo, answer, Coins())
        for data in tosses:
            done = {answer: work(partial(design.through, memo, answer), data) for answer in answers}
            assert len(set(done.values())) == 1, f"{design}: {done}"


class Noted(int):
    """A bound that notes that a draw was compared with it."""

    seen: list[int]

    def __le__(self, other: int) -> bool:
        self.seen.append(id(self))
        return int(self) <= other


@each("name", MECHANISMS)
def test_a_draw_is_compared_with_the_bounds_of_all_answers(name):
    """Numbers of other sizes in another row take other times, so no row is left out."""
    for design, answers, tosses in designs(name):
        if not isinstance(design, DrawnTable):
            continue
        seen: list[int] = []
        kind = type("Bound", (Noted,), {"seen": seen})
        bounds = tuple(tuple(map(kind, row)) for row in design._bounds)
        design.__dict__["_bounds"] = bounds
        every = [id(bound) for row in bounds for bound in row]
        for data in tosses:
            for answer in answers:
                work(partial(design.perturb, answer), data)
                assert seen == every, f"{design}, {answer}"
                seen.clear()
