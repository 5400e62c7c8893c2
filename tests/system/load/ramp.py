"""More and more clients that send batches of reports, by locust; a line of JSON for each number.

Run by `test_load` with a server's address and a file of one batch, whose ids alone are made anew. A
client sends one batch at a time; one that is refused waits for as long as Retry-After says, up to
twice as long, and sends the same again, as devices do. How long an answer takes is not measured
here: clients that share a process wait for each other.
"""

# Locust comes first: it makes sockets of the standard library its own.
from locust import FastHttpUser, task  # isort: skip
from locust.env import Environment  # isort: skip
from locust.runners import LocalRunner  # isort: skip

import json
import os
import random
import re
import sys
from base64 import b64encode
from pathlib import Path

import gevent

CLIENTS = (16, 64, 256, 512)
#: Each number of clients is kept so long; what comes in the first part is left out.
SETTLING_SECONDS, STEP_SECONDS = 5, 15


class Sender(FastHttpUser):
    """Sends batches, each until it is acknowledged."""

    parts: tuple[bytes, bytes] = (b"", b"")
    id_bytes = 0
    answers: list[tuple[int, bool]] = []  # noqa: RUF012 - of all senders together

    @task
    def send(self) -> None:
        before, after = self.parts
        body = before + b64encode(os.urandom(self.id_bytes)) + after
        headers = {"Content-Type": "application/json"}
        while True:
            with self.client.post(
                "/v1/reports", data=body, headers=headers, catch_response=True
            ) as answer:
                answer.success()
                again = answer.headers.get("Retry-After") if answer.headers else None
                self.answers.append((answer.status_code, again is not None))
                if answer.status_code == 200:
                    return
            gevent.sleep(float(again or 1) * random.uniform(1, 2))


def step(runner: LocalRunner, clients: int) -> None:
    """Have so many clients send for a while; print what came of it."""
    runner.start(clients, spawn_rate=100)
    gevent.sleep(SETTLING_SECONDS)
    print(json.dumps({"clients": clients}), flush=True)
    Sender.answers.clear()
    gevent.sleep(STEP_SECONDS)
    answers = list(Sender.answers)
    accepted = sum(status == 200 for status, _ in answers)
    refused = [again for status, again in answers if status in {429, 503}]
    found = {
        "clients": clients,
        "accepted_a_second": round(accepted / STEP_SECONDS, 1),
        "refused_a_second": round(len(refused) / STEP_SECONDS, 1),
        "without_retry_after": refused.count(False),
        "failed": len(answers) - accepted - len(refused),
    }
    print(json.dumps(found), flush=True)


def main(url: str, batch: str) -> None:
    before, ids, after = re.split(rb'(?<="ids":")([^"]*)', Path(batch).read_bytes())
    Sender.parts, Sender.host = (before, after), url
    Sender.id_bytes = len(ids) * 3 // 4 // 16 * 16
    environment = Environment(user_classes=[Sender])
    runner = environment.create_local_runner()
    for clients in CLIENTS:
        step(runner, clients)
    os._exit(0)  # clients that wait to come again are not waited for


if __name__ == "__main__":
    main(*sys.argv[1:])
