"""What checks refuse is said in the page's language, in words that follow the checks' own."""

import re
import tomllib
from pathlib import Path
from unittest.mock import Mock

from refusing import HOLE, fits, refusals_in, texts_in

import tossup.server
import tossup.shared
from tossup.server.surveys.publishing import publisher
from tossup.server.web.pages.words.language import LANGUAGES
from tossup.server.web.pages.words.mechanism_sentences import REASONS, REFUSED
from tossup.server.web.pages.words.refusal_sentences import PLACES, SENTENCES
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import Kuk

SERVER, SHARED = (Path(part.__path__[0]) for part in (tossup.server, tossup.shared))
#: Whatever is raised here may stand on a page: each sentence is one of ours.
SHOWN = (
    *(SERVER / "surveys").glob("*.py"),
    *(SERVER / "surveys/publishing").glob("*.py"),
    *(SERVER / "kinds/choosing").glob("*.py"),
    *(
        SHARED / name
        for name in ("odds.py", "signing.py", "strict_json.py", "survey.py", "waves.py")
    ),
)
#: Not from a file or a form: what programs say to each other.
OF_PROGRAMS = {
    f"{HOLE} has no memo",
    f"attribute {HOLE} takes one of {HOLE}, as a str",
    f"question {HOLE} takes {HOLE}, and nothing else",
    f"{HOLE} takes integers radius and dimension",
    f"a report of {HOLE} proves what was not answered",
    f"the channel of {HOLE} is not one of probabilities",
    "the manifest's odds, epsilon or delta is no number",
    f"{HOLE} costs more than devices would charge for it",
}
LABELS, ALIKE = str(["x", "y", "z"]), "1000000001/1000000000"
CHOICE = f'mechanism = "exponential"\nanswers = {LABELS}\n'
TEN, TWO = "answers = { integers = [0, 10] }", 'answers = { several = ["x", "y"] }'
CHINESE = re.compile("[\u4e00-\u9fff]")
#: Four words in a row are English, not names.
WORDS = re.compile(r"(?:[A-Za-z]{2,} ){3}[A-Za-z]{2,}")

FILE = """
id = "habits"
title = "Habits"
purpose = "To learn."
publisher = { name = "Example University", contact = "irb@example.org" }
[[question]]
id = "a"
text = "Ever?"
"""
#: What is changed in the file; it is refused when it is taken in, or as a draft.
WRONG = (
    ("purpose", "purpos"),
    ('title = "Habits"', "title = 3"),
    ('title = "Habits"', "title ="),
    ('text = "Ever?"', 'text = "Ever?"\nodds = "many"'),
    ('text = "Ever?"', 'text = "Ever?"\nodds = 1'),
    ('text = "Ever?"', 'text = "Ever?"\nodds = 5000'),
    ('text = "Ever?"', 'text = "Ever?"\nepsilon = 40'),
    ('text = "Ever?"', 'text = "Ever?"\nodds = 3\nepsilon = 1'),
    ('text = "Ever?"', 'text = "Ever?"\nmechanism = "two-coins"'),
    ('text = "Ever?"', 'text = "Ever?"\nmechanism = "rappor"'),
    ('text = "Ever?"', 'text = "Ever?"\nmechanism = "one-bit-mean"'),
    ('text = "Ever?"', 'text = "Ever?"\ndelta = 0.001'),
    ('text = "Ever?"', 'text = "Ever?"\nrefusal = "loud"'),
    ('text = "Ever?"', 'text = "Ever?"\nrefusal_label = "No answer"'),
    ('text = "Ever?"', 'text = "Ever?"\nunit = "hours"'),
    ('text = "Ever?"', 'text = "Ever?"\nanswers = { integers = [5, 1] }'),
    ('text = "Ever?"', 'text = "Ever?"\nanswers = { numbers = [0, 1], step = "2/3" }'),
    ('text = "Ever?"', 'text = "Ever?"\nanswers = { several = ["x", "y"], most = 3 }'),
    ('text = "Ever?"', 'text = "Ever?"\nanswers = { text = "z-a", longest = 4 }'),
    ('text = "Ever?"', 'text = "Ever?"\nanswers = { vector = ["x", "y"], norm = 0 }'),
    ('text = "Ever?"', 'text = "Ever?"\nanswers = ["Some", "Some\u200b"]'),
    ('id = "habits"', 'id = "Habits"'),
    ('id = "habits"', 'id = "habits"\nopens = 2026-05-01\ncloses = 2026-04-01'),
    ('id = "habits"', 'id = "habits"\ncloses = "soon"'),
    ('id = "habits"', 'id = "habits"\nretention_days = 0'),
    ('id = "habits"', 'id = "habits"\nlate_days = 3'),
    ('id = "habits"', 'id = "habits"\nminimum_batch = 0'),
    ('id = "habits"', 'id = "habits"\nshown = "daily"'),
    ('id = "habits"', 'id = "habits"\nlanguages = ["en", "fr"]'),
    ('id = "habits"', 'id = "habits"\nlinkage = "tight"'),
    ('id = "habits"', 'id = "habits"\nwaves = { count = 1, first = 2026-05-04, days = 7 }'),
    ('id = "habits"', 'id = "habits"\nwaves = { count = 3, first = 2026-05-04, days = 0 }'),
    ('name = "Example University"', 'name = "\u3000"'),
    ('id = "a"', 'id = "A b"'),
)
#: Beside a question's text: what mechanisms refuse of it.
OF_MECHANISMS = (
    'mechanism = "two-coin"\nodds = 9',
    'mechanism = "randomized-response"\nweights = [[3, 1, 1], [1, 1, 3]]',
    'mechanism = "randomized-response"\nweights = [3, 1]',
    'mechanism = "kuk"',
    'mechanism = "kuk"\ncards = 1',
    'mechanism = "kuk"\ncards = 1\nweights = [[3, 1], [1, 3]]',
    'mechanism = "kuk"\ncards = 2\nweights = [3, 1]',
    'mechanism = "kuk"\ncards = 2\nweights = [[6, 2], [2, 6]]',
    'mechanism = "kuk"\ncards = 16',
    f"{CHOICE}",
    f"{CHOICE}utility = 3",
    f"{CHOICE}utility = [[1, 2], [3, 4]]",
    f"{CHOICE}utility = [[0, 1, 2], [1, 0, 2], [2, 1, 0]]",
    f"{CHOICE}utility = [[10000000000, 1, 2], [1, 9, 2], [2, 1, 9]]",
    f"{CHOICE}utility = [[5000, 1, 2], [1, 9, 2], [2, 1, 9]]",
    f"{CHOICE}distances = [[0, -1, 5], [-1, 0, 4], [5, 4, 0]]",
    f"{CHOICE}distances = [[1, 1, 5], [1, 0, 4], [5, 4, 0]]",
    f"{CHOICE}distances = [[0, 1, 5], [2, 0, 4], [5, 4, 0]]",
    f"{CHOICE}distances = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]",
    f"{CHOICE}utility = {[[int(row == at) for at in range(33)] for row in range(33)]}".replace(
        LABELS, str([f"o{place}" for place in range(33)])
    ),
    f'mechanism = "exponential"\nanswers = {{ ranking = {LABELS} }}\nodds = "{ALIKE}"',
    f'mechanism = "unrelated-question"\nanswers = {{ several = {LABELS} }}',
    f'mechanism = "unrelated-question"\n{TWO}\nselected = "1/2"',
    f'mechanism = "unrelated-question"\n{TWO}\nodds = "{ALIKE}"',
    'mechanism = "permanent-instantaneous"\nagain = 1',
    'mechanism = "permanent-instantaneous"\nweights = [[3, 1], [1, 3]]',
    f'mechanism = "d-bit-flip"\n{TEN}\nasked = 0',
    'mechanism = "d-bit-flip"\nanswers = { integers = [0, 99] }',
    f'mechanism = "discrete-laplace"\n{TEN}\nodds = "{ALIKE}"',
    f'mechanism = "discrete-gaussian"\n{TEN}\nodds = "1001/1000"',
    f"answers = {{ vector = {LABELS}, norm = 3 }}\n"
    'mechanism = "vector-laplace"\nodds = "10000000000001/10000000000000"',
    f"answers = {{ vector = {[f'o{place}' for place in range(20)]}, norm = 3 }}\n"
    'mechanism = "vector-laplace"',
    # Its own colon stands after what looks like a place.
    f'mechanism = "staircase"\n{TEN}\nepsilon = 10',
)
#: What is asked with coins that pages give a reason for.
REASONED = (
    f'mechanism = "auto"\nanswers = {LABELS}',
    f'mechanism = "auto"\nanswers = {{ several = {LABELS} }}',
    'answers = { text = "a-z", longest = 3 }',
    f'mechanism = "auto"\n{TEN}',
    f'mechanism = "auto"\nanswers = {{ vector = {LABELS}, norm = 3 }}',
    'mechanism = "warner"\nodds = 5',
    'mechanism = "forced-response"\nforced = ["1/6", "1/3"]',
    f'mechanism = "unrelated-question"\n{TWO}',
)
#: The same in a survey that asks again.
REASONED_IN_WAVES = f'mechanism = "d-bit-flip"\n{TEN}'


def test_every_sentence_is_one_of_a_check() -> None:
    """A sentence that no check says any more has nothing to translate."""
    rooms = (SHARED, *(SERVER / name for name in ("surveys", "kinds", "planning", "web")))
    files = [file for room in rooms for file in room.rglob("*.py") if "refusal_s" not in file.name]
    files.append(SERVER / "exact.py")
    files += Path(tomllib.__file__).parent.glob("_parser.py")
    said = {text for file in files for text in texts_in(file)}
    said = {text for text in said if re.search("[a-z]{2}", text.replace(HOLE, ""))}
    dead = [
        each
        for each in (*SENTENCES, *REFUSED, *REASONS, *PLACES)
        if not any(fits(holed(each), text) for text in said)
    ]

    assert dead == []


def test_every_refusal_of_a_file_has_its_sentence() -> None:
    """A check that says something new says it on Chinese pages in English, until it stands here."""
    raised = {text for file in SHOWN for text in refusals_in(file)} - OF_PROGRAMS
    known = [holed(each) for each in SENTENCES]

    assert len(raised) > 100
    assert sorted(text for text in raised if not any(fits(each, text) for each in known)) == []


def holed(sentence: str) -> str:
    return re.sub(r"%\(\w+\)s", HOLE, sentence)


def test_refusals_of_files_and_drafts_are_in_the_pages_language(author) -> None:
    """None is left in English, on the page that takes a file in or on that of a draft."""
    left = []
    asked = 'text = "Ever?"'
    for old, new in (*WRONG, *((asked, f"{asked}\n{part}") for part in OF_MECHANISMS)):
        text = FILE.replace(old, new, 1)
        page = author.post("/drafts/import?lang=zh-Hans", text=text)
        if page.status_code == 303:
            page = author.get(page.location)
        left += [(new, each) for each in alerts(page.text) or ["nothing"] if is_english(each)]

    assert "\n".join(map(str, left)) == ""


def test_refusals_of_publishing_deleting_and_planning_are_in_the_pages_language(
    author, app, monkeypatch
) -> None:
    """A key that cannot be used, a survey with reports, a goal that nobody reaches."""
    draft = author.post("/drafts/import", text=FILE).location.partition("?")[0]
    pages = {
        "nobody signs": author.post(f"{draft}/publish?lang=zh-Hans"),
        "no manifest": author.post(f"{draft}/publish?lang=zh-Hans", by="elsewhere", envelope="{"),
    }
    app.extensions["tossup"].config.publisher_key.parent.mkdir()
    app.extensions["tossup"].config.publisher_key.write_text("no key")
    pages["no key"] = author.post(f"{draft}/publish?lang=zh-Hans", by="server")
    app.extensions["tossup"].config.publisher_key.unlink()
    publisher.create(app.extensions["tossup"].config.publisher_key)
    author.post(f"{draft}/publish", by="server")
    pages["groups"] = author.get("/plan?lang=zh-Hans&want=people&people=3&groups=5")
    pages["odds"] = author.get("/plan?lang=zh-Hans&want=people&people=30&odds=1")
    left = {
        what: (page.status_code, said)
        for what, page in pages.items()
        for said in alerts(page.text) or ["nothing"]
        if page.status_code != 422 or is_english(said)
    }

    assert left == {}


def test_why_a_question_has_its_coins_is_in_the_pages_language(author) -> None:
    """Where a mechanism was compared, is from paper or keeps something: beside what it costs."""
    waves = "waves = { count = 3, first = 2026-05-04, days = 7, times = 2 }\n"
    asked = [("", part) for part in REASONED] + [(waves, REASONED_IN_WAVES)]
    left = []
    for above, part in asked:
        text = above + FILE.replace('text = "Ever?"', f'text = "Ever?"\n{part}')
        draft = author.post("/drafts/import", text=text).location.partition("?")[0]
        for language, end in (("zh-Hans", "。"), ("en", ".")):
            page = author.get(f"{draft}/questions/1?lang={language}").text
            said = "".join(re.findall(r'<code>[^<]*</code><span class="hint">([^<]*)', page))
            if not said.endswith(end) or is_english(said) != (language == "en"):
                left.append((part, said))

    assert "\n".join(map(str, left)) == ""


def test_what_has_no_sentence_is_shown_as_english(author, monkeypatch) -> None:
    """After words of the page's own, and marked for what reads it aloud; in English as it is."""
    new = "a mechanism of tomorrow says something new"
    monkeypatch.setattr(Kuk, "from_file", Mock(side_effect=MechanismError(new)))
    cards = 'text = "Ever?"\nmechanism = "kuk"\ncards = 2'
    draft = author.post("/drafts/import", text=FILE.replace('text = "Ever?"', cards)).location
    chinese, english = author.get(f"{draft}&lang=zh-Hans").text, author.get(draft).text
    [shown] = set(re.findall(r'英文： <span lang="en">([^<]+)</span>', chinese))

    assert new in shown
    assert shown in english
    assert f'<span lang="en">{shown}' not in english


def test_a_refusal_names_the_field_that_its_sentence_leaves_out(author) -> None:
    """In both languages: a rule alone does not say what it is a rule of."""
    wrong = FILE.replace('id = "habits"', 'id = "Habits"')
    draft = author.post("/drafts/import", text=wrong).location
    english, chinese = (
        " ".join(alerts(author.get(f"{draft}&lang={tag}").text)) for tag in LANGUAGES
    )

    assert "id: must be 1 to 64" in english
    assert "id：必须是 1 至 64" in chinese


def alerts(page: str) -> list[str]:
    """Return what is said to be wrong: each item or paragraph of the page's warning."""
    [section, *_] = re.findall(r'<section class="note warn".*?</section>', page, re.S) or [""]
    return re.findall(r"<(?:li|p)[ >].*?</(?:li|p)>", section, re.S)


def is_english(shown: str) -> bool:
    words = re.sub("<[^>]*>", "", shown).replace(" or ", ", ")
    return 'lang="en"' in shown or not CHINESE.search(words) or bool(WORDS.search(words))
