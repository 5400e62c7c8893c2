"""What became of an answer, as a value with words: the SDK returns these instead of raising."""

from enum import Enum, unique


@unique
class Outcome(Enum):
    """The result of a call to the SDK. ``explanation`` says what happened, why, and what next."""

    QUEUED = "queued"
    STORED = "stored"
    ALREADY_ANSWERED = "already-answered"
    REFUSED_ANSWER = "refused-answer"
    REFUSED_CAP = "refused-cap"
    ODDS_RAISED = "odds-raised"
    REFUSED_MANIFEST = "refused-manifest"
    CLOSED = "closed"
    NOT_OPEN = "not-open"
    NOT_ASKED = "not-asked"
    NO_CONSENT = "no-consent"
    STORE_UNAVAILABLE = "store-unavailable"
    STORE_TOO_NEW = "store-too-new"
    LEDGER_DAMAGED = "ledger-damaged"
    UNREACHABLE = "unreachable"
    MISCONFIGURED = "misconfigured"
    FAILED = "failed"

    @property
    def explanation(self) -> str:
        """What happened, why, and what to do next; it never contains an answer."""
        return _EXPLANATIONS[self]


_EXPLANATIONS = {
    Outcome.QUEUED: (
        "The coins were tossed and the randomized report is safely stored on this device."
        " Call flush() to send it, now or later, from any process."
    ),
    Outcome.STORED: (
        "What the respondent decided about taking part is stored on this device."
        " After a withdrawal, call flush() to have sent reports withdrawn from the server."
    ),
    Outcome.ALREADY_ANSWERED: (
        "This device has answered the topic before, in this survey or another of the same"
        " publisher, and a topic is answered once for life, or once a wave where a survey has"
        " waves. Nothing was tossed; nothing is to do."
    ),
    Outcome.REFUSED_ANSWER: (
        "An answer is not one of the declared ones, so nothing was tossed, spent or stored."
        " Give True or False to yes/no questions, an int or a finite number where a question asks"
        " for one, an option's id to the others and to attributes; preview() lists them."
    ),
    Outcome.REFUSED_CAP: (
        "An answer costs more than this app allows for one question, or these answers together"
        " would exceed the lifetime cap for this publisher or this device, so none was tossed."
        " preview() shows what each costs, status() what is spent; the host app sets the caps."
    ),
    Outcome.ODDS_RAISED: (
        "A new version of the survey costs more for a question than this device knew, or takes back"
        " what was promised: private results, how long reports are kept, what travels together."
        " Nothing was tossed. Show the respondent preview(), which says what it was and is; then"
        " answer."
    ),
    Outcome.REFUSED_MANIFEST: (
        "The survey's manifest is not one that the pinned publisher signed for this survey, or is"
        " older than one seen before. Nothing was tossed. Check the link and its key, or ask the"
        " publisher."
    ),
    Outcome.CLOSED: (
        "The survey is closed: the server says so, or its last day is over by this device's clock."
        " Nothing was tossed. Nothing is to do, unless that clock is wrong."
    ),
    Outcome.NOT_OPEN: (
        "The survey is not open yet by this device's clock, or that clock is not set, so that"
        " nobody can tell. Nothing was tossed. Set the clock if it is wrong; else try again later."
    ),
    Outcome.NOT_ASKED: (
        "This device is not asked now: no wave of the survey is on today, or its coins chose other"
        " waves. Nothing was tossed; status() says which waves there are. Nothing is to do."
    ),
    Outcome.NO_CONSENT: (
        "The respondent has not consented, or has withdrawn. Nothing was tossed."
        " Call consent(True) once they agree."
    ),
    Outcome.STORE_UNAVAILABLE: (
        "The device's store cannot be written: the disk is full, the folder is read-only, or"
        " another process holds it. Nothing was spent or sent. Free the store and try again."
    ),
    Outcome.STORE_TOO_NEW: (
        "A newer version of tossup than this one wrote the device's store, so this one cannot tell"
        " what was spent. Nothing was tossed, sent or changed, and nothing is lost. Upgrade tossup"
        " in this app, and keep the store."
    ),
    Outcome.LEDGER_DAMAGED: (
        "The device's ledger of past answers is damaged or missing, so another answer could"
        " reveal the truth. Nothing is tossed any more. Put no older copy in its place: that has"
        " forgotten answers, too. Leave it as it is and take part on another device, or move its"
        " files away and accept that what was answered here may be asked, and tossed, again."
    ),
    Outcome.UNREACHABLE: (
        "The survey is not known on this device yet and the server cannot be reached."
        " Nothing was tossed. Try again when there is a connection; status() names the cause."
    ),
    Outcome.MISCONFIGURED: (
        "The client was not set up correctly: the link, the key, the store or a cap is invalid,"
        " or the server knows no such survey. status().problem and the logger tossup say which."
    ),
    Outcome.FAILED: (
        "An unexpected error occurred inside the SDK and was kept from the host app. Nothing"
        " more was done. status().problem and the logger tossup name its type; report it."
    ),
}
