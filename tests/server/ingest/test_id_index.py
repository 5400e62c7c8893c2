"""The index of ids is a dictionary in a fifth of the memory, whatever is asked of it."""

import random
import secrets
import threading
import tracemalloc
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from unittest import mock

import numpy as np
import pytest

from tossup.server.ingest.decoding import id_rows
from tossup.server.ingest.ids import filters as id_filters
from tossup.server.ingest.ids import generations as id_generations
from tossup.server.ingest.ids import halves as id_halves
from tossup.server.ingest.ids import index as id_index
from tossup.server.ingest.ids import runs as id_runs
from tossup.server.ingest.ids import settled as id_settled
from tossup.server.ingest.ids import threads as id_threads
from tossup.server.ingest.ids import unsorted as id_unsorted
from tossup.server.ingest.ids.index import IdIndex, Place
from tossup.server.store.records import IdBlock, StorageFailed


@pytest.fixture
def small(monkeypatch):
    """Runs of few ids, so that some hundred are settled, merged, and kept apart."""
    monkeypatch.setattr(id_index, "_YOUNG", 16)
    monkeypatch.setattr(id_index, "_MANY", 6)
    monkeypatch.setattr(id_index, "MOST", 64)
    monkeypatch.setattr(id_unsorted, "_SORTED", 40)
    for of in (id_generations, id_settled):
        monkeypatch.setattr(of, "SHORT", 24)
    monkeypatch.setattr(id_generations, "_FAN", 3)
    monkeypatch.setattr(id_settled, "MOST", 64)
    monkeypatch.setattr(id_generations, "_LARGEST", 48)
    monkeypatch.setattr(id_generations, "_FIRST", 32)
    monkeypatch.setattr(id_index, "FEW", 4)
    monkeypatch.setattr(id_settled, "FEW", 4)


def pick(draw: random.Random, known: list[bytes], most: int) -> list[bytes]:
    """Return some ids, known and new ones, some of which share a half with others."""
    found = {draw.choice(known) for _ in range(draw.randrange(most)) if known}
    for _ in range(draw.randrange(most)):
        new = draw.randbytes(16)
        half = draw.choice(known) if known and draw.random() < 0.3 else new
        found.add(draw.choice([new, half[:8] + new[8:], new[:8] + half[8:]]))
    return sorted(found) or [draw.randbytes(16)]


def look_up(index: IdIndex, ids: list[bytes]) -> None:
    index.look_up(id_rows(b"".join(ids)))


def transact(draw: random.Random, index: IdIndex, model: dict[bytes, int], number: int) -> None:
    """Admit, move and withdraw as a commit does, in the index and in a dictionary."""
    ids = pick(draw, list(model), 8)
    also = sorted({*draw.sample(ids, draw.randrange(2)), *pick(draw, [], 16)})
    look_up(index, [*ids, *also])
    for start, stop in ((0, len(ids)), (len(ids), len(ids) + len(also))):
        part = [*ids, *also][start:stop]
        new = [i for i, each in enumerate(part) if each not in model]
        place = Place()
        assert new == [*index.admit(start, stop, place)]
        place.chunk = number
        model.update((part[i], number) for i in new)
    if draw.random() < 0.5:  # else what came together goes on waiting
        return
    standing = [each for each, chunk in model.items() if chunk]
    moved = draw.sample(standing, min(len(standing), draw.randrange(6)))
    index.moved(moved, number + 1)
    model.update(dict.fromkeys(moved, number + 1))
    for each in pick(draw, list(model), 3):
        assert (model.get(each) or None) == index.chunk_of(each)
        assert (model.get(each) != 0) == index.withdraw(each)
        model[each] = 0


def agrees(index: IdIndex, model: dict[bytes, int]) -> bool:
    gone = sum(not chunk for chunk in model.values())
    same = all((chunk or None) == index.chunk_of(each) for each, chunk in model.items())
    return same and (len(model), gone) == (len(index), index.withdrawn)


def begin_some(draw: random.Random, work, *args) -> Future | None:
    """Do the work of a thread now, which is heard of later; or fail; or there is no thread."""
    if draw.random() < 0.1:
        return None
    future = Future()
    if draw.random() < 0.1:
        future.set_exception(MemoryError())
    else:
        future.set_result(work(*args))
    future.done = lambda: draw.random() < 0.4
    return future


def restarted(model: dict[bytes, int], number: int) -> IdIndex:
    """Return an index that learned at once what a dictionary holds, as after a start."""
    chunks = sorted({chunk for chunk in model.values() if chunk})
    places = [*chunks, *([0] if 0 in model.values() else [])]
    blocks = [
        IdBlock(chunk or None, b"".join(each for each, at in model.items() if at == chunk), number)
        for chunk in places
    ]
    index = IdIndex()
    index.begin()
    index.follow(blocks, number)
    return index


def test_it_says_what_a_dictionary_says(small, monkeypatch):
    """Over 400 commits, of which a third is taken back, what others committed, and restarts."""
    for seed in range(2):
        draw, index, model = random.Random(seed), IdIndex(), {}
        for of, name in ((id_index, "MOST"), (id_settled, "MOST"), (id_generations, "_FIRST")):
            monkeypatch.setattr(of, name, (64, 512)[seed])
        monkeypatch.setattr(id_threads, "begin", partial(begin_some, draw))
        for number in range(2, 402, 2):
            if draw.random() < 0.05:
                index = restarted(model, number)
            index.begin()
            if draw.random() < 0.1:
                known = [each for each, chunk in model.items() if chunk]
                ids = pick(draw, draw.choice([known, []]), 20)
                gone = pick(draw, list(model), 4) if draw.random() < 0.5 else []
                model.update(dict.fromkeys(ids, number))
                model.update(dict.fromkeys(gone, 0))
                blocks = [IdBlock(number, b"".join(ids)), IdBlock(None, b"".join(gone), number)]
                index.follow(blocks[: 1 + bool(gone)], number)
                assert all((model[each] or None) == index.chunk_of(each) for each in ids)
            after = dict(model)
            transact(draw, index, after, number)
            if draw.random() < 1 / 3:
                index.rollback()
            else:
                model = after
            if number % 60 == 0:
                index.begin()
                assert agrees(index, model), f"seed {seed}, commit {number}"


def test_a_restart_learns_all_at_once(small):
    """As if block by block; where an id stands twice, the last block counts."""
    ids = [secrets.token_bytes(16) for _ in range(200)]
    blocks = [IdBlock(i + 1, b"".join(ids[10 * i : 10 * i + 10])) for i in range(20)]
    for more, last in (
        ([IdBlock(None, secrets.token_bytes(32), 1)], 20),
        ([IdBlock(7, ids[199])], 7),
    ):
        index = IdIndex()
        index.begin()
        index.follow([*blocks, *more], 5)

        assert [1, 1, 20, last] == [index.chunk_of(ids[i]) for i in (0, 9, 198, 199)]
        assert last != 20 or (202, 2) == (len(index), index.withdrawn)


@pytest.fixture
def unsorted(small, monkeypatch):
    """An index of ids that were read after a start, and the ids: ten in each of 12 chunks.

    Threads sort them; whether they have, a list of one says, so that tests can choose.
    """
    ended = [False]
    monkeypatch.setattr(id_unsorted.Unsorted, "is_sorted", lambda _: ended[0])
    ids = [secrets.token_bytes(16) for _ in range(120)]
    index = IdIndex()
    index.begin()
    blocks = [IdBlock(i + 1, b"".join(ids[10 * i : 10 * i + 10])) for i in range(12)]
    index.follow(blocks, 5)
    return index, ids, ended


def sort_all(index: IdIndex) -> None:
    """Wait until threads have sorted all, and take it."""
    for each in index._settled._generations:
        if isinstance(each, id_unsorted.Unsorted):
            each._sorting.result()
    look_up(index, [secrets.token_bytes(16)])


def left(index: IdIndex) -> int:
    """Return how many generations are not sorted."""
    return sum(isinstance(each, id_unsorted.Unsorted) for each in index._settled._generations)


def test_before_threads_have_sorted_what_was_read_it_is_known(unsorted, monkeypatch):
    """Ids are found where they stand, and no commit waits for a thread; then all are taken."""
    index, ids, ended = unsorted
    new = [secrets.token_bytes(16) for _ in range(8)]
    with monkeypatch.context() as patch:
        patch.setattr(id_unsorted.Unsorted, "generation", waits := mock.Mock())
        look_up(index, [*new, ids[95], ids[3]])

        assert [*range(8)] == [*index.admit(0, 10, Place(21))]
        assert [None, 21, 10, 1] == [
            index.chunk_of(each) for each in (secrets.token_bytes(16), new[0], ids[95], ids[3])
        ]
        assert (128, 2, False) == (len(index), left(index), waits.called)
    ended[0] = True
    index.begin()
    look_up(index, [secrets.token_bytes(16)])
    assert 0 == left(index)
    assert all(i // 10 + 1 == index.chunk_of(each) for i, each in enumerate(ids))


def test_what_changes_before_it_is_sorted_stays_so(unsorted):
    """A withdrawal and a move, amid a commit in which threads end, and after one."""
    index, ids, ended = unsorted
    look_up(index, [ids[3], ids[90]])
    assert index.withdraw(ids[3])
    index.begin()
    assert index.withdraw(ids[90])
    assert ([None, 1], 2) == ([index.chunk_of(ids[i]) for i in (3, 4)], left(index))
    ended[0] = True
    index.moved(ids[110:], 13)  # which were not looked up
    index.begin()

    assert [None, None, 13] == [index.chunk_of(ids[i]) for i in (3, 90, 119)]
    assert (0, 2) == (left(index), index.withdrawn)
    assert not index.withdraw(ids[3])


def test_ids_that_cannot_all_be_read_are_read_again(small):
    """A database that goes away in the middle leaves nothing learned."""
    ids = [secrets.token_bytes(16) for _ in range(120)]

    def until(end):
        for i in range(12):
            if i == end:
                raise StorageFailed("gone")
            yield IdBlock(i + 1, b"".join(ids[10 * i : 10 * i + 10]))

    index = IdIndex()
    index.begin()
    with pytest.raises(StorageFailed):
        index.follow(until(9), 5)
    index.rollback()
    assert 0 == len(index)
    index.begin()
    index.follow(until(12), 5)
    assert 120 == len(index)
    with pytest.raises(StorageFailed):
        index.follow(until(9), 6)
    index.rollback()
    assert all(i // 10 + 1 == index.chunk_of(each) for i, each in enumerate(ids))


def test_what_a_thread_failed_to_sort_is_sorted_again(small, monkeypatch, caplog):
    """No commit fails where there was no memory for it, and the log says so once a minute."""
    monkeypatch.setattr(id_threads, "SPARE", 0)
    ids = [secrets.token_bytes(16) for _ in range(120)]
    index = IdIndex()
    index.begin()
    index.follow([IdBlock(1, b"".join(ids[:60])), IdBlock(2, b"".join(ids[60:]))], 5)
    with monkeypatch.context() as patch:
        patch.setattr(id_unsorted, "sorted_run", mock.Mock(side_effect=MemoryError))
        for _ in range(3):
            look_up(index, [ids[3]])
            for waiting in index._settled._generations:
                assert isinstance(waiting._sorting.exception(), MemoryError)
    look_up(index, [ids[3]])
    sort_all(index)
    look_up(index, [ids[3]])

    assert (1, 0, 120) == (index.chunk_of(ids[3]), left(index), len(index))
    assert ["ids could not be sorted, and are again: MemoryError"] == caplog.messages


def test_where_no_thread_can_be_had_ids_are_looked_through_as_they_stand(small, monkeypatch):
    error = RuntimeError("can't start new thread")
    ids = [secrets.token_bytes(16) for _ in range(120)]
    index = IdIndex()
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", mock.Mock(side_effect=error))
        index.begin()
        index.follow([IdBlock(1, b"".join(ids[:60])), IdBlock(2, b"".join(ids[60:]))], 5)
        new = secrets.token_bytes(16)
        look_up(index, [new, ids[3]])

        assert [0] == [*index.admit(0, 2, Place(13))]
        assert (13, 1) == (index.chunk_of(new), index.chunk_of(ids[3]))
    index.begin()
    look_up(index, [ids[3]])
    sort_all(index)
    look_up(index, [ids[3]])
    assert (1, 0) == (index.chunk_of(ids[3]), left(index))


def test_what_moves_before_a_merged_generation_is_taken_stays_moved(small, monkeypatch):
    """A thread has merged them, and it is taken when ids are added the next time."""
    monkeypatch.setattr(id_settled.Settled, "take_folded", lambda _: None)
    monkeypatch.setattr(id_settled, "MOST", 512)
    ids, index = [secrets.token_bytes(16) for _ in range(200)], IdIndex()
    for start in range(0, 200, 10):
        look_up(index, ids[start : start + 10])
        index.admit(0, 10, Place(start + 1))
        index.begin()
        if fold := index._settled._fold:
            fold._one.result()
            if not index.withdrawn:
                index.moved(ids[1:2], 99)
                assert index.withdraw(ids[0])
                index.begin()

    assert 1 == index.withdrawn
    assert not index.withdraw(ids[0])
    assert [None, 99, 1] == [index.chunk_of(each) for each in ids[:3]]


def test_where_there_is_no_memory_a_begin_that_is_repeated_loses_nothing(small, monkeypatch):
    """At the first call of each of these, in a commit that does not come to its own work."""
    monkeypatch.setattr(id_settled, "MOST", 512)
    for of in (id_generations, id_settled):
        monkeypatch.setattr(of, "SHORT", 48)
    failing = (
        (id_generations, "Run"),
        (id_generations, "merged"),
        (id_settled, "folded"),
        (id_settled, "Fold"),
        (id_filters.Filter, "add"),
        (id_index, "sorted_keys"),
        (id_index, "_numbers"),
        (id_runs.Run, "move_as"),
        (id_threads, "begin"),
    )
    for of, name in failing:
        draw, index, model, failed = random.Random(1), IdIndex(), {}, 0
        for number in range(2, 122, 2):
            with monkeypatch.context() as patch:
                made = mock.Mock(side_effect=MemoryError)
                patch.setattr(of, name, made)
                with suppress(MemoryError):
                    index.begin()
                failed += made.called
            index.begin()
            transact(draw, index, model, number)
            if number % 20 == 0:
                index.begin()
                assert agrees(index, model), f"{name}, commit {number}"
        assert failed, name


def test_a_chunk_that_grew_and_could_not_be_learned_is_learned_later(small, monkeypatch):
    ids = [secrets.token_bytes(16) for _ in range(3)]
    index = IdIndex()
    index.begin()
    index.follow([IdBlock(1, ids[0])], 1)
    with monkeypatch.context() as patch:
        patch.setattr(id_index, "split", mock.Mock(side_effect=MemoryError))
        with pytest.raises(MemoryError):
            index.follow([IdBlock(1, ids[0] + ids[1])], 2)
    index.rollback()
    assert ids[1] not in index
    index.follow([IdBlock(1, ids[0] + ids[1])], 2)

    assert (1, 1, None) == tuple(map(index.chunk_of, ids))


def test_ids_that_had_no_memory_are_new_again(small):
    """The dictionary takes one of three, and none once it is rolled back."""

    class Full(dict):
        def update(self, more):
            super().update(list(more.items())[:1])
            if more:
                raise MemoryError

    ids = [secrets.token_bytes(16) for _ in range(3)]
    index = IdIndex()
    index._young = Full()
    look_up(index, ids)
    with pytest.raises(MemoryError):
        index.admit(0, 3, Place(1))
    index._young = dict(index._young)
    index.rollback()

    assert not any(each in index for each in ids)


def test_a_merged_generation_is_taken_though_nothing_is_added(small, monkeypatch):
    """Else all its ids stand in memory twice until many more reports come."""
    monkeypatch.setattr(id_settled, "MOST", 512)
    index = IdIndex()
    while not index._settled._fold:
        look_up(index, [secrets.token_bytes(16) for _ in range(10)])
        index.admit(0, 10, Place(1))
        index.begin()
    for _ in range(20):  # the next may begin with it
        if isinstance(fold := index._settled._fold and index._settled._fold._one, Future):
            fold.result()
        index.begin()

    assert index._settled._fold is None


def test_each_id_of_a_withdrawal_is_looked_through_once(unsorted, monkeypatch):
    """Not again for every question about it: ten million ids take a thirtieth of a second."""
    index, ids, _ = unsorted
    monkeypatch.setattr(id_settled, "Wanted", looked := mock.Mock(wraps=id_unsorted.Wanted))
    look_up(index, ids[:10])
    assert all(1 == index.chunk_of(each) and index.withdraw(each) for each in ids[:10])

    assert 1 == looked.call_count


def test_a_survey_of_few_reports_takes_a_few_kilobytes():
    """Of a hundred reports after a start, as tracemalloc measures it: a server may have many."""
    ids = b"".join(secrets.token_bytes(16) for _ in range(100))
    tracemalloc.start()
    index = IdIndex()
    index.begin()
    index.follow([IdBlock(1, ids)], 1)
    look_up(index, [ids[:16]])
    sort_all(index)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert 1 == index.chunk_of(ids[:16])
    assert size <= 1 << 14


def test_an_id_takes_at_most_28_bytes():
    """Of 200,000, the newest in a wide filter, with all else; as tracemalloc measures it."""
    ids = [secrets.token_bytes(16) for _ in range(200_000)]
    tracemalloc.start()
    index = IdIndex()
    index.begin()
    for start in range(0, len(ids), 1000):
        place = Place()
        look_up(index, ids[start : start + 1000])
        index.admit(0, 1000, place)
        place.chunk = start + 1
        index.begin()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert size / len(index) <= 28


def test_chosen_ids_are_spread_like_any_others():
    """Fifty thousand ids that share a half, or differ in their highest bits alone."""
    n = 50_000
    half = secrets.token_bytes(8)
    chosen = {
        "first half": [half + i.to_bytes(8, "little") for i in range(n)],
        "second half": [i.to_bytes(8, "little") + half for i in range(n)],
        "highest bits": [
            (i >> 9 << 55).to_bytes(8, "little") + ((i & 511) << 55).to_bytes(8, "little")
            for i in range(n)
        ],
    }
    for name, ids in chosen.items():
        first, _ = id_halves.halves(b"".join(ids))
        assert len(set(first.tolist())) > n - 10, name


def test_one_id_has_the_halves_and_the_bits_that_it_has_among_many():
    ids = [secrets.token_bytes(16) for _ in range(300)]
    first, second = id_halves.halves(b"".join(ids))
    singly = [id_halves.halves_of(each) for each in ids]

    assert list(zip(first.tolist(), second.tolist(), strict=True)) == singly
    bits = id_filters.Keys.of(first, second).bits
    assert bits.tolist() == [id_filters.bits_of_one(b) for _, b in singly]


def test_a_full_filter_stops_nearly_all_others_and_none_of_its_own():
    """Of ids that are not there one in 250 passes; by far fewer, or more, than one in 100 are."""
    n, others = 50_000, 100_000
    keys = id_filters.keys_of(secrets.token_bytes(16 * (n + others)))
    here = id_filters.Filter(n, id_filters.CLOSE)
    here.add(keys[:n])
    passed = here.passed(keys).tolist()

    assert list(range(n)) == passed[:n]
    assert len(passed) - n < others / 100
    assert all(
        here.pass_one(int(keys.first[i]), int(keys.bits[i])) == (i in set(passed))
        for i in [*range(0, n, 500), *passed[n : n + 50], *range(n, n + 50)]
    )


def test_of_equal_ids_in_two_runs_the_newer_counts():
    """As in a damaged store."""
    keys = id_filters.keys_of(secrets.token_bytes(16))
    runs = [id_runs.sorted_run(keys, np.array([chunk], dtype=id_runs.CHUNK)) for chunk in (1, 2)]
    one = id_runs.merged(runs)

    assert [2] == [one.chunk(at) for _, at in one.find(keys.first, keys.second)]
