"""What a browser may do on a respondent's page: run our script, talk to one server, nothing else.

No form may be sent anywhere, so that an answer never becomes a part of an address, whatever else
fails. No page of another origin may show this one in a frame, where it could dress it up, unless
the operator named that origin.
"""

from collections.abc import Sequence


def policy(
    frames: Sequence[str] = (),
    server: str = "'self'",
    *,
    is_header: bool = True,
    has_worker: bool = False,
) -> str:
    """Return the content security policy.

    Parameters
    ----------
    frames
        Origins whose pages may show this one in a frame.
    server
        The origin that manifests come from and reports go to.
    is_header
        Whether it is sent as a header; in a page itself it cannot speak of frames.
    has_worker
        Whether a worker keeps the page for those who have no network.

    >>> policy(["https://a.example"]).rpartition("; ")[2]
    'frame-ancestors https://a.example'
    """
    framed_by = " ".join(frames) or "'none'"
    own = " 'self'" if has_worker else ""
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            f"connect-src {server}{own}",
            *(["worker-src 'self'", "manifest-src 'self'"] if has_worker else []),
            "form-action 'none'",
            "base-uri 'none'",
            *([f"frame-ancestors {framed_by}"] if is_header else []),
        ]
    )
