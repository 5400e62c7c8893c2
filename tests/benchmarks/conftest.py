"""What pytest must not import here: it runs in an environment of the peers, not in ours."""

collect_ignore = ["peer_worker.py"]
