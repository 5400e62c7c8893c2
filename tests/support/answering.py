"""A running server for tests of the respondents' page, and what is read back of a browser."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

from flask import Flask
from werkzeug.serving import make_server

from tossup.server.surveys.file import load_survey
from tossup.server.surveys.link import respondent_link
from tossup.shared.signing import public_bytes

#: Six questions, one of each kind, and a public attribute.
NIGHTLIFE = (Path(__file__).parents[1] / "web/nightlife.toml").read_text(encoding="utf-8")

HABITS = """
id = "habits"
title = "Habits"
purpose = "To learn how common a habit is."
results = "public"
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "ever_tried"
text = "Have you ever tried it?"
"""
#: What a page keeps: all of its stores, read back.
KEPT = """async () => {
  const done = asked => new Promise(tell => { asked.onsuccess = () => tell(asked.result); });
  const plain = (_, value) => typeof value === 'bigint' ? `${value}`
    : ArrayBuffer.isView(value) ? [...value] : value;
  const kept = [{ ...localStorage }, { ...sessionStorage }, location.href, history.length];
  for (const { name } of await indexedDB.databases()) {
    const base = await done(indexedDB.open(name));
    for (const store of base.objectStoreNames)
      kept.push(await done(base.transaction(store).objectStore(store).getAll()));
    base.close();
  }
  return JSON.stringify(kept, plain);
}"""


@dataclass
class Site:
    """A running server, whose surveys are made as tests need them."""

    app: Flask
    url: str
    put: Callable[..., None]
    key: object

    def survey(self, text: str = HABITS, **changes: object) -> str:
        """Publish a survey and return its link."""
        made = replace(load_survey(text, public_bytes(self.key)), **changes)
        self.put(self.app, made, [], self.key)
        return respondent_link(self.url, made)

    def tally(self, survey_id: str) -> list[tuple[int, ...]]:
        """Return the counts of all reports."""
        services = self.app.extensions["tossup"]
        return [tuple(cell.counts) for cell in services.store.tally(survey_id)]


@contextmanager
def serving(app) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()
