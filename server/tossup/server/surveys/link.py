"""The link that respondents get."""

from tossup.shared.signing import b64url
from tossup.shared.survey import Survey


def respondent_link(url: str, survey: Survey) -> str:
    """Return the link for respondents: the survey's address and the key that devices pin."""
    return f"{url.rstrip('/')}/v1/surveys/{survey.id}#key={b64url(survey.publisher.key)}"
