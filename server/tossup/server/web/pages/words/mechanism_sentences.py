"""What mechanisms refuse where a survey is written, and why one was taken, as `refusals` finds it.

Stage: pages. A mechanism says both in its own file, in English. A new one needs no line here: what
has none is shown as it is, marked as English.
"""

from typing import Final

#: Marks a message for the catalogue, which is looked up later.
N_ = str

REFUSED: Final = (
    # Yes or no.
    N_("two coins have odds 3; with %(key)s, use randomized-response"),
    N_("a yes/no table has two rows of two weights"),
    N_("weights must be [[no_no, no_yes], [yes_no, yes_yes]], all integers"),
    N_("mechanism kuk takes cards, how many are drawn: 2 or more"),
    N_("weights of kuk must be [[no_black, no_red], [yes_black, yes_red]]"),
    N_("decks of %(mechanism)s must be in lowest terms"),
    N_("%(mechanism)s draws 2 to %(most)s cards"),
    N_("%(mechanism)s draws 2 to %(most)s cards; one card is randomized response"),
    N_(
        "no decks for %(cards)s cards have odds above 1 and up to %(odds)s with at most 2**32"
        " ways to fall; use fewer cards or higher odds"
    ),
    # Choices and orders by score.
    N_(
        "mechanism %(name)s takes utility, a row an answer and in it a score an option, or"
        " distances, the same with 0 for the answer itself"
    ),
    N_("%(key)s must be a list of rows, each a list of integers"),
    N_(
        "%(key)s must have %(rows)s rows of %(columns)s integers, as there are %(options)s"
        " options (at most %(most)s)"
    ),
    N_("distances must not be negative"),
    N_("the distance of an option from itself must be 0"),
    N_("distances must be the same both ways; with utility they may be different"),
    N_(
        "utility of %(mechanism)s must have a row an answer and in it a score an option, 2 to"
        " %(most)s of them"
    ),
    N_(
        "utility of %(mechanism)s gives answer %(answer)s a lower score for itself than for"
        " another option; give higher scores to what lies nearer to the truth"
    ),
    N_("scores of %(mechanism)s must be integers from -10**9 to 10**9"),
    N_("scores of one answer lie more than %(most)s apart; use coarser scores"),
    N_(
        "rows %(rows)s of utility (or distances) of %(mechanism)s are equal but for a constant,"
        " which changes no chance: reports cannot tell these answers apart, so no share can be"
        " estimated. Give each row scores of its own, or ask for one option in place of these"
    ),
    N_(
        "at these odds rows %(rows)s of the scores of %(mechanism)s have the same weights, so"
        " reports cannot tell these answers apart; ask for higher odds"
    ),
    N_("no design has odds %(odds)s for these scores; ask for higher odds"),
    N_("keep of %(mechanism)s must be at most 2**48"),
    # Several answers.
    N_("%(mechanism)s is for two statements, of which both may be true"),
    N_("%(mechanism)s takes odds above 1, and selected above 1/2, below 1"),
    N_("weights of %(mechanism)s sum to more than 2**31; ask with simpler ratios"),
    # What keeps something for all waves.
    N_("mechanism %(name)s takes odds or epsilon, and again; no weights"),
    N_("%(key)s (%(odds)s) must be above 1: at 1 all answers look alike"),
    N_("asked of %(mechanism)s must be an integer from 1 to the points"),
    N_(
        "d-bit-flip takes at most %(most)s numbers, so that many devices report on the same;"
        " %(found)s are too many. Take a larger step, or one-bit-mean"
    ),
    # Numbers and vectors.
    N_("odds of %(odds)s over %(points)s points need weights above 2**32"),
    N_(
        "no %(mechanism)s over %(points)s points has a delta of at most %(delta)s at odds of"
        " %(odds)s: ask for higher odds or a larger delta"
    ),
    N_("%(mechanism)s takes a keep of at most %(most)s"),
    N_("%(mechanism)s takes vectors of 1 to %(most)s components"),
)

REASONS: Final = (
    N_(
        "%(name)s has the least variance of those with reports of at most %(bytes)s bytes; n"
        " times the variance of a share of 0, and bytes a report: %(figures)s"
    ),
    N_(
        "%(name)s has the least variance at these odds; n times the variance of an option's"
        " share where it is largest: %(figures)s"
    ),
    N_(
        "%(name)s over %(buckets)s buckets has the shortest reports of those with at most 5/4"
        " of the least variance, and the fewest collisions of equals; n times the variance of"
        " the share of a text that nobody has, with n reports of one level, and bytes a"
        " report: %(figures)s"
    ),
    N_("%(name)s has the least variance of the mean; n times it, in squared ranges: %(figures)s"),
    N_(
        "%(name)s has the least variance at these odds; n times the variance of an entry's"
        " mean, in squared norms: %(figures)s"
    ),
    N_("its mean needs %(times)s times as many people as %(name)s, tossed afresh at the same odds"),
    N_(
        "of a yes it sends yes with probability %(yes)s, of a no with %(no)s; no yes/no coins"
        " with the same odds need fewer people"
    ),
    N_(
        "of a yes it sends yes with probability %(yes)s, of a no with %(no)s; it needs"
        " %(times)s times as many people as the best yes/no coins with the same odds"
    ),
    N_(
        "it needs %(times)s times as many people as yes/no coins for one statement alone at"
        " these odds, and %(both)s times as many as %(name)s for both"
    ),
)
