"""A small program to audit, right or wrong on purpose: ``python audited.py DESIGN``.

It is written unlike the SDK, a block at a time, so that many trials take little time. Answers
have one digit; a design turns an answer and one random byte into a report.
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


def main(name: str) -> None:
    """Answer until the input ends."""
    design = DESIGNS[name]
    lines = [b"%d\n" % report for report in range(16)]
    while block := sys.stdin.buffer.read(1 << 16):
        answers = block[::2]
        pairs = zip(answers, os.urandom(len(answers)), strict=True)
        sys.stdout.buffer.write(b"".join([lines[design(a - 48, byte)] for a, byte in pairs]))


if __name__ == "__main__":
    main(sys.argv[1])
