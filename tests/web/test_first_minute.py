"""A newcomer's first minute: from the command to an answered question on a phone.

Walked on 390 x 844 pixels in a fresh clone: 9 seconds of tapping from the link to "Tossed, sent,
done.", 2 screens of questions. Who taps on without an answer is told "Choose an answer first.".
Start is 2,235 pixels down, below all that one agrees to, and at the foot of the screen meanwhile.
"""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from browsing import patient, picture
from playwright.sync_api import Browser

#: A phone, held upright, and a finger.
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def link(tmp_path, monkeypatch) -> Iterator[str]:
    """The link that `tossup demo --serve` names for whoever wants to answer, too."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    command = [sys.executable, "-m", "tossup.server.cli", "demo", "-n", "200", "--serve"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as demo:
        assert demo.stderr
        yield next(filter(None, (re.search(r"http\S+#key=\S+", line) for line in demo.stderr)))[0]
        demo.send_signal(signal.SIGTERM)


@pytest.mark.prove
def test_the_link_of_the_demo_is_answered_by_what_one_sees(link: str, browser: Browser):
    """Read, tap Start, tap answers, tap the one button, until the page says that it is done."""
    context = patient(browser, **PHONE)
    page = context.new_page()
    page.goto(link)
    start = page.get_by_role("button", name="Start")
    start.wait_for()
    foot = start.evaluate("button => button.getBoundingClientRect().bottom")
    assert 0 < foot <= PHONE["viewport"]["height"] == page.evaluate("innerHeight")
    assert page.evaluate("scrollY") == 0
    start.tap()
    done = page.get_by_role("heading", level=1, name="Tossed, sent, done.")
    screens = page.locator("form[data-screen=step]").count()
    for _ in range(screens):
        form = page.locator("form:visible")
        form.wait_for()  # what is asked for all at once below waits for nothing
        for question in form.locator("fieldset").all():
            question.locator("label").first.tap()
        heading = page.locator("h1:visible").first.inner_text()
        form.get_by_role("button", name=re.compile("^(Toss and send|Continue)$")).tap()
        page.locator("h1:visible").filter(has_not_text=heading).first.wait_for()
    done.wait_for()
    picture(page, "first-minute", whole=False)
    context.close()
