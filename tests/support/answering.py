"""A running server for tests of the respondents' page, and what is read back of a browser."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from threading import Thread

from flask import Flask
from werkzeug.serving import make_server

from tossup.server.config import Config
from tossup.server.store import open_store
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.link import respondent_link
from tossup.server.web.app import create_app
from tossup.shared.signing import public_bytes

#: Six questions, one of each kind, and a public attribute.
NIGHTLIFE = (Path(__file__).parents[1] / "web/nightlife.toml").read_text(encoding="utf-8")

#: What a person answers to these; the text is found nowhere else.
SECRET = "zebra zephyr"
FIRST = {
    "region": "south",
    "cocaine": True,
    "often": "weekly",
    "tried": ["mdma", "speed"],
    "drinks": 7,
    "worry": ["money", "health", "police"],
    "word": SECRET,
}
#: Answers the page as a person does, screen by screen, and returns the last one's name.
ANSWER = """async (answers) => {
  const shown = () => [...document.querySelectorAll('[data-screen]')].find(part => !part.hidden);
  const until = async done => { while (!done()) await new Promise(go => setTimeout(go, 4)); };
  const press = (set, chosen) => set.querySelector(`input[value="${chosen}"]`).click();
  const type = (set, text) => { set.querySelector('.field input').value = text; };
  const fill = {
    'yes-no': (set, answer) => press(set, answer ? 'yes' : 'no'),
    radio: press,
    ticks: (set, answer) => answer.length ? answer.forEach(id => press(set, id)) : press(set, ''),
    number: type,
    text: type,
    order: (set, answer) => {
      const list = set.querySelector('ol');
      for (const [place, id] of answer.entries()) {
        const item = list.querySelector(`[data-option="${id}"]`);
        while ([...list.children].indexOf(item) > place)
          item.querySelector('[data-move="-1"]').click();
      }
      const sure = set.querySelector('[data-sure]');
      if (!sure.checked) sure.click();
    },
  };
  await until(() => shown().dataset.screen !== 'intro' || !document.querySelector('#start').hidden);
  document.querySelector('#start').click();
  await until(() => shown().dataset.screen !== 'intro');
  while (shown().dataset.screen === 'step') {
    const form = shown();
    for (const set of form.querySelectorAll('fieldset')) {
      window.fall?.(set.dataset.question);
      fill[set.dataset.field](set, answers[set.dataset.question ?? set.dataset.attribute]);
    }
    form.querySelector('button:not([type])').click();
    await until(() => shown() !== form || form.querySelector('.error').textContent);
    if (shown() === form) return form.querySelector('.error').textContent;
  }
  return shown().dataset.screen;
}"""

#: Makes a page's browser one that has never been here.
FORGET = """async () => {
  localStorage.clear();
  await new Promise(done => { indexedDB.deleteDatabase('tossup').onsuccess = done; });
}"""

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


#: The day on which pages of results are made: no midnight, weekday or month changes them.
TODAY = date(2026, 3, 14)


def on_that_day(config: Config, that: date = TODAY) -> Flask:
    """Return an application whose day is `TODAY`, or another one."""
    return create_app(config, store=open_store(config, day=lambda: that))


@contextmanager
def serving(app) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:  # a thread that goes on would keep tests from ending, once one has failed
        server.shutdown()
        thread.join()
        server.server_close()
