"""The index of ids is a dictionary in a fifth of the memory, whatever is asked of it."""

import random
import secrets
import threading
import tracemalloc
from unittest import mock

import pytest

from tossup.server.ingest.ids import filters as id_filters
from tossup.server.ingest.ids import halves as id_halves
from tossup.server.ingest.ids import index as id_index
from tossup.server.ingest.ids import settled as id_settled
from tossup.server.ingest.ids import unsorted as id_unsorted
from tossup.server.ingest.ids.index import IdIndex, Place
from tossup.server.store.base import Cursor, IdBlock


@pytest.fixture
def small(monkeypatch):
    """Runs of few ids, so that some hundred are settled, merged, and kept apart."""
    monkeypatch.setattr(id_index, "_YOUNG", 16)
    monkeypatch.setattr(id_index, "_MANY", 6)
    monkeypatch.setattr(id_index, "_WAITING", 20)
    monkeypatch.setattr(id_index, "LONGEST", 64)
    monkeypatch.setattr(id_settled, "LONGEST", 64)
    monkeypatch.setattr(id_settled, "_FEW", 4)
    monkeypatch.setattr(id_settled, "_FIRST", 32)


def pick(draw: random.Random, known: list[bytes], most: int) -> list[bytes]:
    """Return some ids, known and new ones, some of which share a half with others."""
    found = {draw.choice(known) for _ in range(draw.randrange(most)) if known}
    for _ in range(draw.randrange(most)):
        new = draw.randbytes(16)
        half = draw.choice(known) if known and draw.random() < 0.3 else new
        found.add(draw.choice([new, half[:8] + new[8:], new[:8] + half[8:]]))
    return sorted(found) or [draw.randbytes(16)]


def transact(draw: random.Random, index: IdIndex, model: dict[bytes, int], number: int) -> None:
    """Admit, move and withdraw as a commit does, in the index and in a dictionary."""
    ids = pick(draw, list(model), 8)
    also = sorted({*draw.sample(ids, draw.randrange(2)), *pick(draw, [], 16)})
    index.look_up([*ids, *also])
    for start, stop in ((0, len(ids)), (len(ids), len(ids) + len(also))):
        part = [*ids, *also][start:stop]
        new = [i for i, each in enumerate(part) if each not in model]
        place = Place()
        assert new == index.admit(start, stop, place)
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


def restarted(model: dict[bytes, int], number: int) -> IdIndex:
    """Return an index that learned at once what a dictionary holds, as after a start."""
    chunks = sorted({chunk for chunk in model.values() if chunk})
    places = [*chunks, *([0] if 0 in model.values() else [])]
    blocks = [
        IdBlock(chunk or None, b"".join(each for each, at in model.items() if at == chunk))
        for chunk in places
    ]
    index = IdIndex()
    index.begin()
    index.follow(blocks, Cursor(number, number), number)
    return index


def test_it_says_what_a_dictionary_says(small, monkeypatch):
    """Over 400 commits, of which a third is taken back, what others committed, and restarts."""
    for seed in range(2):
        draw, index, model = random.Random(seed), IdIndex(), {}
        for name in ("LONGEST", "_FIRST"):
            monkeypatch.setattr(id_settled, name, (64, 512)[seed])
        monkeypatch.setattr(
            id_unsorted.Unsorted, "is_sorted", lambda _, draw=draw: draw.random() < 0.4
        )
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
                blocks = [IdBlock(number, b"".join(ids)), IdBlock(None, b"".join(gone))]
                blocks = blocks[: 1 + bool(gone)]
                index.follow(blocks, Cursor(number, number), number)
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
    for more, last in (([IdBlock(None, secrets.token_bytes(32))], 20), ([IdBlock(7, ids[199])], 7)):
        index = IdIndex()
        index.begin()
        index.follow([*blocks, *more], Cursor(20, 1), 5)

        assert [1, 1, 20, last] == [index.chunk_of(ids[i]) for i in (0, 9, 198, 199)]
        assert last != 20 or (202, 2) == (len(index), index.withdrawn)


def test_before_threads_have_sorted_what_was_read_it_is_known(small, monkeypatch):
    """An id of the middle is found where it stands; the others are, once they are sorted too."""
    ids = [secrets.token_bytes(16) for _ in range(200)]
    blocks = [IdBlock(i + 1, b"".join(ids[10 * i : 10 * i + 10])) for i in range(20)]
    monkeypatch.setattr(id_unsorted.Unsorted, "is_sorted", lambda _: False)
    index = IdIndex()
    index.begin()
    index.follow(blocks, Cursor(20, 0), 5)
    new = [secrets.token_bytes(16) for _ in range(8)]
    index.look_up([*new, ids[95], ids[3]])

    assert [*range(8)] == index.admit(0, 10, Place(21))
    assert [None, 21, 10, 1] == [
        index.chunk_of(each) for each in (secrets.token_bytes(16), new[0], ids[95], ids[3])
    ]
    assert 208 == len(index)
    monkeypatch.setattr(id_unsorted.Unsorted, "is_sorted", lambda _: True)
    for left in (1, 0):
        index.begin()
        index.look_up([secrets.token_bytes(16)])
        assert left == len(index._settled._unsorted)
    assert all(i // 10 + 1 == index.chunk_of(each) for i, each in enumerate(ids))


def test_a_withdrawal_outlives_what_is_sorted_amid_its_commit(small, monkeypatch):
    """The run where its id was found becomes part of another before the commit is certain."""
    ids = [secrets.token_bytes(16) for _ in range(120)]
    blocks = [IdBlock(i + 1, b"".join(ids[10 * i : 10 * i + 10])) for i in range(12)]
    monkeypatch.setattr(id_settled, "LONGEST", 128)
    monkeypatch.setattr(id_settled, "_FIRST", 4096)
    monkeypatch.setattr(id_unsorted.Unsorted, "is_sorted", lambda _: False)
    index = IdIndex()
    index.begin()
    index.follow(blocks, Cursor(12, 0), 5)
    index.look_up([ids[3]])
    assert index.withdraw(ids[3])

    index.moved(ids[110:], 13)  # which were not looked up
    index.begin()

    assert (None, 13) == (index.chunk_of(ids[3]), index.chunk_of(ids[119]))
    assert not index.withdraw(ids[3])
    assert 1 == index.withdrawn


@pytest.fixture
def unsorted(small):
    """An index of ids that were read after a start, and the ids: ten in each of 12 chunks."""
    ids = [secrets.token_bytes(16) for _ in range(120)]
    index = IdIndex()
    index.begin()
    blocks = [IdBlock(i + 1, b"".join(ids[10 * i : 10 * i + 10])) for i in range(12)]
    index.follow(blocks, Cursor(12, 0), 5)
    return index, ids


def test_what_a_thread_failed_to_sort_is_sorted_again(unsorted, monkeypatch):
    """One commit fails where there was no memory for it, and none after it."""
    index, ids = unsorted
    with monkeypatch.context() as patch:
        patch.setattr(id_unsorted, "sorted_run", mock.Mock(side_effect=MemoryError))
        index.look_up([secrets.token_bytes(16)])
        for waiting in index._settled._unsorted:
            assert isinstance(waiting._sorting.exception(), MemoryError)
    with pytest.raises(MemoryError):
        index.look_up([ids[3]])
    index.rollback()
    index.begin()
    index.look_up([ids[3]])

    assert 1 == index.chunk_of(ids[3])
    assert 120 == len(index)


def test_where_no_thread_can_be_had_ids_are_looked_through_as_they_stand(unsorted, monkeypatch):
    index, ids = unsorted
    error = RuntimeError("can't start new thread")
    monkeypatch.setattr(threading.Thread, "start", mock.Mock(side_effect=error))
    new = secrets.token_bytes(16)
    index.look_up([new, ids[3]])

    assert [0] == index.admit(0, 2, Place(13))
    assert (13, 1) == (index.chunk_of(new), index.chunk_of(ids[3]))


def test_each_id_of_a_withdrawal_is_looked_through_once(unsorted, monkeypatch):
    """Not again for every question about it: ten million ids take a thirtieth of a second."""
    index, ids = unsorted
    monkeypatch.setattr(id_unsorted.Unsorted, "is_sorted", lambda _: False)
    monkeypatch.setattr(id_settled, "Wanted", looked := mock.Mock(wraps=id_unsorted.Wanted))
    index.look_up(ids[:10])
    assert all(1 == index.chunk_of(each) and index.withdraw(each) for each in ids[:10])

    assert 1 == looked.call_count


def test_a_survey_of_few_reports_takes_a_few_kilobytes():
    """Of a hundred reports after a start, as tracemalloc measures it: a server may have many."""
    ids = b"".join(secrets.token_bytes(16) for _ in range(100))
    tracemalloc.start()
    index = IdIndex()
    index.begin()
    index.follow([IdBlock(1, ids)], Cursor(1, 0), 1)
    index.look_up([ids[:16]])
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert 1 == index.chunk_of(ids[:16])
    assert size <= 1 << 14


def test_an_id_takes_at_most_24_bytes():
    """Of 200,000, with all that the index holds besides; as tracemalloc measures it."""
    ids = [secrets.token_bytes(16) for _ in range(200_000)]
    tracemalloc.start()
    index = IdIndex()
    index.begin()
    for start in range(0, len(ids), 1000):
        place = Place()
        index.look_up(ids[start : start + 1000])
        index.admit(0, 1000, place)
        place.chunk = start + 1
        index.begin()
    while len(index._many_ids):  # the newest are bounded, and not each id's
        index.look_up([secrets.token_bytes(16) for _ in range(1000)])
        index.admit(0, 1000, place)
        index.begin()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert size / len(index) <= 24


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
    assert id_filters.bits_of(second).tolist() == [id_filters.bits_of_one(b) for _, b in singly]


def test_a_full_filter_stops_nearly_all_others_and_none_of_its_own():
    """Of ids that are not there one in 188 passes; by far fewer, or more, than one in 100 are."""
    n, others = 50_000, 100_000
    first, second = id_halves.halves(secrets.token_bytes(16 * (n + others)))
    order = first[:n].argsort()
    here = id_filters.Filter(n)
    here.add(first[:n][order], second[:n][order])
    passed = here.passed(first, id_filters.bits_of(second)).tolist()

    assert list(range(n)) == passed[:n]
    assert len(passed) - n < others / 100
    assert all(
        here.pass_one(int(first[i]), id_filters.bits_of_one(int(second[i]))) == (i in set(passed))
        for i in [*range(0, n, 500), *passed[n : n + 50], *range(n, n + 50)]
    )
