"""Every mechanism has its vectors, proof page and tests, and pages name tests that exist."""

import re
from pathlib import Path

from sweeps import each

from tossup.shared.mechanisms import MECHANISMS

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "docs/proofs"
VECTORS = ROOT / "shared/tossup/shared/vectors"
TESTS = ROOT / "tests/shared/mechanisms"
PAGES = sorted(page.stem for page in PROOFS.glob("*.md") if page.stem != "README")
NAMING = [page for page in sorted(ROOT.glob("docs/**/*.md")) if "`tests/" in page.read_text()]


def test_a_page_is_about_a_mechanism():
    """Pages have the stem of a name in the registry, and stand under it."""
    names = {name.rpartition("/")[0]: name for name in MECHANISMS}

    assert [f"# {names[stem]}" for stem in PAGES] == [
        (PROOFS / f"{stem}.md").read_text().partition("\n")[0] for stem in PAGES
    ]


def test_every_mechanism_has_a_page():
    """A new one needs its proof before it can be merged."""
    assert {name.rpartition("/")[0] for name in MECHANISMS} == set(PAGES)


@each("name", MECHANISMS)
def test_vectors_proof_and_tests_have_the_same_stem(name: str):
    """Whoever knows a mechanism's name knows where all that holds it to its word is."""
    stem, version = name.split("/")
    module = stem.replace("-", "_")

    assert (VECTORS / f"{stem}-{version}.json").is_file()
    assert (PROOFS / f"{stem}.md").is_file()
    assert [f"test_{module}.py"] == [path.name for path in TESTS.rglob(f"test_{module}.py")]


@each("name", MECHANISMS)
def test_a_page_rests_on_the_tests_of_its_mechanism(name: str):
    """They are in the file of the same stem, and enumerate the odds, or delta beside them."""
    stem = name.partition("/")[0]
    (path,) = TESTS.rglob(f"test_{stem.replace('-', '_')}.py")

    assert f"`{path.relative_to(ROOT)}::" in (PROOFS / f"{stem}.md").read_text()
    assert re.search(r"^def test_(odds|delta)_", path.read_text(), re.MULTILINE)


def test_a_file_of_tests_is_about_a_mechanism_or_a_family():
    """Sweeps are named test_every_..., all else has the stem of a name in the registry."""
    own = {f"test_{name.partition('/')[0].replace('-', '_')}.py" for name in MECHANISMS}
    found = {path.name for path in TESTS.rglob("test_*.py")}

    assert own == {name for name in found if not name.startswith("test_every_")}


def test_the_overview_links_every_page():
    """One row each, no row without its page."""
    linked = re.findall(
        r"^\| \[[\w/-]+\]\(([\w-]+)\.md\)", (PROOFS / "README.md").read_text(), re.M
    )

    assert PAGES == sorted(linked)


@each("stem", PAGES)
def test_a_page_says_what_why_and_whence(stem: str):
    """What is claimed, the proof, the tests that hold the code to it, and the source."""
    page = (PROOFS / f"{stem}.md").read_text()

    for part in ("Mechanism", "Claim", "Proof", "Held by", "Source"):
        assert f"**{part}.**" in page
    assert "`tests/" in page


@each("page", NAMING)
def test_tests_that_pages_name_exist(page: Path):
    """Renaming a test without the pages that rest on it is found here."""
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page.read_text())

    missing = [
        f"{path}::{name}"
        for path, name in named
        if not re.search(rf"^def {name}\(", (ROOT / path).read_text(), re.MULTILINE)
    ]
    assert [] == missing
