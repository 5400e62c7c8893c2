"""What device and server must agree on: coins, mechanisms, manifests, signatures and bytes.

Stage: everything both ends share. It imports the standard library, and ``cryptography``
when a signature is made or checked. It never sees a network or a disk.
"""
