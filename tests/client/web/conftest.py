"""The browser SDK as `make web` builds it, for Node and for browsers."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "client/web"
SERVED = ROOT / "server/tossup/server/web/pages/static/sdk"


@pytest.fixture(scope="session")
def built(tmp_path_factory) -> Path:
    """A folder with ``served`` and ``package``, built from the sources as they are."""
    if shutil.which("node") is None:
        pytest.skip("the browser SDK is built by node: apt-get install nodejs npm")
    assert (SOURCE / "node_modules").is_dir(), "run `make web` once, which installs the compiler"
    folder = tmp_path_factory.mktemp("sdk")
    command = ["node", SOURCE / "build.mjs", "--served", folder / "served"]
    subprocess.run([*command, "--package", folder / "package"], check=True)
    return folder
