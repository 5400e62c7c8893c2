"""Spark and Ray count what one machine counts; run by ``make clusters``, which installs them."""

import pytest

from tossup.server.archives.engines import aggregate
from tossup.server.archives.sealing import seal

pytestmark = pytest.mark.clusters


@pytest.mark.parametrize("engine", ["spark", "ray"])
@pytest.mark.filterwarnings("ignore")  # of packages that are not ours
def test_a_cluster_counts_what_one_machine_counts(engine, store, filled, archive_key, tmp_path):
    """Yes/no, choices, masks, orders, grids, texts and vectors: the same counters, file by file."""
    for survey_id in filled:
        seal(store, survey_id, str(tmp_path / "archive"), archive_key)

    for survey_id in filled:
        folder = str(tmp_path / "archive" / survey_id)
        assert aggregate([folder], engine) == aggregate([folder]), survey_id
