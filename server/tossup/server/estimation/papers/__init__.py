"""Papers: counts that people bring from articles and tables, by designs of one or two samples.

In: yes reports, all reports and a design by its name. Out: the result that these tell.
Sees no server and no survey.
"""
