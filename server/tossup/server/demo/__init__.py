"""A survey with known answers, over the real road: what Tossup does, in ten seconds.

Stage: all of them. A real server process, a signed survey, and respondents who each answer with
a device SDK and a store of their own, over HTTP. Only the people are made up, so that the truth
can stand beside the estimate.

One file each: the people (`populations`), a device in the hands of each (`respondents`), the server
as a process (`process`), and the whole (`run`).
"""
