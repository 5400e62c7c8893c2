"""Telling: what every result can say of itself, as a line, a table, sentences, a picture, a frame.

In: numbers with their intervals. Out: text, SVG, HTML, rows of a DataFrame.
Sees no count, no design and no page of the server.
"""
