"""Commands of operators: run the server, hand out access, and check that all is well.

In: a data folder, or a running server. Out: a serving process, links, keys and findings.
Sees no true answer but those of the demonstration's made-up people.
"""
