"""What checks below the pages refuse: their English sentences, with names for what varies.

Stage: pages. `refusals` finds the sentence that a check said, and the catalogue has it in other
languages. Where several fit, the one with the most words of its own counts.
"""

from typing import Final

#: Marks a message for the catalogue, which is looked up later.
N_ = str

SENTENCES: Final = (
    # A file, its tables and their keys.
    N_("is missing"),
    N_('must be a text in quotes, such as "habits"'),
    N_("must be a whole number without quotes, such as 365"),
    N_('must be a list, such as ["en"]'),
    N_("must be a table of keys"),
    N_("must be a table: [publisher], and name and contact below it"),
    N_("must be a table: [waves], and count, first and days below it"),
    N_("must be tables: each under [[question]], with id and text below it"),
    N_("must be tables: each under [[attribute]], with id, text and answers below it"),
    N_("must be tables: each under [[question.option]] or [[attribute.option]], with id and label"),
    N_("must be a text, or a table of texts by language"),
    N_('must be a number of a few digits, such as 3, "5/2" or 0.5'),
    N_("must be a day, YYYY-MM-DD"),
    N_("must be odds of at least 1, such as 9"),
    N_("silent or randomized"),
    N_("none or joint"),
    N_("public or private"),
    N_("live, daily or closed"),
    N_("must be a list of labels or %(examples)s"),
    N_("must be %(examples)s"),
    N_("unknown key; %(hint)s"),
    N_("is not known; %(hint)s"),
    N_("did you mean %(name)s?"),
    N_("known are %(names)s"),
    N_("`tossup mechanism list` names them"),
    N_("is blank: it shows nothing"),
    N_(
        "not TOML: holds U+%(code)s (a lone surrogate, half of a character) at line"
        " %(line)s, column %(column)s; write the character itself"
    ),
    N_("%(error)s (at end of document)"),
    N_("%(error)s (at line %(line)s, column %(column)s)"),
    N_("not TOML: %(error)s (at line %(line)s, column %(column)s)"),
    N_("not TOML: %(error)s (at end of document)"),
    N_("holds a number of too many digits; write a few, such as 3 or 0.5"),
    N_("not a survey file: its lists are nested too deeply"),
    N_("must be 1 to 64 of a-z, 0-9, _ and -, starting with a letter or digit"),
    N_("is that of an earlier question or attribute, too"),
    N_("must be given in each of %(languages)s"),
    N_("unit says what a number counts; leave it out here"),
    N_('refusal_label goes with refusal = "randomized"'),
    N_('refusal = "randomized" is for yes/no and choices; leave it out to send nothing'),
    N_("takes odds or epsilon, and no weights"),
    N_("takes one of odds and epsilon"),
    N_("has no answers; leave the key out to ask for yes or no"),
    N_("takes answers or option tables, not both"),
    N_("%(alike)s; nobody can tell which is which"),
    N_("options %(first)s and %(second)s look the same in %(language)s"),
    N_(
        "with a chance of up to %(chance)s a report would tell more than its odds allow;"
        " devices accept %(most)s in their whole life. Ask for a smaller delta, or use a"
        " mechanism without one"
    ),
    N_(
        "answering everything costs odds of %(product)s (epsilon %(epsilon)s), above the"
        " %(cap)s that a device allows one publisher, so every device would refuse part of"
        " it. Ask fewer questions, in fewer waves, or give them lower odds"
    ),
    N_(
        "question %(question)s costs odds of %(cost)s, above the %(cap)s that devices allow"
        " one question unless their app says otherwise: whoever reads what is sent may be"
        " right about a truth %(share)s of the time. Give it lower odds or fewer waves; or"
        " set question_cap = %(written)s at the top of the file, and the same in every app"
        " that asks it: Client(..., question_cap=...)"
    ),
    # Labels for not answering.
    N_("give answers with labels for yes and no"),
    N_("give refusal_label in every language"),
    N_("refusal: there are words for %(languages)s alone; %(otherwise)s"),
    # A survey as a whole.
    N_("question and attribute ids must differ"),
    N_("a question and an attribute share an id"),
    N_("the deltas of all questions sum to 1 or more: nothing is promised"),
    N_("shown says when public results are; these are private: leave it out"),
    N_("only a survey with waves has an attribute called %(name)s"),
    N_(
        "with linkage joint the same answers together, wave after wave, would mark a device;"
        " use linkage none, or give waves.times"
    ),
    N_(
        "%(name)s keeps coins for all waves; with linkage joint those of all questions"
        " together would mark a device: use linkage none"
    ),
    N_("%(what)s must be 1 to 64 of a-z, 0-9, _ and -, starting with no sign"),
    N_("option ids of %(part)s must differ"),
    N_("minimum_batch must be from 1 to 10**9"),
    N_("retention_days must be from 1 to 36500"),
    N_("opens must not be after closes"),
    N_("late_days must be from 0 to %(most)s"),
    N_("late_days are counted from closes; give the last day, too"),
    N_("a survey has 1 to %(most)s questions"),
    N_("%(part)s must offer at least two options"),
    N_("%(part)s offers more than %(most)s options"),
    N_(
        "the questions with a delta have too many answers and reports for a device to find"
        " it; take coarser grids or smaller margins"
    ),
    N_("the attributes' options multiply to more than %(most)s groups"),
    N_(
        "%(question)s: with refusal randomized the last of at least three options stands for"
        " not answering"
    ),
    N_("%(question)s: only a choice has an option for not answering"),
    N_("%(question)s: only a number has a unit"),
    N_("languages must name at least one language, each once"),
    N_("languages must be tags such as en or zh-Hans"),
    N_("%(place)s must be given in %(languages)s, in that order"),
    N_("%(place)s must have 1 to %(most)s printable characters, not %(found)s"),
    N_("%(place)s must have 1 to %(most)s printable characters, and %(wrong)s"),
    N_("holds U+%(code)s (%(called)s) as character %(place)s"),
    N_("a control character"),
    N_("a lone surrogate, half of a character"),
    N_("the text of %(part)s"),
    N_("the unit of %(part)s"),
    N_("the short of %(part)s"),
    N_("a label of %(part)s (%(option)s)"),
    N_("title"),
    N_("purpose"),
    # Waves.
    N_("waves: count must be an integer from 2 to %(most)s"),
    N_("waves: days must be an integer from 1 to %(most)s"),
    N_("waves: times must be an integer from 1 to the count of waves"),
    N_("waves: the last wave must end before the year 10000"),
    N_("waves: first must be a day, YYYY-MM-DD"),
    N_("waves must have exactly count, first, days and times"),
    N_(
        "%(mechanism)s is for answers that change: give waves.times, from 2 to %(most)s, to"
        " say in how many waves a device answers"
    ),
    N_("%(mechanism)s keeps an answer for all waves, so times must not be given"),
    N_(
        "a report of %(mechanism)s here is one of %(reports)s; sent again in every wave it"
        " would mark a device. At most %(most)s are resent: use permanent-instantaneous or"
        " rappor, or give waves.times"
    ),
    N_(
        "%(question)s: %(mechanism)s is for surveys that ask again; add a table [waves], or"
        " take another mechanism"
    ),
    N_("the survey must be open on the first day of each of its waves"),
    # Kinds of answers.
    N_("numbers need low below high and a step above 0"),
    N_(
        "numbers from %(low)s to %(high)s must be 1 to %(most)s whole steps, not %(found)s"
        " of %(step)s"
    ),
    N_("whole numbers have whole bounds and a step of 1"),
    N_("bounds and step of a number must be exact ratios"),
    N_("bounds and step of a number must have at most 15 digits"),
    N_("an order is one of 2 to %(most)s options"),
    N_("a question with several answers has 1 to %(most)s options"),
    N_("most must be from 1 to the number of options"),
    N_("has no options to tick; name them after several, or in tables"),
    N_("the longest text must have 1 to %(most)s characters"),
    N_("texts need 1 to %(most)s declared characters"),
    N_("characters of a text must stand once each, in their order"),
    N_("texts need a character that is no space and no joiner"),
    N_(
        "U+%(code)s cannot stand in a text: texts are put in Unicode NFC, and hold neither"
        " control characters nor spaces but U+0020"
    ),
    N_("the range %(run)s ends before it starts"),
    N_("a vector has 2 to %(most)s components"),
    N_("norm and step of a vector must be exact ratios above 0"),
    N_("norm and step of a vector must have at most 15 digits"),
    N_("the norm must be 1 to %(most)s whole steps, not %(found)s of %(step)s"),
    N_("scores must be one a rank, best first: %(scores)s for %(options)s options"),
    N_("mechanism %(name)s has its own scores; leave scores out"),
    N_("a number takes no options"),
    N_("a text takes no options"),
    N_("a question about a number has no options"),
    N_("a question that takes a text has no options"),
    N_("a ratio has a denominator of 0"),
    # Mechanisms, and what they cost.
    N_("takes one of odds, epsilon and weights; found %(found)s"),
    N_(
        "has %(answers)s options, and without a mechanism at most %(most)s are taken; write"
        ' mechanism = "auto", which finds the best one for more'
    ),
    N_("mechanism auto takes odds or epsilon; its weights follow"),
    N_("mechanism %(name)s takes odds or epsilon; its weights follow"),
    N_("mechanism %(name)s does not fit its answers; use %(names)s"),
    N_("mechanism %(name)s does not fit its answers; %(hint)suse %(names)s"),
    N_("rappor has a bit an option; "),
    N_("mechanism %(name)s does not fit a text; use %(other)s"),
    N_("mechanism %(name)s does not fit %(what)s; use one of %(names)s"),
    N_("a question with several answers"),
    N_("takes %(key)s with mechanism %(names)s alone"),
    N_("takes odds or epsilon, and no %(key)s"),
    N_("delta is for %(names)s; other mechanisms have none"),
    N_("odds are kept without exception; leave delta out"),
    N_("mechanism %(name)s takes no weights; they follow"),
    N_("mechanism %(name)s takes odds, epsilon or %(instead)s: one"),
    N_(
        "no mechanism has odds %(odds)s for %(options)s options with weights of at most"
        " 2**32 and %(bytes)s bytes a report; ask with simpler odds, such as 3 or 5/2"
    ),
    N_(
        "no mechanism has odds %(odds)s for several of %(options)s options with weights of"
        " at most 2**32; ask with simpler odds, such as 3 or 5/2"
    ),
    N_(
        "reports of %(mechanism)s do not tell the shares of its %(answers)s answers apart"
        " with these scores; ask for fewer options, higher odds or other scores"
    ),
    N_(
        "%(mechanism)s has %(answers)s answers by %(reports)s reports, more than the"
        " %(most)s cells that are estimated from; take fewer reports"
    ),
    N_(
        "reports of %(mechanism)s are too much alike to tell a mean: odds of %(odds)s over"
        " %(answers)s points; ask for higher odds or fewer points"
    ),
    N_("oracle %(name)s is unknown; use one of %(names)s"),
    N_("buckets (%(buckets)s) must be from 2 to %(most)s for %(oracle)s"),
    N_(
        "odds of %(odds)s over a norm of %(radius)s steps in %(dimension)s dimensions need"
        " noise beyond %(most)s steps; take a larger step, higher odds or privunit"
    ),
    N_(
        "odds of %(odds)s over a norm of %(radius)s steps with %(dimension)s entries need"
        " noise beyond %(most)s steps; take a larger step, higher odds or privunit"
    ),
    N_(
        "odds of %(odds)s but for %(delta)s over a norm of %(radius)s steps in %(dimension)s"
        " dimensions need noise beyond %(most)s steps; take a larger step, higher odds, a"
        " larger delta or privunit"
    ),
    N_("delta (%(delta)s) must be above 0 and below 1"),
    N_("options must be an integer from 2 to %(most)s"),
    N_("odds (%(odds)s) must be above 1: at 1 every answer looks the same"),
    N_("odds (%(odds)s) must be at least 1"),
    N_("odds (%(odds)s) must be above 1"),
    N_("odds (%(odds)s) have no %(ordinal)s root above 1 within %(most)s"),
    N_("weights sum to %(total)s; the limit is %(most)s"),
    N_("weights must be integers: probabilities are ratios of integers"),
    N_(
        "weights must be positive: a report that some answer never gives would prove that"
        " this was not the answer"
    ),
    N_("every row of weights must have the same length and the same sum"),
    N_("every answer gives the same reports, so nothing can be estimated; choose odds above 1"),
    N_("epsilon (%(epsilon)s) must be above 0 and at most 20"),
    N_("epsilon (%(epsilon)s) is too small: its weights do not fit in %(most)s"),
    N_("%(name)s is not a number such as 3, 5/2 or 0.5"),
    N_("the number is too long"),
    N_(
        'mechanism unrelated-question takes prevalence, such as prevalence = "1/4": the'
        " share of yes to the innocent question, for which the device tosses a coin. One"
        " that respondents answer, so that its share is unknown, is refused on a device as"
        " papers have it: who knows the answer to it learns the sensitive one from some"
        " reports for certain, so no odds hold. With forced answers they do: ask for both"
        " statements, answers = { several = [...] } with the two. Data collected on paper"
        " are estimated by tossup.server.estimation.unrelated_unknown"
    ),
    N_(
        "selected, prevalence and forced of %(name)s are probabilities, above 0 and below 1"
        " (forced together, too)"
    ),
    N_('takes odds, or forced = ["1/6", "1/6"]: a forced yes, a forced no'),
    N_("%(mechanism)s is not for several answers"),
    N_("%(mechanism)s is not for a number"),
    N_("%(mechanism)s is not for vectors"),
    # Publishing, deleting, and keys.
    N_("choose who signs: nothing was signed"),
    N_("what was signed is not this draft as it stands; take its file out again, and sign it"),
    N_(
        "the survey has %(reports)s reports, which would be lost; what may be lost is stated"
        " in losing"
    ),
    N_(
        "question %(question)s costs odds of %(cost)s, above %(cap)s: devices answer it only"
        " where the app allows more. Give it lower odds; or post the same with"
        " ?question_cap= and what one question may cost"
    ),
    N_("%(error)s; choose another id"),
    N_("a survey starts with version 1"),
    N_("the survey is closed; a closed survey gets no new version"),
    N_("the survey belongs to another publisher key; sign by that, or choose another id"),
    N_("version %(here)s is here, so the next one is %(next)s"),
    N_("previous must be the digest of the version that is here"),
    N_("the survey cannot be opened again: %(why)s"),
    N_("its single reports were deleted at the end of their retention"),
    N_("its last day, %(day)s, is over"),
    N_("the manifest is signed by the given key, but names another"),
    N_("the manifest's envelope is malformed: %(error)s"),
    N_(
        "the manifest carries no valid signature of the pinned publisher key %(key)s; check"
        " the key, or ask the publisher"
    ),
    N_("not JSON in UTF-8"),
    N_("nested deeper than %(most)s levels"),
    N_("%(size)s bytes are above the limit of %(most)s"),
    N_("a text holds a lone surrogate, half of a character"),
    N_("an object names the same key twice"),
    N_("an integer has more than 18 digits"),
    N_("numbers must be integers"),
    N_("expected exactly payload, type and sigs"),
    N_("the manifest is refused: %(error)s"),
    N_("the manifest is not written in its one form, or claims another cost"),
    N_(
        "the manifest claims odds of %(odds)s (epsilon %(epsilon)s, delta %(delta)s); answering"
        " it costs %(cost)s (epsilon %(own)s, delta %(mine)s)"
    ),
    N_(
        "this user has no home folder for the publisher's key: %(variable)s is not an"
        " absolute path, and the system names none"
    ),
    N_("%(path)s is empty: making it was cut short"),
    N_("%(path)s holds no private key in PEM without a password"),
    N_("%(path)s holds a key of another kind; manifests are signed with Ed25519"),
    N_("the publisher's key %(path)s cannot be used: %(error)s"),
    N_("results: were private, and anyone can see them now, of earlier reports too"),
    N_("shown: public results were shown %(before)s, and are %(now)s now"),
    N_("as reports come in"),
    N_("once a day"),
    N_("when the survey is closed"),
    N_(
        "retention_days: single reports were deleted after %(before)s days, and are kept for"
        " %(now)s now"
    ),
    N_(
        "linkage: was %(before)s, and is %(now)s now: with joint, the answers of one"
        " respondent travel together"
    ),
    N_(
        "reports of all versions under one id are added up, and under ids that stay this"
        " says something else: %(places)s. What means something else needs an id of its own;"
        " what means the same is named in same_meaning"
    ),
    N_("same_meaning names what says the same as before: %(names)s"),
    N_("the manifest requires something this version does not know; upgrade"),
    N_("manifest version %(version)s is unknown; upgrade tossup"),
    N_("type must be %(type)s; upgrade tossup if it is newer"),
    N_("expected one to four signatures"),
    N_("a signature has exactly kid and sig"),
    N_("not base64url"),
    N_("not canonical base64url without padding"),
    N_("version counts from 1; previous is null for version 1 only"),
    N_("previous must be the SHA-256 of the version before, 64 hex digits"),
    N_("the publisher's key must be the 32 bytes of an Ed25519 public key"),
    N_("the first version has nothing before it to mean the same as"),
    N_("same_meaning must name ids, id.option or the survey's texts, sorted"),
    N_("with waves the last attribute is %(name)s"),
    N_("the options of attribute %(name)s are the waves, 1, 2 and so on"),
    N_("%(question)s: %(mechanism)s is not for its answers"),
    N_("%(question)s has options that its answers are not made of"),
    N_("a list was expected in the manifest"),
    N_("a question's mechanism must be an object"),
    N_("a question has one of %(names)s, or none"),
    N_("%(what)s must be an object with exactly the fields %(names)s"),
    N_("%(what)s must be a string"),
    N_("%(what)s must be an integer"),
    N_("%(what)s must be one of %(names)s"),
    N_("%(what)s must be a day, YYYY-MM-DD"),
    N_("%(what)s must map languages to texts"),
    N_("%(survey)s has no question %(question)s"),
    N_("%(what)s must differ"),
    # Plans.
    N_("There are more groups than people."),
    N_("No odds are left below that limit."),
    N_("So fine a grid takes too long to be searched. Take larger steps."),
    N_("%(n)s respondents miss a margin of %(wanted)s even without coins; ask more, or allow more"),
    N_("odds of %(total)s are too few for %(questions)s questions"),
    N_("no test can tell a share of %(share)s from %(against)s; name another"),
    N_("groups (%(groups)s) must be at least 2 to be compared"),
    N_("%(what)s (%(value)s) must be a finite number above 0"),
    N_("%(what)s (%(value)s) must be an integer of at least 1"),
    N_("%(what)s (%(value)s) must be in (0, 1)"),
    N_("%(what)s (%(value)s) must be from 0 to 1"),
    # What Python's reader of TOML says.
    N_("Invalid statement"),
    N_("Invalid value"),
    N_("Invalid initial character for a key part"),
    N_("Invalid date or datetime"),
    N_("Invalid hex value"),
    N_("Unterminated string"),
    N_("Unclosed array"),
    N_("Unclosed inline table"),
    N_("Unescaped '\\' in a string"),
    N_("Illegal character %(character)s"),
    N_("Escaped character is not a Unicode scalar value"),
    N_("Expected '=' after a key in a key/value pair"),
    N_("Expected newline or end of document after a statement"),
    N_("Expected ']' at the end of a table declaration"),
    N_("Expected ']]' at the end of an array declaration"),
    N_("Cannot overwrite a value"),
    N_("Cannot declare %(key)s twice"),
    N_("Cannot mutate immutable namespace %(key)s"),
    N_("Cannot redefine namespace %(key)s"),
    N_("Duplicate inline table key %(key)s"),
)

#: Where something is wrong: what stands before a colon and a sentence.
PLACES: Final = (
    N_("line %(line)s"),
    N_("line %(line)s, %(place)s"),
    N_("question %(name)s, %(key)s"),
    N_("attribute %(name)s, %(key)s"),
    N_("question %(name)s"),
    N_("attribute %(name)s"),
)
