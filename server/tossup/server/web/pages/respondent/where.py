"""Where a respondent's pages are, and what they load: on this server, or in a folder elsewhere."""

from dataclasses import dataclass
from typing import Final, Protocol

from flask import request, url_for

from tossup.server.config import Config
from tossup.server.surveys.link import respondent_link
from tossup.shared.survey import Survey

_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1", "[::1]"})


class Where(Protocol):
    """The addresses that templates link to, load from and send to."""

    @property
    def survey(self) -> str:
        """The survey's address, without the key: where the script fetches and sends."""

    @property
    def privacy(self) -> str:
        """The privacy page."""

    @property
    def results(self) -> str:
        """The page of the results; empty where there is none."""

    @property
    def code(self) -> str:
        """The link as a picture to scan."""

    @property
    def is_encrypted(self) -> bool:
        """Whether nobody on the way can read what is sent."""

    @property
    def policy(self) -> str:
        """The content security policy that the page itself states; empty where a header does."""

    @property
    def key(self) -> str:
        """The publisher's key that the page pins; empty where the address carries it."""

    @property
    def is_offline(self) -> bool:
        """Whether a browser may keep the page, to open it without a network."""

    @property
    def is_trial(self) -> bool:
        """Whether the survey is a draft, and nothing that is sent counts."""

    def asset(self, name: str) -> str:
        """Return the address of a static file."""

    def here(self, tag: str) -> str:
        """Return this page's address in another language."""

    def page(self) -> str:
        """Return the address of the page with the questions, without the key."""


@dataclass(frozen=True, slots=True)
class OnThisServer:
    """The addresses on the server that answers this request."""

    of: Survey
    tag: str
    policy: str = ""
    key: str = ""
    is_offline: bool = False
    is_trial: bool = False

    @property
    def survey(self) -> str:
        """The survey's own address."""
        return url_for("api.get_survey", survey_id=self.of.id)

    @property
    def privacy(self) -> str:
        """The privacy page, in the same language."""
        return url_for("respondent.privacy", survey_id=self.of.id, lang=self.tag)

    @property
    def results(self) -> str:
        """The dashboard's page of the survey."""
        return url_for("dashboard.survey", survey_id=self.of.id)

    @property
    def code(self) -> str:
        """The picture that this server draws."""
        return url_for("respondent.code", survey_id=self.of.id)

    @property
    def is_encrypted(self) -> bool:
        """Whether the request came over https, or from this machine itself."""
        return request.is_secure or request.host.rpartition(":")[0] in _LOOPBACK

    def asset(self, name: str) -> str:
        """Return the address of a static file, which changes with its content."""
        return url_for("dashboard.static", filename=name)

    def here(self, tag: str) -> str:
        """Return this page's address in another language."""
        return f"{request.script_root}{request.path}?lang={tag}"

    def page(self) -> str:
        """Return the survey's own address, in the same language."""
        return url_for("api.get_survey", survey_id=self.of.id, lang=self.tag)


def public_link(config: Config, survey: Survey) -> str:
    """Return the link for respondents, as the world reaches this server."""
    return respondent_link(config.public_url or request.host_url, survey)
