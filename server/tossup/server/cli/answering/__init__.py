"""Commands of respondents: this machine answers through the real device SDK.

In: a link, and true answers that never leave this process. Out: what became of them.
Sees no API key and no data folder of a server.
"""
