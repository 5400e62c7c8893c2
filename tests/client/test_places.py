"""One user has one ledger, wherever an app starts; and it is kept out of backups."""

import os
import stat
import sys
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

from tossup.client import Client, Outcome
from tossup.client.errors import Misconfigured
from tossup.client.store.places import make_folder, store_path

ANSWERS = {"ever_tried": True, "region": "north"}


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """A user's home, and nothing said of the platform's folders."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    return tmp_path / "home"


def test_without_a_store_a_user_has_one_ledger_in_every_folder(
    home, stub, survey, tmp_path, monkeypatch
):
    """An app that starts elsewhere finds what was answered, and tosses nothing."""
    outcomes = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        client = Client(stub.link(survey), survey.publisher.key)
        outcomes.append(client.answer(ANSWERS))

    assert outcomes == [Outcome.QUEUED, Outcome.ALREADY_ANSWERED]
    assert (home / ".local/share/tossup/device.db").is_file()
    assert not list((tmp_path / "one").iterdir())


@pytest.mark.parametrize(
    ("platform", "variable", "path"),
    [
        ("linux", {}, "home/.local/share/tossup/device.db"),
        ("linux", {"XDG_DATA_HOME": "data"}, "data/tossup/device.db"),
        ("freebsd14", {}, "home/.local/share/tossup/device.db"),
        ("darwin", {}, "home/Library/Application Support/tossup/device.db"),
        ("win32", {"LOCALAPPDATA": "local"}, "local/tossup/device.db"),
    ],
)
def test_each_platform_has_its_folder(home, monkeypatch, platform, variable, path):
    """XDG, macOS, Windows."""
    monkeypatch.setattr(sys, "platform", platform)
    for name, folder in variable.items():
        monkeypatch.setenv(name, str(home.parent / folder))

    assert store_path(None) == str(home.parent / path)


def test_a_relative_data_folder_is_ignored(home, monkeypatch):
    """As the XDG specification says; it would differ from folder to folder."""
    monkeypatch.setenv("XDG_DATA_HOME", "data")

    assert store_path(None) == str(home / ".local/share/tossup/device.db")


def test_the_home_folder_is_meant_by_its_sign(home):
    """As a text and as a path; no folder is ever called so by accident."""
    wanted = str(home / "app/answers.db")

    assert store_path("~/app/answers.db") == store_path(Path("~/app/answers.db")) == wanted


def test_an_environment_without_a_home_leads_to_the_users_own(home, monkeypatch):
    """Never to the root of the disk, nor to another ledger from every working directory."""
    monkeypatch.setattr("pwd.getpwuid", lambda _: SimpleNamespace(pw_dir="/home/entry"))
    for named in ("", "relative", "./home", None):
        monkeypatch.delenv("HOME", raising=False)
        if named is not None:
            monkeypatch.setenv("HOME", named)
        assert store_path(None) == "/home/entry/.local/share/tossup/device.db", named
        assert store_path("~/app/a.db") == "/home/entry/app/a.db", named
        assert store_path("/app/a.db") == "/app/a.db", named


def test_a_user_without_a_home_is_told_to_name_a_store(home, monkeypatch):
    """As a container's user may be; "leave store out" would be no advice to them."""
    for entry in ("", "relative", None):
        found = {} if entry is None else {os.getuid(): SimpleNamespace(pw_dir=entry)}
        monkeypatch.setattr("pwd.getpwuid", found.__getitem__)
        for named, store in product(("", "relative"), (None, "~/app/a.db")):
            monkeypatch.setenv("HOME", named)
            with pytest.raises(Misconfigured, match=r"HOME .*Give store an absolute path") as told:
                pytest.fail(f"{entry!r}, {named!r}: {store_path(store)}")
            assert "Leave store out" not in str(told.value)


def test_a_relative_path_is_refused_with_what_to_do():
    """And nothing is made."""
    for wrong in ("answers.db", "./answers.db", Path("a") / "b.db", ":memory:", "~nobody-7/a.db"):
        with pytest.raises(Misconfigured, match="Leave store out"):
            store_path(wrong)


def test_a_folder_in_place_of_the_store_is_named(tmp_path):
    """It was said to be a full disk, or held by another process."""
    with pytest.raises(Misconfigured, match=f"{tmp_path} is a folder"):
        store_path(tmp_path)


def test_a_folder_that_the_sdk_makes_is_left_out_of_backups(client, stub, store):
    """By two markers that backup programs know; for its owner only."""
    client.answer(ANSWERS)
    folder = store.parent

    assert (
        (folder / "CACHEDIR.TAG")
        .read_bytes()
        .startswith(b"Signature: 8a477f597d28d172789f06886806bc55\n")
    )
    assert (folder / ".nobackup").is_file()
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


def test_a_folder_of_the_host_apps_is_left_as_it_is(tmp_path):
    """It may hold what belongs in a backup."""
    make_folder(str(tmp_path))

    assert list(tmp_path.iterdir()) == []


def test_no_help_recommends_a_backup():
    """An older ledger has forgotten answers: putting it back tosses again."""
    words = Outcome.LEDGER_DAMAGED.explanation

    assert "Restore" not in words
    assert "no older copy" in words
