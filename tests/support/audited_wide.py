"""A program to audit, right or wrong on purpose: ``python audited_wide.py FAULT SPEC ANSWERS``.

It takes a device's own mechanism, one with many reports, and breaks what a port could break: a
coin of 0.6, a lie that may be the truth, a threshold, a position in clear, a sign, a cap. Faults of
one name are told apart by what the mechanism is.
"""

import json
import secrets
import sys
from collections.abc import Callable

from tossup.shared.mechanisms import (
    GridMechanism,
    Mechanism,
    PerOptionBits,
    PrefixExtending,
    PrivUnit,
    RankedChoice,
    SampledOptions,
    SeveralMechanism,
    VectorLaplace,
    VectorMechanism,
    from_spec,
)
from tossup.shared.mechanisms.choices.oracle import BlockOracle
from tossup.shared.mechanisms.choices.prefix_extending import Oracle
from tossup.shared.mechanisms.choices.unary import UnaryEncoding
from tossup.shared.mechanisms.digits import from_digits, to_digits
from tossup.shared.mechanisms.scores.ranked_choice import order_of

Tossed = Callable[[int], int]


def chance(numerator: int, denominator: int) -> bool:
    """Toss a coin."""
    return secrets.randbelow(denominator) < numerator


def plain(oracle: Oracle, bucket: int) -> int:
    """Return a report that names a bucket, and no more others than it must."""
    if isinstance(oracle, BlockOracle):
        return oracle.member(bucket, 0)
    return 1 << bucket if isinstance(oracle, UnaryEncoding) else bucket


def truthful(design: Mechanism, answer: int) -> int:
    """Return the report that names the truth, from the first place on."""
    if isinstance(design, SampledOptions):
        start = secrets.randbelow(design.options)
        return start << design.asked | design._from(start, answer)
    if isinstance(design, VectorMechanism):
        middle, share = (design.levels - 1) / 2, (design.levels - 1) / (2 * design.radius)
        share = 1 if isinstance(design, VectorLaplace) else share
        digits = [
            min(design.levels - 1, round(middle + part * share)) for part in design.point(answer)
        ]
        return from_digits(digits, design.levels)
    if isinstance(design, PrefixExtending):
        slot = secrets.randbelow(design.slots)
        bucket = design.bucket(answer, *divmod(slot, design.rows))
        return slot * design.oracle.reports + plain(design.oracle, bucket)
    if isinstance(design, RankedChoice):
        return order_of(answer, design.options)[0]
    if isinstance(design, GridMechanism):
        return answer * (design.reports - 1) // (design.answers - 1)
    return answer


def in_clear(design: Mechanism, place: int) -> Tossed:
    """Leave one position as it is: an answer, an option, a component, a slot, a rank."""

    def toss(answer: int) -> int:
        report = design.perturb(answer)
        if isinstance(design, PerOptionBits):
            bit = 1 << place
            return report & ~bit | answer & bit
        if isinstance(design, SampledOptions):
            first = report >> design.asked
            at = (place - first) % design.options
            bit = (1 << at) & design._bits
            return report & ~bit | (design._from(first, answer) & bit)
        if isinstance(design, VectorMechanism):
            digits = list(to_digits(report, design.levels, design.dimension))
            digits[place] = to_digits(truthful(design, answer), design.levels, design.dimension)[
                place
            ]
            return from_digits(digits, design.levels)
        if isinstance(design, PrefixExtending):
            slot = report // design.oracle.reports
            bucket = design.bucket(answer, *divmod(slot, design.rows))
            clear = slot * design.oracle.reports + plain(design.oracle, bucket)
            return clear if slot == place else report
        if isinstance(design, RankedChoice):
            first = order_of(answer, design.options)[0]
            return first if first == place else report
        return truthful(design, answer) if answer == place else report

    return toss


def blurred(design: Mechanism, keep: int, of: int) -> Tossed:
    """Keep the report with this chance, and send another answer's else."""

    def toss(answer: int) -> int:
        if chance(keep, of):
            return design.perturb(answer)
        if isinstance(design, SeveralMechanism):
            return design.perturb(1 << secrets.randbelow(design.options))
        while not design.is_answer(other := secrets.randbelow(design.answers)):
            pass
        return design.perturb(other)

    return toss


def tells_more(design: Mechanism, more: int, of: int) -> Tossed:
    """Send the truth as it is with this chance: the lie may be the truth."""
    return lambda answer: truthful(design, answer) if chance(more, of) else design.perturb(answer)


def turned_round(design: Mechanism) -> Tossed:
    """Take the opposite answer: a sign, the other side of a grid, ticks for no ticks."""

    def toss(answer: int) -> int:
        if isinstance(design, VectorMechanism):
            opposite = [design.radius - part for part in design.point(answer)]
            return design.perturb(from_digits(opposite, 2 * design.radius + 1))
        if isinstance(design, SeveralMechanism):
            report = design.perturb(answer)
            return report ^ (
                design._bits if isinstance(design, SampledOptions) else design.answers - 1
            )
        return design.perturb(design.answers - 1 - answer)

    return toss


def cap_dropped(design: PrivUnit) -> Tossed:
    """Take any direction."""
    design = PrivUnit(design.dimension, design.radius, design.cap, 2**32, 2**32 - 1)
    return design.perturb


def start_by_answer(design: SampledOptions) -> Tossed:
    """Ask from the answer's first ticked option on, half of the time."""

    def toss(answer: int) -> int:
        report = design.perturb(answer)
        first = (answer & -answer).bit_length() - 1
        if first < 0 or chance(1, 2):
            return report
        turned = report & design._bits ^ design._from(report >> design.asked, answer)
        return first << design.asked | design._from(first, answer) ^ turned

    return toss


def same_coin(design: Mechanism) -> Tossed:
    """Toss one coin for the first two positions."""

    def toss(answer: int) -> int:
        report = design.perturb(answer)
        if isinstance(design, PerOptionBits):
            return report & ~2 | (report & 1) << 1 if answer & 3 in {0, 3} else report
        digits = list(to_digits(report, design.levels, design.dimension))
        parts = design.point(answer)
        if parts[0] == parts[1]:
            digits[1] = digits[0]
        return from_digits(digits, design.levels)

    return toss


def toss_of(fault: str, design: Mechanism) -> Tossed:
    """Return the program of this name."""
    name, _, number = fault.partition(":")
    if name == "right":
        return design.perturb
    if name == "clear":
        return in_clear(design, int(number))
    if name == "first coin 0.6":  # where 1/2 is right
        return tells_more(design, 1, 5)
    if name == "first coin 0.4":
        return blurred(design, 4, 5)
    if name == "lie may be true":
        return tells_more(design, 1, 4)
    if name == "byte < p*255":  # one value of a byte falls on the wrong side
        return tells_more(design, 1, 255)
    if name == "turned round":
        return turned_round(design)
    return {"cap dropped": cap_dropped, "start": start_by_answer, "one coin": same_coin}[name](
        design
    )


def main(fault: str, spec: str, answers: str) -> None:
    """Answer until the input ends."""
    toss = toss_of(fault, from_spec(json.loads(spec), int(answers)))
    for line in sys.stdin:
        print(toss(int(line)))


if __name__ == "__main__":
    main(*sys.argv[1:])
