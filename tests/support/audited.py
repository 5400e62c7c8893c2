"""A small program to audit, right or wrong on purpose: ``python audited.py DESIGN [OPTIONS]``.

It is written unlike the SDK, a block at a time, so that many trials take little time. Answers
have one digit; a design turns an answer and one random byte into a report. Masks of many options
are made of random masks, a line at a time.
"""

import os
import sys

DESIGNS = {
    "two coins": lambda answer, byte: (byte & 1) if byte & 2 else answer,
    "six-way": lambda answer, byte: (answer + max(0, (byte & 7) - 2)) % 6,
    # The first coin shows tails, for the truth, in 154 of 256, or in 102.
    "first coin 0.6": lambda answer, byte: answer if byte < 154 else byte & 1,
    "first coin 0.4": lambda answer, byte: answer if byte < 102 else byte & 1,
    # The lie is a fresh coin of 3/4 that may be the truth: 1 - 1/4 * 1/4 = 15/16.
    "lie may be true": lambda answer, byte: answer if byte < 240 else 1 - answer,
    "threshold of 255": lambda answer, byte: answer if byte < int(0.75 * 255) else 1 - answer,
    "byte < p*255": lambda answer, byte: answer if byte < 0.99 * 255 else 1 - answer,
    "always the truth": lambda answer, byte: answer,
    "never the truth": lambda answer, byte: 0,
    # Optimized unary encoding at odds 3 of four bits: bit i of the report is option i's.
    "four bits": lambda answer, byte: four_bits(answer, byte, clear=None),
    **{
        f"bit {place} in clear": lambda answer, byte, place=place: four_bits(answer, byte, place)
        for place in range(4)
    },
    **{
        f"position {place} in clear": lambda answer, byte, place=place: (
            answer if answer == place else (answer + max(0, (byte & 7) - 2)) % 6
        )
        for place in range(6)
    },
}


def four_bits(answer: int, byte: int, clear: int | None) -> int:
    """Set the true bit on a head, any other on two heads; the clear one as it is."""
    report = 0
    for place in range(4):
        pair = byte >> 2 * place & 3
        on = pair & 1 if place == answer else pair == 3
        if place == clear:
            on = place == answer
        report |= on << place
    return report


#: Optimized unary encoding at odds 3: the true bit, four masks of coins and the last bit to a mask.
WIDE = {
    "wide": lambda true, coins, last: wide(true, *coins),
    "wide, first in clear": lambda true, coins, last: in_clear(wide(true, *coins), true, 1),
    "wide, last in clear": lambda true, coins, last: in_clear(wide(true, *coins), true, last),
    # The true bit is set by 154 of 256 values of a byte.
    "wide, first coin 0.6": lambda true, coins, last: (
        wide(true, *coins) & ~true | true * (coins[3] & 255 < 154)
    ),
    "wide, one coin for two bits": lambda true, coins, last: one_coin(wide(true, *coins), true),
    "wide, never the truth": lambda true, coins, last: wide(true, *coins) & ~true,
}


def wide(true: int, one: int, two: int, three: int, _: int) -> int:
    """Set the true bit on a head, any other on two heads."""
    return one & two & ~true | three & true


def in_clear(report: int, true: int, place: int) -> int:
    """Leave one bit as it is."""
    return report & ~place | true & place


def one_coin(report: int, true: int) -> int:
    """Let the second bit be what the first is, unless one of them is the answer."""
    return report if true < 4 else report & ~2 | (report & 1) << 1


def main_wide(name: str, options: int) -> None:
    """Answer until the input ends, by masks."""
    design, size, last = WIDE[name], -(-options // 8), 1 << options - 1
    for line in sys.stdin.buffer:
        coins = [int.from_bytes(os.urandom(size), "little") for _ in range(4)]
        print(design(1 << int(line), coins, last) % (2 * last))


def main(name: str) -> None:
    """Answer until the input ends."""
    design = DESIGNS[name]
    lines = [b"%d\n" % report for report in range(16)]
    while block := sys.stdin.buffer.read(1 << 16):
        answers = block[::2]
        pairs = zip(answers, os.urandom(len(answers)), strict=True)
        sys.stdout.buffer.write(b"".join([lines[design(a - 48, byte)] for a, byte in pairs]))


if __name__ == "__main__":
    main_wide(sys.argv[1], int(sys.argv[2])) if sys.argv[2:] else main(sys.argv[1])
