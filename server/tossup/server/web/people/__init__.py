"""People who sign in by a name and a password.

Stage: HTTP. `sign_in` says who it is and slows guessers; `passwords` keeps and compares.
"""
