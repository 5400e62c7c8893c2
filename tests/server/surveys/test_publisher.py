"""The publisher's key: a whole file, or none."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tossup.server.surveys.publishing import publisher


def test_it_works(tmp_path: Path) -> None:
    """The key that was made is the one that is read, and its owner alone reads it."""
    path = tmp_path / "new" / "publisher.pem"
    made = publisher.create(path)

    assert made.private_bytes_raw() == publisher.load(path).private_bytes_raw()
    assert 0o600 == path.stat().st_mode & 0o777
    with pytest.raises(publisher.KeyFileError, match="File exists"):
        publisher.create(path)


def test_a_full_disk_leaves_nothing_in_the_way_of_a_key(tmp_path: Path) -> None:
    """Once there is room the same command makes one."""

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    path = tmp_path / "publisher.pem"
    code = (
        "import sys; from pathlib import Path\n"
        "from tossup.server.surveys.publishing import publisher\n"
        "publisher.create(Path(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path],
        check=False,
        preexec_fn=full,
        capture_output=True,
        text=True,
        timeout=100,
    )

    assert "KeyFileError: the publisher's key " in done.stderr
    assert not path.exists()


def test_what_a_kill_left_says_what_to_do(tmp_path: Path) -> None:
    """An empty file is no key with a password."""
    path = tmp_path / "publisher.pem"
    path.touch()
    with pytest.raises(publisher.KeyFileError, match="is empty") as refused:
        publisher.load(path)

    assert "delete it" == refused.value.hint
