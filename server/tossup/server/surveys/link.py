"""The link that respondents get, and its code to scan."""

from io import BytesIO, StringIO

from tossup.shared.signing import b64url
from tossup.shared.survey import Survey


def respondent_link(url: str, survey: Survey) -> str:
    """Return the link for respondents: the survey's address and the key that devices pin."""
    return f"{url.rstrip('/')}/v1/surveys/{survey.id}#key={b64url(survey.publisher.key)}"


def as_svg(link: str) -> bytes:
    """Return a link as a QR code, dark on light whatever the page's colours are."""
    import segno

    out = BytesIO()
    code = segno.make(link, micro=False, error="m")
    code.save(out, kind="svg", dark="#000", light="#fff", border=4, omitsize=True)
    return out.getvalue()


def as_blocks(link: str) -> str:
    """Return a link as a QR code for a terminal, two rows of it a line."""
    import segno

    out = StringIO()
    segno.make(link, micro=False, error="l").terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")
