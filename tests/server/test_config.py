"""Settings: from the environment and from arguments."""

from pathlib import Path

import pytest

from tossup.server.config import Config, ConfigError


def test_it_works() -> None:
    """Variables are read, and an argument wins over a variable."""
    environment = {
        "TOSSUP_DATA": "/srv/tossup",
        "TOSSUP_PORT": "9000",
        "TOSSUP_TRUSTED_HOSTS": "a.example, b.example",
        "PATH": "/bin",
    }
    config = Config.load(environment, port=0, host=None)

    assert (Path("/srv/tossup"), 0, "127.0.0.1") == (config.data, config.port, config.host)
    assert ("a.example", "b.example") == config.trusted_hosts


def test_an_unknown_variable_is_refused_with_a_suggestion() -> None:
    """A misspelt setting must not be ignored in silence."""
    with pytest.raises(ConfigError, match="did you mean TOSSUP_TRUSTED_PROXIES"):
        Config.load({"TOSSUP_TRUSTED_PROXY": "1"})


def test_variables_of_commands_are_known() -> None:
    """What `tossup estimate` reads does not stop `tossup serve`."""
    assert Config() == Config.load({"TOSSUP_URL": "http://x", "TOSSUP_API_KEY": "tsk_x"})


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TOSSUP_PORT", "http"),
        ("TOSSUP_PORT", "65536"),
        ("TOSSUP_PORT", "-1"),
        ("TOSSUP_THREADS", "0"),
        ("TOSSUP_TRUSTED_PROXIES", "\u0661"),
        ("TOSSUP_PUBLIC_URL", "survey.example.org"),
        ("TOSSUP_PUBLIC_URL", "ftp://survey.example.org"),
        ("TOSSUP_PUBLIC_URL", "https://survey.example.org/path"),
    ],
)
def test_an_impossible_value_is_refused(variable: str, value: str) -> None:
    """With the setting's name in the message."""
    with pytest.raises(ConfigError, match="(?i)" + variable.removeprefix("TOSSUP_")):
        Config.load({variable: value})


def test_an_https_address_makes_cookies_secure_and_its_host_known() -> None:
    """One setting is enough behind a proxy."""
    config = Config(public_url="https://survey.example.org")

    assert config.secure
    assert "survey.example.org" in config.hosts


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::"])
def test_a_wildcard_is_no_name(host: str) -> None:
    """It is listened on, but no request is answered under it."""
    config = Config(host=host)

    assert config.is_wildcard
    assert host not in config.hosts
    assert not Config().is_wildcard
