"""The index of ids is a dictionary in a fifth of the memory, whatever is asked of it."""

import random
import secrets
import tracemalloc

import pytest

from tossup.server.ingest.ids import index as id_index
from tossup.server.ingest.ids import runs as id_runs
from tossup.server.ingest.ids.index import IdIndex, Place
from tossup.server.store.base import Cursor, IdBlock


@pytest.fixture
def small(monkeypatch):
    """Runs of few ids, so that some hundred are settled, merged, and kept apart."""
    monkeypatch.setattr(id_index, "_YOUNG", 16)
    monkeypatch.setattr(id_index, "_LONGEST", 64)


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
    new = [i for i, each in enumerate(ids) if each not in model]
    place = Place()
    assert new == index.admit(ids, place)
    place.chunk = number
    model.update((ids[i], number) for i in new)
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


def test_it_says_what_a_dictionary_says(small):
    """Over 400 commits, of which a third is taken back, and what other processes committed."""
    for seed in range(2):
        draw, index, model = random.Random(seed), IdIndex(), {}
        for number in range(2, 402, 2):
            index.begin()
            if draw.random() < 0.1:
                ids = pick(draw, [each for each, chunk in model.items() if chunk], 20)
                gone = pick(draw, list(model), 4)
                model.update(dict.fromkeys(ids, number))
                model.update(dict.fromkeys(gone, 0))
                blocks = [IdBlock(number, b"".join(ids)), IdBlock(None, b"".join(gone))]
                index.follow(blocks, Cursor(number, number), number)
            if draw.random() < 0.5:
                index.look_up(pick(draw, list(model), 8))
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


def test_an_id_takes_at_most_24_bytes():
    """Of 200,000, with all that the index holds besides; as tracemalloc measures it."""
    ids = [secrets.token_bytes(16) for _ in range(200_000)]
    tracemalloc.start()
    index = IdIndex()
    index.begin()
    for start in range(0, len(ids), 1000):
        place = Place()
        index.admit(ids[start : start + 1000], place)
        place.chunk = start + 1
        index.begin()
    while len(index._young):  # the newest are bounded, and not each id's
        index._settle()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert len(ids) == len(index)
    assert size / len(ids) <= 24


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
        first, _ = id_runs.halves(b"".join(ids))
        assert len(set(first.tolist())) > n - 10, name
