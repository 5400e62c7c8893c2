"""What an answer loads: a device has few modules of ours to audit, and to wait for."""

import subprocess
import sys
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tossup.client.testing import example_survey
from tossup.shared.signing import public_bytes, sign_manifest

#: Packages of rooms count, too. May be lowered; what raises it has to say why.
MOST = 35

ANSWER = """
import sys
from tossup.client import Client
from tossup.client.upload.transport import Response
from tossup.shared.wire import MANIFEST_TYPE

envelope, key, store = sys.argv[1:]

class Sends:
    def request(self, method, url, headers, body, timeout_seconds):
        return Response(200, {"content-type": MANIFEST_TYPE}, bytes.fromhex(envelope))

link = "https://survey.example/v1/surveys/example"
client = Client(link, bytes.fromhex(key), store=store, transport=Sends())
print(client.answer({"question": True}).value)
print(*sorted(name for name in sys.modules if name.startswith("tossup.")))
"""


def test_one_yes_or_no_loads_few_modules(tmp_path: Path):
    """No other mechanism, no other kind of question, no upload, no preview."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    envelope = sign_manifest(example_survey(public_bytes(key)).payload, key)
    told = [envelope.hex(), public_bytes(key).hex(), str(tmp_path / "tossup.db")]
    made = subprocess.run(
        [sys.executable, "-c", ANSWER, *told], capture_output=True, text=True, check=True
    )
    outcome, modules = made.stdout.splitlines()

    assert outcome == "queued", made.stderr
    assert len(modules.split()) <= MOST, modules
    assert "tossup.shared.mechanisms.choices" not in modules
