"""What an editor shows of each kind: forms, and how they become tables of a survey file.

Stage: authoring. In: what was typed. Out: what stands in the file. Sees no survey and no page.
"""
