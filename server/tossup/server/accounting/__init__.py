"""What several promises cost together, beyond the product of their odds.

Stage: beside the surveys, for authors. In: promises (`guarantee`). Out: bounds of their sum, by
the simple rules (`composition`), the least there are (`optimal`, `loss_grid`), all by name
(`bounds`), and with what mixing reports adds for those who trust the mixer (`shuffling`).
It sees no report; a device charges its ledger in `tossup.shared.odds` and needs nothing here.
"""
