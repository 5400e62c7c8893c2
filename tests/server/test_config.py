"""Settings: from the environment and from arguments."""

from dataclasses import fields
from pathlib import Path

import pytest
from sweeps import each

from tossup.server.config import Config, ConfigError, ignored_variables


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


@pytest.mark.parametrize("variable", ["TOSSUP_HOSTS", "TOSSUP_APIKEY", "TOSSUP_TREADS"])
def test_every_kind_of_variable_is_suggested(variable: str) -> None:
    """Those of commands, too."""
    with pytest.raises(ConfigError, match=f"{variable}, which is no setting; did you mean TOSSUP_"):
        Config.load({variable: "1"})


def kubernetes(service: str) -> dict[str, str]:
    """Return what Kubernetes sets in every container beside a service of this name.

    From its documentation of services, "environment variables".
    """
    name = service.upper().replace("-", "_")
    return {
        f"{name}_SERVICE_HOST": "10.0.0.11",
        f"{name}_SERVICE_PORT": "8080",
        f"{name}_SERVICE_PORT_HTTP": "8080",
        f"{name}_PORT": "tcp://10.0.0.11:8080",
        f"{name}_PORT_8080_TCP": "tcp://10.0.0.11:8080",
        f"{name}_PORT_8080_TCP_PROTO": "tcp",
        f"{name}_PORT_8080_TCP_PORT": "8080",
        f"{name}_PORT_8080_TCP_ADDR": "10.0.0.11",
    }


SERVICES = ["tossup", *(f"tossup-{setting.name.replace('_', '-')}" for setting in fields(Config))]


@each("service", [*SERVICES, "tossup-api", "tossup-server"])
def test_a_service_that_is_called_like_us_sets_nothing(service: str) -> None:
    """Not even by TOSSUP_PORT=tcp://..., and all that was ignored can be named."""
    links = kubernetes(service)

    assert Config(threads=8) == Config.load(links | {"TOSSUP_THREADS": "8"})
    assert tuple(sorted(links)) == ignored_variables(links | {"TOSSUP_THREADS": "8"})


def test_a_variable_like_no_setting_is_ignored_and_can_be_named() -> None:
    """Images say TOSSUP_VERSION of themselves, and Docker's links TOSSUP_NAME."""
    environment = {"TOSSUP_VERSION": "0.1.0", "TOSSUP_NAME": "/web/tossup", "HOME": "/root"}

    assert Config() == Config.load(environment)
    assert ("TOSSUP_NAME", "TOSSUP_VERSION") == ignored_variables(environment)


@each("setting", [setting.name for setting in fields(Config)])
def test_an_empty_variable_is_refused(setting: str) -> None:
    """An empty TOSSUP_HOST would listen on every address."""
    variable = f"TOSSUP_{setting.upper()}"

    with pytest.raises(ConfigError, match=f"{variable} is set, but empty"):
        Config.load({variable: " "})


def test_every_number_may_be_as_large_as_it_may() -> None:
    """What a message tells an operator to raise, its variable can raise, as an argument can."""
    most = {"port": 65_535, "threads": 512, "max_reports": 1_000_000_000, "trusted_proxies": 10}
    numbers = [setting.name for setting in fields(Config) if setting.type is int]
    given = {f"TOSSUP_{name.upper()}": str(most[name]) for name in numbers}

    assert Config(**most) == Config.load(given)


def test_variables_of_commands_are_known() -> None:
    """What `tossup estimate` reads does not stop `tossup serve`."""
    assert Config() == Config.load({"TOSSUP_URL": "http://x", "TOSSUP_API_KEY": "tsk_x"})


@each(
    "variable, value",
    [
        ("TOSSUP_PORT", "http"),
        ("TOSSUP_PORT", "65536"),
        ("TOSSUP_PORT", "-1"),
        ("TOSSUP_PORT", "9" * 5000),
        ("TOSSUP_HOST", "http://a.example"),
        ("TOSSUP_HOST", "a.example b.example"),
        ("TOSSUP_TRUSTED_HOSTS", "https://a.example"),
        ("TOSSUP_TRUSTED_HOSTS", "a.example:8080"),
        ("TOSSUP_TRUSTED_HOSTS", "a.example b.example"),
        ("TOSSUP_PUBLIC_URL", "https://[::1"),
        ("TOSSUP_PUBLIC_URL", "https://a.example:port"),
        ("TOSSUP_PUBLIC_URL", "https://a.example?b"),
        ("TOSSUP_PUBLIC_URL", "https://me@a.example"),
        ("TOSSUP_THREADS", "0"),
        ("TOSSUP_TRUSTED_PROXIES", "\u0661"),
        ("TOSSUP_PUBLIC_URL", "survey.example.org"),
        ("TOSSUP_PUBLIC_URL", "ftp://survey.example.org"),
        ("TOSSUP_PUBLIC_URL", "https://survey.example.org//path"),
        ("TOSSUP_PUBLIC_URL", "https://survey.example.org/a/../b"),
        ("TOSSUP_PUBLIC_URL", "https://survey.example.org/a b"),
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


def test_an_ipv6_address_may_be_written_as_anyone_does() -> None:
    """With brackets or without, short or long: browsers name it in one way."""
    for host in ("[2001:db8::1]", "2001:db8::1", "2001:DB8:0:0::1"):
        config = Config(host=host, trusted_hosts=("[2001:db8::2]",))

        assert {"2001:db8::1", "2001:db8::2"} <= config.hosts, host
        assert "http://[2001:db8::1]:80" == config.address(80), host
    assert "http://[::1]:80" == Config(host="[::]").address(80, is_ipv6=True)
    assert "http://127.0.0.1:80" == Config(host="0.0.0.0").address(80)


def test_a_path_of_the_public_address_is_a_prefix() -> None:
    """With or without a slash at its end; an address without one has none."""
    urls = ("https://a.example/x/y", "https://a.example/x/y/", "https://a.example/", None)

    assert ["/x/y", "/x/y", "", ""] == [Config(public_url=url).prefix for url in urls]


@pytest.mark.parametrize("setting", [setting.name for setting in fields(Config)])
def test_every_setting_may_stand_in_a_file(setting: str, tmp_path: Path) -> None:
    """Which systemd, Docker and Kubernetes mount; an editor's newline at its end is no part."""
    values = {
        "public_url": "https://a.example",
        "embedded_by": "https://b.example",
        "database_url": "postgresql://tossup@db.example/tossup",
        "replica_url": "postgresql://tossup@standby.example/tossup",
    }
    others = {"TOSSUP_DATABASE_URL": values["database_url"]} if setting == "replica_url" else {}
    numbers = {"max_reports", "port", "threads", "trusted_proxies"}
    value = values.get(setting, "1" if setting in numbers else "word")
    (tmp_path / "file").write_text(f"\n {value} \r\n", "utf-8-sig")
    variable = f"TOSSUP_{setting.upper()}"

    from_file = Config.load(others | {f"{variable}_FILE": str(tmp_path / "file")})

    assert Config.load(others | {variable: value}) == from_file != Config.load(others)


def test_a_public_address_has_no_white_space_in_it() -> None:
    """It would stand in every link; around it, the environment may have some."""
    with pytest.raises(ConfigError, match="public_url must be"):
        Config(public_url="https://a.example ")

    told = Config.load({"TOSSUP_PUBLIC_URL": " https://a.example \n"})
    assert "https://a.example" == told.public_url


def test_a_file_that_says_nothing_stops_the_server(tmp_path: Path) -> None:
    """A secret that is not mounted must not be replaced by a default in silence."""
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    for name, told in (
        ("missing", "TOSSUP_DATA_FILE names .*missing, which cannot be read: No such file"),
        ("bytes", "TOSSUP_DATA_FILE names .*bytes, which cannot be read: it holds no text"),
        ("empty", "TOSSUP_DATA is set, but empty"),
    ):
        with pytest.raises(ConfigError, match=told):
            Config.load({"TOSSUP_DATA_FILE": str(tmp_path / name)})
    with pytest.raises(ConfigError, match="both TOSSUP_DATA and TOSSUP_DATA_FILE are set"):
        Config.load({"TOSSUP_DATA_FILE": str(tmp_path / "empty"), "TOSSUP_DATA": "x"})


SECRET = "s3cr3t"
OF_LIBPQ = [
    ("postgresql://", ""),
    ("postgresql:///tossup", "/tossup"),
    (f"postgresql://tossup:{SECRET}@db.example/tossup", "db.example/tossup"),
    (f"postgresql://tossup:{SECRET}%40%2f#?[é@db.example:5432/", "db.example:5432/"),
    (f"postgres://u@[::1]:1,two.example/t?password={SECRET}&x=y", "[::1]:1,two.example/t"),
    ("postgresql://tossup@/t1?host=%2Frun%2Fx&options=-csearch_path%3Da", "/t1"),
]
UNCERTAIN = [
    f"postgresql://tossup:{SECRET}%@db.example/tossup",
    f"postgresql://tossup:{SECRET}%00@db.example/tossup",
    f"postgresql://tossup:{SECRET} @db.example/tossup",
    f"postgresql://tossup:x/{SECRET}@db.example/tossup",
    f"postgresql://tossup:x@{SECRET}@db.example/tossup",
    f"postgresql://tossup:{SECRET}/tossup",
    f"postgresql://db.example/tossup?password={SECRET}=",
    f"postgresql://db.example/tossup?password={SECRET}%zz",
]


def test_an_address_that_libpq_would_quote_is_refused_without_its_password() -> None:
    """What it reads is taken, and what people are told of it is host and name alone."""
    for url, place in OF_LIBPQ:
        assert f"postgresql://{place}" == Config(database_url=url).place, url
    for url in UNCERTAIN:
        with pytest.raises(ConfigError, match="write @ as %40") as refusal:
            Config(database_url="postgresql:///x", replica_url=url)
        assert SECRET not in str(refusal.value), url
