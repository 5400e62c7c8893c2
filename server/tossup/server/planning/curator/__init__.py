"""The curator: what somebody trusted with all true answers would add to them, and get.

In: a query and a promise. Out: the noise that it takes, and how large it gets.
Sees no mechanism of devices.
"""
