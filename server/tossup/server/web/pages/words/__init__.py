"""Words: numbers, days and estimates as sentences, in the visitor's language.

In: values of results. Out: texts in English or Chinese.
Sees no request but the language that it asks for.
"""
