"""The device SDK: the truth goes in, coins are tossed, a report comes out.

Stage: answer to upload.
"""
