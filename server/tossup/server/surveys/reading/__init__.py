"""Reading: the text of a survey file becomes a table of keys that are known, each of its type.

In: TOML. Out: the table, or what is wrong with it and in which line.
Sees no manifest and no key of a publisher.
"""
