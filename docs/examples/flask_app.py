"""A survey site in Flask: its own questions come to it, the sensitive one never does.

Run it with ``SURVEY_LINK`` (what ``tossup survey create`` printed) and ``SDK`` (the folder that
``make web`` fills) in the environment: ``flask --app flask_app run``.
"""

import os
from urllib.parse import urlsplit

from flask import Flask, Response, render_template_string, request, send_from_directory

LINK = os.environ["SURVEY_LINK"]
COLLECTOR = "{0.scheme}://{0.netloc}".format(urlsplit(LINK))

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Campus life</title>
<form method="post">
  <p><label>How satisfied are you with your courses, from 1 to 5?
    <input name="satisfied" type="number" min="1" max="5" required></label></p>
  <fieldset data-link="{{ link }}">
    <legend>Have you ever tried it?</legend>
    <label><input type="radio" data-answer="yes"> Yes</label>
    <label><input type="radio" data-answer="no"> No</label>
  </fieldset>
  <button>Send</button>
  <output></output>
</form>
<script type="module" src="/ask.js"></script>
</html>
"""

#: The radio buttons have no name, so that a browser without scripts posts nothing of them.
SCRIPT = """
import { Client } from "/sdk/index.js";

const form = document.querySelector("form");
const client = new Client(form.querySelector("fieldset").dataset.link);
void client.flush(); // what an earlier visit could not send
const buttons = [...form.querySelectorAll("[data-answer]")];
for (const button of buttons) {
  button.addEventListener("change", () => {
    for (const other of buttons) other.checked = other === button;
  });
}
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = buttons.find((button) => button.checked)?.dataset.answer;
  if (answer) {
    const outcome = await client.answer({ ever_tried: answer === "yes", region: "north" });
    if (outcome !== "queued" && outcome !== "already-answered") {
      form.querySelector("output").textContent = `Nothing was sent (${outcome}). Try again later.`;
      return; // nothing was tossed, and what was chosen stands
    }
    await client.flush(); // what is not sent now is when the page is next opened
  }
  for (const button of buttons) button.checked = false;
  form.submit(); // what has a name, and nothing else
});
"""

app = Flask(__name__)
answers: list[dict[str, str]] = []  # a database, in a real site


@app.after_request
def protected(response: Response) -> Response:
    """Allow this page to speak to itself and to the collector alone."""
    policy = f"default-src 'self'; connect-src 'self' {COLLECTOR}; form-action 'self'"
    response.headers["Content-Security-Policy"] = f"{policy}; frame-ancestors 'none'"
    return response


@app.get("/")
def ask() -> str:
    """Show the questions."""
    return render_template_string(PAGE, link=LINK)


@app.post("/")
def keep() -> str:
    """Keep what was posted; the sensitive answer is not part of it."""
    answers.append(request.form.to_dict())
    return "<!doctype html><html lang=en><title>Thank you</title><h1>Thank you</h1>"


@app.get("/ask.js")
def script() -> Response:
    """Return the script of the page."""
    return Response(SCRIPT, mimetype="text/javascript")


@app.get("/sdk/<path:name>")
def sdk(name: str) -> Response:
    """Return a file of the browser SDK, from this site's own copy."""
    return send_from_directory(os.environ["SDK"], name, mimetype="text/javascript")
