"""The planner: people for a margin, a margin for people, and odds for several demands.

Stage: before authoring. A plain form that changes nothing: `wish` reads what was typed, `planned`
works it out by `tossup.server.planning` for any kind of question, `page` shows it.
"""
