"""The server's settings: the only reader of ``TOSSUP_*`` in the environment."""

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from urllib.parse import urlsplit

from tossup.shared.errors import TossupError

_PREFIX = "TOSSUP_"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_NO_NAMES = {"", "0.0.0.0", "::"}  # noqa: S104 - nobody is reached under these

#: Variables that commands other than the server read; see ``tossup --help``.
_OF_COMMANDS = frozenset(
    {
        "TOSSUP_API_KEY",
        "TOSSUP_API_KEY_FILE",
        "TOSSUP_PUBLISHER_KEY",
        "TOSSUP_STORE",
        "TOSSUP_URL",
    }
)


class ConfigError(TossupError):
    """A setting that the server does not know or cannot use."""


@dataclass(frozen=True)
class Config:
    """All settings of a server.

    Attributes
    ----------
    data
        Folder of the database, created with mode 0700. ``TOSSUP_DATA``.
    host, port
        Where to listen; port 0 takes a free one. ``TOSSUP_HOST``, ``TOSSUP_PORT``.
    threads
        Requests served at once; most of them wait for the disk together. ``TOSSUP_THREADS``.
    public_url
        Where the world reaches the server, as ``https://host``, if not where it listens. With
        https, cookies are Secure and HSTS is sent. ``TOSSUP_PUBLIC_URL``.
    trusted_hosts
        Host names to answer to besides the loopback's and the public one. ``TOSSUP_TRUSTED_HOSTS``,
        separated by commas.
    trusted_proxies
        Number of proxies in front whose ``X-Forwarded-Proto`` is believed.
        ``TOSSUP_TRUSTED_PROXIES``.

    Raises
    ------
    ConfigError
        If a value cannot be used.
    """

    data: Path = field(default_factory=lambda: Path("tossup-data"))
    host: str = "127.0.0.1"
    port: int = 8080
    threads: int = 64
    public_url: str | None = None
    trusted_hosts: tuple[str, ...] = ()
    trusted_proxies: int = 0

    def __post_init__(self) -> None:
        _check_range("port", self.port, 0, 65_535)
        _check_range("threads", self.threads, 1, 512)
        _check_range("trusted_proxies", self.trusted_proxies, 0, 10)
        if self.public_url is not None:
            parts = urlsplit(self.public_url)
            if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/"):
                raise ConfigError("public_url must be https://host or http://host, and no path")

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.data / "tossup.sqlite3"

    @property
    def secure(self) -> bool:
        """Whether browsers reach the server over https."""
        return self.public_url is not None and self.public_url.startswith("https:")

    @property
    def hosts(self) -> frozenset[str]:
        """Every host name to answer to, without ports, in lower case."""
        public = urlsplit(self.public_url or "").hostname or ""
        named = (*_LOOPBACK, self.host, public, *self.trusted_hosts)
        return frozenset(name.lower() for name in named) - _NO_NAMES

    @property
    def is_wildcard(self) -> bool:
        """Whether it listens on every address of the machine, and so under no name of its own."""
        return self.host in _NO_NAMES

    @classmethod
    def load(cls, environment: Mapping[str, str] = os.environ, **arguments: object) -> "Config":
        """Return the settings of the environment, overridden by arguments that are not None.

        Raises
        ------
        ConfigError
            If a ``TOSSUP_`` variable is unknown or a value cannot be used.
        """
        names = {_PREFIX + setting.name.upper(): setting.name for setting in fields(cls)}
        _check_known(environment, names)
        given: dict[str, object] = {
            name: _parsed(name, environment[variable])
            for variable, name in names.items()
            if variable in environment
        }
        given |= {name: value for name, value in arguments.items() if value is not None}
        return cls(**given)  # type: ignore[arg-type]


def _check_known(environment: Mapping[str, str], names: Mapping[str, str]) -> None:
    for variable in environment:
        if variable.startswith(_PREFIX) and variable not in names and variable not in _OF_COMMANDS:
            near = difflib.get_close_matches(variable, names, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"
            raise ConfigError(f"the environment sets {variable}, which is no setting; {hint}")


def _parsed(name: str, text: str) -> object:
    if name == "data":
        return Path(text)
    if name == "trusted_hosts":
        return tuple(host.strip() for host in text.split(",") if host.strip())
    if name in {"port", "threads", "trusted_proxies"}:
        if not (text.isascii() and text.isdigit()):
            raise ConfigError(f"{_PREFIX}{name.upper()} must be a whole number")
        return int(text)
    return text


def _check_range(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ConfigError(f"{name} ({value}) must be from {low} to {high}")
