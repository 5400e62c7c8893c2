"""What device and server must agree on: coins, mechanisms, manifests, signatures and bytes.

Stage: everything both ends share. It imports the standard library and, for signatures only
and only when one is made or checked, ``cryptography``. It never sees a network or a disk.
"""
