"""What publishing needs beside the survey: its key, what was promised, who can answer.

Stage: publishing. In: a key file, and two versions. Out: a key, what respondents lose, and the
questions that the page cannot ask them.
Sees no store.
"""
