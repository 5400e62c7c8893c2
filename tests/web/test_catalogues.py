"""Message catalogues are complete, current, checked in compiled, and speak as we agreed."""

import re
import runpy
from pathlib import Path

import pytest

TOOL = runpy.run_path(str(Path(__file__).with_name("catalogues.py")))
SOURCES = TOOL["sources"]()
BANNED = re.compile(r"anonymous|anonymity|100 ?%|guaranteed|匿名|百分之百", re.IGNORECASE)


def messages(catalogue):
    return {message.id: message for message in catalogue if message.id}


def test_there_is_something_to_translate():
    """A wrong mapping extracts nothing, and every other test here would pass."""
    assert len(messages(TOOL["extracted"]())) > 60
    assert [source.parts[-3] for source in SOURCES] == ["zh_Hans"]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.parts[-3])
class TestCatalogue:
    def test_it_is_current(self, source):
        """Every message of pages and modules, and no other; else run tests/web/catalogues.py."""
        assert messages(TOOL["read"](source)).keys() == messages(TOOL["extracted"]()).keys()

    def test_it_is_complete(self, source):
        """Nothing untranslated, nothing fuzzy."""
        catalogue = TOOL["read"](source)
        strings = [m.string if isinstance(m.string, tuple) else (m.string,) for m in catalogue]

        assert all(all(forms) for forms in strings)
        assert not any(message.fuzzy for message in catalogue)

    def test_it_keeps_every_placeholder(self, source):
        """A lost %(n)s would be a number without its n."""
        for message in messages(TOOL["read"](source)).values():
            assert not list(message.check()), message.id
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            strings = message.string if isinstance(message.string, tuple) else (message.string,)
            names = [set(re.findall(r"%\((\w+)\)s", text)) for text in (*ids, *strings)]
            assert all(found == names[-1] for found in names), message.id

    def test_its_compiled_form_is_checked_in(self, source):
        """So that the server needs no compiler."""
        compiled = source.with_suffix(".mo").read_bytes()

        assert compiled == TOOL["compiled"](TOOL["read"](source))

    def test_it_promises_nothing_we_cannot_keep(self, source):
        """No message calls anything anonymous, complete or guaranteed, in either language."""
        for message in messages(TOOL["read"](source)).values():
            assert not BANNED.search(f"{message.id} {message.string}")
