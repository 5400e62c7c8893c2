"""What publishing needs beside the survey: the key that signs it, and what was promised.

Stage: publishing. In: a key file, and two versions. Out: a key, and what respondents lose.
Sees no store.
"""
