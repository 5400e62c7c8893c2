"""The web: routes, who may call them, and the answers that are kept for many askers.

In: requests. Out: JSON, CSV, pages and problem documents.
It only translates: what is counted and estimated comes from the rooms below.
"""
