"""The browser SDK that the server hands out is what its sources make, byte for byte."""

from pathlib import Path

SERVED = Path(__file__).parents[3] / "server/tossup/server/web/pages/static/sdk"


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_served_files_are_what_the_sources_make(built):
    """Whoever has the sources can make the files that a server hands out, and compare."""
    made, kept = files(built / "served"), files(SERVED)
    differ = sorted(name for name in made | kept if made.get(name) != kept.get(name))

    assert differ == [], "run `make web` and commit what it writes"
