"""Upload: what is in the outbox goes to the survey's server, exactly as it is.

In: stored reports. Out: the server's verdicts on them, written into the store.
Sees no answer.
"""
