"""What is accepted is answered soon, whatever comes: queues simulated with a clock of their own."""

from collections import deque
from contextlib import suppress

from tossup.server.refusals import Busy
from tossup.server.web.serving.admission import Admission

LATE = 0.1


class Queue:
    """A server that does one piece of work after the other, behind an `Admission`."""

    def __init__(self, least: int = 16, start: int = 32) -> None:
        self.now = 0.0
        self._admission = Admission(start, least, lambda: LATE, lambda: self.now)
        self._waiting: deque[tuple[int, float]] = deque()
        self._free = 0.0
        self.waits: list[float] = []
        self.refused = 0

    def run(self, seconds: float, arrivals: float, work: float, size: int = 1) -> None:
        """Let so many pieces of work come a second, each of which takes ``work`` seconds."""
        self.waits, self.refused = [], 0
        end = self.now + seconds
        while self.now < end:
            self._finish(work)
            try:
                self._waiting.append((size, self._admission.enter(size)))
            except Busy:
                self.refused += 1
            self.now += 1 / arrivals

    def _finish(self, work: float) -> None:
        come = self.now
        while self._waiting and max(self._free, self._waiting[0][1]) + work <= come:
            size, began = self._waiting.popleft()
            self.now = self._free = max(self._free, began) + work
            self._admission.leave(size, began)
            self.waits.append(self.now - began)
        self.now = come

    def worst(self, share: float = 0.99) -> float:
        return sorted(self.waits)[int(share * (len(self.waits) - 1))]


def test_nothing_is_refused_while_the_server_keeps_up() -> None:
    """At nine tenths of what it can do."""
    queue = Queue()
    queue.run(5, arrivals=900, work=0.001)

    assert 0 == queue.refused
    assert queue.worst() < 0.01


def test_too_much_is_refused_before_what_is_accepted_waits() -> None:
    """At 2 to 50 times of what it can do, it does nearly as much as it can, and none waits long."""
    for times in (2, 5, 50):
        queue = Queue()
        queue.run(8, arrivals=200 * times, work=0.005)

        assert queue.worst() < 3 * LATE, times
        assert len(queue.waits) > 0.95 * 8 * 200, times
        assert queue.refused > 0.9 * 8 * 200 * (times - 1), times


def test_a_server_that_gets_slow_lets_less_in() -> None:
    """A disk that takes ten times as long, and is fast again: so is what waits for it."""
    queue = Queue()
    for work in (0.001, 0.01, 0.001):
        queue.run(5, arrivals=3000, work=work)  # until it has learned
        queue.run(2, arrivals=3000, work=work)

        assert queue.worst() < 3 * LATE, work
        assert len(queue.waits) > 0.9 * 2 / work, work


def test_large_pieces_of_work_take_more_room() -> None:
    """So many that a few of them are enough; one alone is let in however large it is."""
    queue = Queue()
    queue.run(5, arrivals=1000, work=0.01, size=100)

    assert queue.worst() < 3 * LATE
    assert len(queue.waits) > 0.9 * 5 * 100
    queue = Queue()
    queue.run(1, arrivals=10, work=0.01, size=1 << 30)
    assert 0 == queue.refused


def test_small_pieces_of_work_do_not_keep_a_large_one_out() -> None:
    """However large it is, half of the least room is enough; it gives back what it took."""
    admission = Admission(256, 128, lambda: LATE)
    for _ in range(3):
        with admission.place(1), admission.place(1 << 30):
            pass


def in_groups(late: float, disk: float, work: float, senders: int) -> float:
    """Return how many of some senders' pieces of work a server commits in a second, in groups.

    What waits is committed together, as long as the ``disk`` takes beside the ``work`` on each
    piece; then each sender sends the next piece, also one that was refused.
    """
    now, end, waiting, done = 0.0, 60 * disk, [], 0
    admission = Admission(32, 16, lambda: late, lambda: now)
    while now < end:
        group, waiting = waiting, []
        for _ in range(senders - len(group)):  # they come while the group before is committed
            with suppress(Busy):
                waiting.append(admission.enter(1))
        now += disk + work * len(group)
        for began in group:
            admission.leave(1, began)
        done += len(group) if now > end / 2 else 0
    return 2 * done / end


def test_a_slow_disk_is_used_by_more_at_once() -> None:
    """Work that waits for the disk is not late for that; else a disk a thousand times slower would
    do a thousandth, though what it commits together costs it no more."""
    for disk in (0.05, 0.5):
        most = in_groups(1e9, disk, 0.001, senders=10_000)

        assert in_groups(LATE + 4 * disk, disk, 0.001, senders=10_000) > most / 2, disk


def test_a_disk_that_is_always_late_does_the_least() -> None:
    """Work is never shut out whole: the least room is used."""
    queue = Queue()
    queue.run(60, arrivals=100, work=0.2)

    assert len(queue.waits) > 0.9 * 60 / 0.2
    assert queue.worst() < 0.2 * 20
