"""The browser SDK that the server hands out is what its sources make, byte for byte."""

import gzip
import json
import re
import shutil
import subprocess
from base64 import b64encode
from hashlib import sha384
from pathlib import Path

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "client/web"
SERVED = ROOT / "server/tossup/server/web/pages/static/sdk"
VECTORS = ROOT / "shared/tossup/shared/vectors"

#: What an app's page loads for yes and no; ours is held by tests/web. Never make it larger.
CORE_BYTES = 8 * 1024


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


def test_hashes_are_those_of_the_files():
    """Every script that is served has its SHA-384, as browsers check it."""
    hashes = json.loads((SERVED / "hashes.json").read_text())

    assert set(hashes) == {name for name in files(SERVED) if name.endswith(".js")}
    for name, stated in hashes.items():
        digest = sha384((SERVED / name).read_bytes()).digest()
        assert stated == f"sha384-{b64encode(digest).decode()}", name


def test_no_script_draws_from_anything_but_the_cryptographic_source():
    """No pseudo-random generator, no evaluated text, and no markup made of texts."""
    for name, content in files(SERVED).items():
        if name.endswith(".js"):
            for banned in (b"Math.random", b"eval(", b"Function(", b"innerHTML", b"document.write"):
                assert banned not in content, (name, banned)


def test_the_core_stays_small():
    """All that an app's page loads for yes and no, compressed as a server does."""
    index = SERVED / "index.js"
    (core,) = {SERVED / path for path in re.findall(r'"\./(shared/\w+\.js)"', index.read_text())}
    sizes = [len(gzip.compress(path.read_bytes(), mtime=0)) for path in (index, core)]

    assert sum(sizes) <= CORE_BYTES, sizes


def test_the_package_holds_the_files_and_their_types_and_nothing_else(built, tmp_path):
    """`npm pack` needs no network, and what it packs is imported with its types."""
    shutil.copytree(built / "package", tmp_path / "dist")
    shutil.copy(SOURCE / "package.json", tmp_path)
    packed = subprocess.run(
        ["npm", "pack", "--json", "--ignore-scripts"],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    (told,) = json.loads(packed.stdout)
    names = {entry["path"] for entry in told["files"]}

    assert {"package.json", "dist/index.js", "dist/types/index.d.ts"} <= names
    assert all(name == "package.json" or name.startswith("dist/") for name in names)
    manifest = json.loads((SOURCE / "package.json").read_text())
    assert "dependencies" not in manifest
    for export in manifest["exports"].values():
        assert {part.removeprefix("./") for part in export.values()} <= names


def test_no_name_that_is_kept_or_sent_is_shortened_in_the_respondents_page():
    """What one version of the page kept the next one reads, and the SDK: a toss is made once."""
    (pattern,) = re.findall(
        r"const INNER =\s*/\^\(\?:(.*?)\)\$/;", (SOURCE / "build.mjs").read_text()
    )
    state = (SOURCE / "src/store/state.ts").read_text()
    kept = set(re.findall(r"\b(\w+)\??:", state.partition("/** Where a state is kept. */")[0]))
    designs = [json.loads(path.read_text()).get("designs", []) for path in VECTORS.glob("*-1.json")]
    sent = {key for each in designs for design in each for key in design["mechanism"]}

    assert {"ledger", "body", "retryAt", "envelope"} <= kept
    assert {"name", "keep", "out_of"} <= sent
    assert (kept | sent) & set(pattern.split("|")) == set()
