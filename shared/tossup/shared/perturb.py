"""Perturb answers in bulk: one answer a line in, one report a line out.

For auditing: ``tossup audit`` runs this module, or any program in any language that does the
same, and tests the reports against the mechanism's exact channel. ::

    echo 1 | python -m tossup.shared.perturb '{"name": "two-coin/1"}' 2

The arguments are the mechanism as a manifest has it, and the number of answers. A line holds
the index of an answer; the line out, the number of its report.
"""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from tossup.shared import strict_json
from tossup.shared.errors import AnswerError, TossupError, WireError
from tossup.shared.mechanisms import Mechanism, from_spec

USAGE: Final = """usage: python -m tossup.shared.perturb '{"name": "two-coin/1"}' ANSWERS"""

_LINES: Final = 4096  # written at once


def perturbed(mechanism: Mechanism, lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the report of each line's answer, in order, each tossed afresh.

    Raises
    ------
    AnswerError
        If a line is no answer. The message names the line and does not show it.
    """
    for number, line in enumerate(lines, start=1):
        try:
            report = mechanism.perturb(int(line))
        except (ValueError, AnswerError):
            raise AnswerError(f"line {number} is no answer") from None
        yield b"%d\n" % report


def main(arguments: list[str]) -> None:
    """Perturb standard input to standard output."""
    try:
        reports = perturbed(_mechanism(*arguments), sys.stdin.buffer)
        while block := b"".join(islice(reports, _LINES)):
            sys.stdout.buffer.write(block)
    except (TypeError, ValueError, WireError):
        sys.exit(USAGE)
    except TossupError as error:
        sys.exit(f"perturb: {error}")


def _mechanism(spec: str, answers: str) -> Mechanism:
    found = strict_json.loads(spec.encode(), 1 << 16)
    if not isinstance(found, dict):
        raise WireError("a mechanism is an object")
    return from_spec(found, int(answers))


if __name__ == "__main__":
    main(sys.argv[1:])
