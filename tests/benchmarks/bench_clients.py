"""Clients that send one request again and again, whatever the answer, until they are killed.

Run as a program with a port and a number of clients; the request comes on standard input.
"""

import sys
from threading import Thread

from bench_load import exchange_for_ever


def main(port: int, clients: int) -> None:
    """Start all clients and wait."""
    request = sys.stdin.buffer.read()
    for _ in range(clients):
        Thread(target=exchange_for_ever, args=(port, request)).start()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
