"""Every language of the world over the whole road: file, manifest, preview, page, CSV, terminal."""

import csv
import html
import json
from io import StringIO

import pytest
from click.testing import CliRunner

from tossup.client.preview import preview
from tossup.server.cli.root import root
from tossup.server.surveys.file import load_survey
from tossup.shared.survey import Survey

#: A question and three answers, as people write them: joiners, no-break spaces, marks, emoji.
PHRASES = {
    "english": ("How often do you lie?", "Never", "Sometimes", "Often"),
    "chinese": ("您为什么没有举报？", "时间不够", "分数", "不想说"),
    "arabic": ("هل سبق أن غششت؟", "نعم", "لا", "ربما"),
    "persian": ("آیا می\u200cخواهید بگویید؟", "می\u200cخواهم", "نمی\u200cخواهم", "شاید"),
    "hebrew": ("האם שיקרת?\u200f", "כן", "לא", "אולי"),
    "urdu": ("کیا آپ نے کبھی رشوت دی؟", "ہاں", "نہیں", "شاید"),
    "hindi": ("क्या आपने कभी रिश्वत दी?", "हाँ", "नहीं", "क्\u200dषमा करें"),
    "bengali": ("আপনি কি কখনও ঘুষ দিয়েছেন?", "হ্যাঁ", "না", "হয়তো"),
    "tamil": ("நீங்கள் எப்போதாவது பொய் சொன்னீர்களா?", "ஆம்", "இல்லை", "சில நேரம்"),
    "thai": ("คุณเคยโกงข้อสอบไหม", "เคย", "ไม่เคย", "ไม่แน่ใจ"),
    "japanese": ("カンニングをしましたか。", "はい", "いいえ", "言いたくない"),
    "korean": ("부정행위를 한 적이 있습니까?", "예", "아니요", "모르겠습니다"),
    "russian": ("Давали ли вы взятку?", "Да", "Нет", "Не помню"),
    "ukrainian": ("Чи давали ви хабар?", "Так", "Ні", "Не пам’ятаю"),
    "greek": ("Έχετε φοροδιαφύγει;", "Ναι", "Όχι", "Ίσως"),
    "french": ("Avez-vous déjà fraudé\u00a0?", "Très souvent", "Parfois", "Jamais\u202f!"),
    "german": ("Haben Sie schon geschwärzt?", "Häufig", "Selten", "Weiß nicht"),
    "turkish": ("Hiç rüşvet verdiniz mi?", "Evet", "Hayır", "Bilmiyorum"),
    "vietnamese": ("Bạn đã bao giờ gian lận chưa?", "Có", "Không", "Thỉnh thoảng"),
    "amharic": ("ጉቦ ሰጥተው ያውቃሉ?", "አዎ", "አይደለም", "አላስታውስም"),
    "emoji": ("How was it? 👩\u200d🔬", "👍", "👎", "🤷🏽\u200d♀️"),
}

TITLE = "Les étés d’ici — 习惯 — عادات"
HEAD = f"""\
id = "languages"
title = "{TITLE}"
purpose = '''
Première ligne\u00a0: pourquoi.
سطر ثانٍ.'''
minimum_batch = 1
results = "public"
[publisher]
name = "Université d’Été"
contact = "été@example.org"
[[attribute]]
id = "region"
text = "المنطقة"
answers = ["الشمال", "Süd"]
"""


def survey_file() -> str:
    """The survey file, with everything as its author would write it."""
    questions = [
        f'[[question]]\nid = "{name}"\ntext = "{text}"\nodds = "5/4"\n'
        f"answers = {json.dumps(labels, ensure_ascii=False)}\n"
        for name, (text, *labels) in PHRASES.items()
    ]
    return HEAD + "\n".join(questions)


@pytest.fixture
def here(place, monkeypatch):
    """This process, in the server's folder and with its settings."""
    monkeypatch.chdir(place.folder)
    for name, value in place.environment.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="module")
def created(place):
    """The survey, from a file with a byte order mark and lines as Windows ends them."""
    text = survey_file().replace("\n", "\r\n")
    (place.folder / "languages.toml").write_bytes(b"\xef\xbb\xbf" + text.encode())
    return place.json("survey", "create", "languages.toml")


@pytest.fixture(scope="module")
def answered(place, created) -> str:
    """The first option of each question, sent over the real road; the link."""
    options = created["options"]
    answers = [f"{name}={next(iter(options[name]))}" for name in PHRASES]
    region = next(iter(options["region"]))
    done = place.tossup(
        *("answer", created["link"], *answers, f"region={region}", "--yes"),
        PYTHONIOENCODING="ascii",
    )
    assert done.returncode == 0, done.stderr
    return str(created["link"])


def test_every_label_has_an_id_that_is_shown(created):
    """In the order of the labels, all of a question different, and the labels beside them."""
    for name, (_, *labels) in PHRASES.items():
        assert list(created["options"][name].values()) == labels, name
    assert list(created["options"]["german"]) == ["haufig", "selten", "weiss_nicht"]
    assert list(created["options"]["persian"]) == ["option_1", "option_2", "option_3"]


def test_the_preview_shows_every_text():
    """As it is, before any coin is tossed; and the manifest says it again in the same bytes."""
    survey = load_survey(survey_file(), bytes(32))
    seen = str(preview(survey))
    missing = [word for words in PHRASES.values() for word in words if word not in seen]

    assert [] == missing
    assert "if your answer is 时间不够 (option_1):" in seen
    assert survey == Survey.parse(survey.payload)


def test_the_page_shows_every_text(place, answered):
    """Each in markup that finds its own direction; nothing is lost, nothing is escaped twice."""
    page = html.unescape(place.fetch("/surveys/languages").decode())
    missing = [word for words in PHRASES.values() for word in words if f">{word}</bdi>" not in page]

    assert [] == missing
    assert ">Première ligne\u00a0: pourquoi.\nسطر ثانٍ.</bdi>" in page


@pytest.mark.parametrize("mark", [False, True])
def test_the_csv_says_every_label(place, answered, mark):
    """With a byte order mark, by which Excel knows that it is UTF-8, where one is asked for."""
    arguments = ("export", "languages", "-o", "languages.csv", *(("--bom",) if mark else ()))
    place.fetch("/v1/surveys/languages/results.csv")
    assert place.tossup(*arguments).returncode == 0
    data = (place.folder / "languages.csv").read_bytes()
    rows = list(csv.DictReader(StringIO(data.decode("utf-8-sig"))))
    found = {(row["question_text"], row["answer_label"]) for row in rows}

    assert data.startswith(b"\xef\xbb\xbf") == mark
    assert {(text, label) for text, *labels in PHRASES.values() for label in labels} <= found


def test_a_page_gives_the_csv_for_excel(place, answered):
    """By a link of its own; the other one is as it was."""
    marked = place.fetch("/surveys/languages/results.csv?format=excel")
    plain = place.fetch("/surveys/languages/results.csv")

    assert marked == b"\xef\xbb\xbf" + plain


COMMANDS = (
    ("survey", "create", "languages.toml"),
    ("survey", "list"),
    ("survey", "show", "languages"),
    ("device", "status", "LINK"),
    ("verify", "LINK"),
    ("estimate", "languages"),
)


@pytest.mark.parametrize("more", [(), ("--json",)], ids=["text", "json"])
def test_no_command_fails_where_the_terminal_has_only_ascii(here, answered, more):
    """What cannot be shown is escaped, in text and in JSON, which stays JSON."""
    failed = []
    for command in COMMANDS:
        arguments = [answered if word == "LINK" else word for word in command]
        done = CliRunner(charset="ascii").invoke(root, [*arguments, *more])
        said = done.stdout_bytes + done.stderr_bytes
        is_done = done.exit_code in {0, 3} or b"(preparing)" in said
        if not is_done or not said.isascii():
            failed.append((command, said[-300:], done.exception))
        if more and done.exit_code == 0:
            json.loads(done.stdout)

    assert [] == failed


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gb18030", "utf-8"])
def test_a_title_is_escaped_letter_by_letter(here, created, encoding):
    """As Python writes it, so that it can be read back; letters that the terminal has stay."""
    done = CliRunner(charset=encoding).invoke(root, ["survey", "list"])

    assert TITLE.encode(encoding, "backslashreplace") in done.stdout_bytes


def test_a_process_escapes_as_well(place, created):
    """With the streams that Python opens for a locale, and not those of a test."""
    done = place.process("survey", "list", PYTHONIOENCODING="ascii:strict")

    assert (0, True) == (done.returncode, "\\u4e60\\u60ef" in done.stdout)
