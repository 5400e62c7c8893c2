"""Answers are compressed where that tells nobody a secret, with a tag of their own."""

import gzip

from flask import Flask, Response

from tossup.server.web.middleware import compression

PATH = "/v1/surveys/habits-7/results"
GZIP = {"Accept-Encoding": "gzip"}


def test_it_works(client, key, reported):
    """The same bytes in a fraction of the length, and both say that they depend on the wish."""
    plain, packed = client.get(PATH, headers=key), client.get(PATH, headers=key | GZIP)

    assert ("gzip", None) == tuple(a.headers.get("Content-Encoding") for a in (packed, plain))
    assert plain.data == gzip.decompress(packed.data)
    assert len(packed.data) < len(plain.data) / 3
    assert int(packed.headers["Content-Length"]) == len(packed.data)
    assert all("Accept-Encoding" in a.vary for a in (packed, plain))


def test_each_form_has_its_tag_and_both_are_known(client, key, reported, services, make_body):
    """A strong tag names bytes; a copy of either form is current while the answer is."""
    plain, packed = client.get(PATH, headers=key), client.get(PATH, headers=key | GZIP)
    tags = [answer.headers["ETag"] for answer in (plain, packed)]
    assert 2 == len(set(tags))
    for tag in tags:
        for wish in ({}, GZIP):
            again = client.get(PATH, headers=key | wish | {"If-None-Match": tag})
            assert (304, b"") == (again.status_code, again.data), (tag, wish)
    services.ingest.receive(make_body((1,)))

    assert 200 == client.get(PATH, headers=key | GZIP | {"If-None-Match": tags[1]}).status_code


def test_what_stands_beside_a_secret_is_not_compressed(client, services, reported):
    """A form token in pages for a cookie, a link's secret in a sign-in page: BREACH."""
    link = services.auth.create_link()
    sign_in = client.get(f"/sign-in/{link}", headers=GZIP)
    client.post(f"/sign-in/{link}", headers={"Origin": "http://localhost"})
    pages = [client.get(path, headers=GZIP) for path in ("/", "/surveys/habits-7")]

    assert link in sign_in.text
    assert all("csrf" in page.text for page in pages)
    assert [None] * 3 == [page.headers.get("Content-Encoding") for page in (sign_in, *pages)]


def test_what_needs_no_sign_in_is_compressed(client):
    """Style sheets and the API's description, too."""
    for path in ("/assets/dashboard.css", "/v1/openapi.json"):
        with client.get(path, headers=GZIP) as answer:
            assert "gzip" == answer.headers.get("Content-Encoding"), path
            assert gzip.decompress(answer.data)


def test_what_takes_long_to_compress_goes_out_as_it_is():
    """A page of more than 8 MB, for which nothing was compressed before."""
    app = Flask("large")
    compression.register(app)
    app.add_url_rule("/<int:size>", view_func=lambda size: Response(bytes(size), mimetype="text/x"))
    client = app.test_client()
    for size, form in ((8 << 20, "gzip"), ((8 << 20) + 1, None)):
        answer = client.get(f"/{size}", headers=GZIP)

        assert form == answer.headers.get("Content-Encoding"), size
