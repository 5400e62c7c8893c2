"""Bring the dashboard's message catalogues up to date: ``python tests/web/catalogues.py``.

Extracts every message from templates and modules, and what the record says that a route changes;
merges them into each ``messages.po`` (new ones
come empty: translate them, and run this again) and compiles ``messages.mo`` beside it. Needs Babel,
a development dependency; the server reads the compiled files with the standard library.
``python tests/web/catalogues.py de`` begins a language.
"""

import sys
from io import BytesIO
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tossup.server.config import Config
from tossup.server.web.access import changes
from tossup.server.web.app import create_app

DASHBOARD = Path(__file__).parents[2] / "server/tossup/server/web/pages"
#: Where pages have their words: templates are all in the first.
FOLDERS = (DASHBOARD, DASHBOARD.parent / "authoring")
METHODS = [("templates/**.html", "jinja2"), ("**.py", "python")]


def extracted() -> Catalog:
    """Return every message of the dashboard."""
    catalogue = Catalog(project="Tossup", charset="utf-8")
    options = {"templates/**.html": {"newstyle_gettext": "true"}}
    found = chain.from_iterable(extract_from_dir(each, METHODS, options) for each in FOLDERS)
    for _, _, message, _, context in sorted(found, key=lambda item: (item[0], item[1])):
        catalogue.add(message, context=context)
    with TemporaryDirectory() as folder:
        app = create_app(Config(data=Path(folder)), reading=True)
        for does in changes(app):
            catalogue.add(does)
        app.extensions["tossup"].close()
    return catalogue


def sources() -> list[Path]:
    """Return the catalogues that people edit."""
    return sorted((DASHBOARD / "translations").glob("*/LC_MESSAGES/messages.po"))


def read(path: Path) -> Catalog:
    """Return a catalogue as it is kept."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue as the standard library reads it."""
    out = BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def update(path: Path) -> None:
    """Merge what was extracted into a catalogue and compile it."""
    catalogue = read(path)
    catalogue.update(extracted(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.fuzzy = False
    with path.open("wb") as file:
        write_po(file, catalogue, omit_header=False, no_location=True, width=100)
    path.with_suffix(".mo").write_bytes(compiled(read(path)))


def begin(tag: str) -> None:
    """Make an empty catalogue for a language, unless there is one."""
    path = DASHBOARD / "translations" / tag.replace("-", "_") / "LC_MESSAGES" / "messages.po"
    if not path.exists():
        path.parent.mkdir(parents=True)
        with path.open("wb") as file:
            write_po(file, Catalog(locale=path.parts[-3], project="Tossup", charset="utf-8"))


if __name__ == "__main__":
    for tag in sys.argv[1:]:
        begin(tag)
    for source in sources():
        update(source)
