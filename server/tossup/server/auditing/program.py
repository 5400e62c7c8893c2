"""Run any program on answers: one line in, one line out.

The program may be written in any language. It reads one answer a line, as a decimal index, and
writes one report a line, as a decimal number; the n-th report is the n-th answer's. It ends when
its input does. Nothing else is asked: it may answer at once or after reading everything.
"""

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from threading import Event, Thread
from types import TracebackType
from typing import IO, Final, Self

import numpy as np
from numpy.typing import NDArray

from tossup.server.auditing.errors import (
    AuditError,
    CannotStartError,
    CrashedError,
    HungError,
    WrongCountError,
)

Places = NDArray[np.uint16]

_BLOCK: Final = 1 << 13  # lines, about
_SHOWN: Final = 500  # bytes at the end of what a program wrote on standard error


def run(
    command: Sequence[str],
    answers: Sequence[int],
    trials: int,
    timeout_seconds: float,
    count: Callable[[Places, list[bytes]], None],
    *,
    longest_line: int,
) -> None:
    """Give a program every answer exactly ``trials`` times, all of them mixed in a random order.

    Parameters
    ----------
    command
        The program and its arguments; no shell is involved.
    answers
        The answers to give, as numbers; at most 1024.
    trials
        How often each answer is given.
    timeout_seconds
        How long the program may neither read nor write before it is stopped.
    count
        Takes a block of places in ``answers``, in which all come equally often, and the line
        of each.
    longest_line
        In bytes; a longer one is no report, and is not read to its end.

    Raises
    ------
    AuditError
        If the program cannot be started, crashes, hangs, or writes anything but one line for
        each answer; and what ``count`` raises.
    """
    plan = _plan(len(answers), trials)
    words = [b"%d\n" % answer for answer in answers]
    with _Program(command, plan, words, timeout_seconds, longest_line) as program:
        for block in plan:
            count(block, program.take(len(block)))
        program.end()


def _plan(answers: int, trials: int) -> list[Places]:
    """Return the places of answers to give, in blocks; all but the last are one, repeated."""
    each = max(1, _BLOCK // answers)
    whole, rest = divmod(trials, each)
    return [_mixed(answers, each)] * whole + ([_mixed(answers, rest)] if rest else [])


def _mixed(answers: int, each: int) -> Places:
    block = np.repeat(np.arange(answers, dtype=np.uint16), each)
    np.random.default_rng().shuffle(block)  # an order, not a coin
    return block


class _Program:
    """A running program: one thread feeds it, one stops it when nothing happens any more."""

    def __init__(
        self,
        command: Sequence[str],
        plan: Iterable[Places],
        words: Sequence[bytes],
        timeout_seconds: float,
        longest_line: int,
    ) -> None:
        self._timeout_seconds = timeout_seconds
        self._longest_line = longest_line
        self._happened = Event()
        self._over = self._hung = False
        self._taken = 0
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the program)
        self._process = self._start(command)
        self._threads = [
            Thread(target=self._feed, args=(plan, words)),
            Thread(target=self._guard),
        ]
        for thread in self._threads:
            thread.start()

    def take(self, n: int) -> list[bytes]:
        """Return the next n lines."""
        line = partial(self._pipe(self._process.stdout).readline, self._longest_line)
        lines = list(islice(iter(line, b""), n))
        self._happened.set()
        self._taken += len(lines)
        if len(lines) < n:
            raise self._failure() or WrongCountError(
                f"the program ended after {self._taken} reports; it must give one for each answer"
            )
        return lines

    def end(self) -> None:
        """Wait until the program has ended; it must have nothing more to say."""
        if self._pipe(self._process.stdout).read(1):
            raise WrongCountError("the program gives more reports than it gets answers")
        failure = self._failure()
        if failure is not None:
            raise failure

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over = True
        self._happened.set()
        self._kill()
        for thread in self._threads:
            thread.join()
        self._process.wait()
        self._pipe(self._process.stdout).close()
        self._complaints.close()

    def _start(self, command: Sequence[str]) -> "subprocess.Popen[bytes]":
        pipe = subprocess.PIPE
        try:
            # Running a program that the user names is what this command is for.
            return subprocess.Popen(  # noqa: S603
                command, stdin=pipe, stdout=pipe, stderr=self._complaints, start_new_session=True
            )
        except OSError as error:
            self._complaints.close()
            raise CannotStartError(
                f"the program {command[0]!r} cannot be started: {error.strerror}"
            ) from error

    def _feed(self, plan: Iterable[Places], words: Sequence[bytes]) -> None:
        stdin = self._pipe(self._process.stdin)
        # A program that stops reading has ended or is stopped; `take` and `end` say which.
        with suppress(OSError):
            for block in plan:
                stdin.write(b"".join([words[answer] for answer in block.tolist()]))
                self._happened.set()
        with suppress(OSError):
            stdin.close()

    def _guard(self) -> None:
        while not self._over:
            if not self._happened.wait(self._timeout_seconds):
                self._hung = True
                self._kill()
                return
            self._happened.clear()

    def _kill(self) -> None:
        """Stop the program and what it has started; they share a process group."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _failure(self) -> AuditError | None:
        """Return why the program failed, once its output has ended."""
        code = self._process.wait()
        if self._hung:
            seconds = f"{self._timeout_seconds:g}"
            return HungError(f"the program did nothing for {seconds} seconds and was stopped")
        if code:
            return CrashedError(f"the program failed with exit code {code}{self._last_words()}")
        return None

    def _last_words(self) -> str:
        size = self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, size - _SHOWN))
        lines = self._complaints.read().decode(errors="replace").split("\n")
        said = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f": {said}" if said else ""

    @staticmethod
    def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
        if pipe is None:
            raise TypeError("the program was started without pipes")
        return pipe
