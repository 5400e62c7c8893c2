"""Pages of those who look after surveys: signing in, members, sessions, keys and the record.

Stage: HTTP. They only translate; who may call them stands at each.
"""
