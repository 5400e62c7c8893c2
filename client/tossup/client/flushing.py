"""Send what waits in a whole store, of every survey that was answered with it.

Stage: upload. For an app with several surveys, and for a timer that knows the store and no link:
the store keeps where each survey's reports go.
"""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tossup.client.errors import ClientError, pass_on
from tossup.client.results import FlushResult
from tossup.client.sdk import Client
from tossup.client.store.places import store_path

if TYPE_CHECKING:
    from tossup.client.settings import Link
    from tossup.client.upload.transport import Transport


def flush_store(
    store: "str | os.PathLike[str] | None" = None,
    *,
    force: bool = False,
    transport: "Transport | None" = None,
    ca_file: "str | os.PathLike[str] | None" = None,
    timeout_seconds: int = 10,
) -> Mapping[str, FlushResult]:
    """Send the stored reports and withdrawals of every survey in a store. It never raises.

    Parameters
    ----------
    store
        As in `Client`; the user's own ledger where it is left out. A store that is not there is
        not made.
    force
        As in `Client.flush`.
    transport, ca_file, timeout_seconds
        As in `Client`.

    Returns
    -------
    Mapping
        What became of each survey's reports, by its link without the key: empty where nothing was
        ever answered. Under the empty string, why the store could not be asked, if so. A survey
        that was last answered with an SDK which did not keep where its reports go is not among
        them: flush it with a `Client` once.

    Examples
    --------
    >>> flush_store("/nowhere/device.db")
    {}
    """
    try:
        path = store_path(store)
        links = _links(path) if os.path.exists(path) else ()
    except ClientError as error:
        return {"": FlushResult(reason=error.outcome.value)}
    except Exception as error:  # nothing of ours may reach the host app
        pass_on(error)
        return {"": FlushResult(reason="failed")}

    def flushed(link: "Link") -> FlushResult:
        client = Client(
            _url(link),
            link.key,
            store=path,
            transport=transport,
            ca_file=ca_file,
            timeout_seconds=timeout_seconds,
        )
        return client.flush(force=force)

    return {_url(link): flushed(link) for link in links}


def _links(path: str) -> "tuple[Link, ...]":
    from tossup.client.registry import known_links
    from tossup.client.store.database import Database

    return Database(path).run(known_links)


def _url(link: "Link") -> str:
    return f"{link.server}/v1/surveys/{link.survey}"
