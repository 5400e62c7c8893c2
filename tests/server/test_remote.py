"""Researchers' requests wait for what a server works out, and for nothing else."""

import http.server
import json
import threading

import pytest

from tossup.server import remote


@pytest.fixture
def server(monkeypatch):
    """A server that answers with what is left of a list of statuses and codes."""
    answers: list[tuple[int, str]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            status, code = answers.pop(0)
            kind = "application/json" if status == 200 else "application/problem+json"
            body = json.dumps({"type": f"urn:tossup:error:{code}", "title": code}).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    monkeypatch.setattr(remote, "PAUSE_SECONDS", 0.0)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_port}/", answers
        served.shutdown()


def test_an_answer_that_is_worked_out_is_waited_for(server):
    """Nobody has to type a command again because a survey is large."""
    url, answers = server
    answers += [(503, "preparing"), (503, "preparing"), (200, "")]

    assert remote.JSON == remote.send(url).kind
    assert not answers


@pytest.mark.parametrize("code", ["busy", "too-dear", "storage-unavailable"])
def test_any_other_refusal_is_told_at_once(server, code):
    """What waiting does not help is not waited for."""
    url, answers = server
    answers += [(503, code), (200, "")]

    with pytest.raises(remote.RemoteRefusedError) as refused:
        remote.send(url)
    assert (503, code) == (refused.value.status, refused.value.code)


def test_waiting_has_an_end(server, monkeypatch):
    """After two minutes the refusal is told."""
    url, answers = server
    answers += [(503, "preparing")] * 2
    monkeypatch.setattr(remote, "PREPARING_SECONDS", -1.0)

    with pytest.raises(remote.RemoteRefusedError):
        remote.send(url)
    assert 1 == len(answers)
