"""What ``survey create`` compares a file with: promises of the version before, and the version."""

from dataclasses import replace
from datetime import date
from itertools import product

import pytest

from tossup.server.cli.authoring.changed import check_promises
from tossup.server.cli.authoring.survey import _as_version_of
from tossup.server.cli.output import Failure


def test_a_next_version_that_promises_less_is_shown_and_has_to_be_meant(survey, capsys):
    """Each change alone and all together; every one must be named, and more promise never."""
    before = replace(survey, results="private", retention_days=30, linkage="none")
    weaker = {"results": "public", "retention_days": 31, "linkage": "joint"}
    for chosen in product((False, True), repeat=3):
        changed = {name: weaker[name] for name, is_so in zip(weaker, chosen, strict=True) if is_so}
        made = replace(before, **changed)
        check_promises(made, before, tuple(changed))
        assert len(changed) == capsys.readouterr().err.count("Promised otherwise")
        for missing in changed:
            with pytest.raises(
                Failure, match=f"promised otherwise by version 1:\n  {missing}: "
            ) as found:
                check_promises(made, before, tuple(set(changed) - {missing}))
            assert f"--changed-promise {missing}" in found.value.fix
    check_promises(replace(before, retention_days=7), before, ())
    check_promises(before, replace(before, results="public"), ())


def test_an_old_file_that_closes_is_the_version_that_was_made_of_it(survey):
    """late_days was not thought of then; where the file states it, it is a change."""
    old = replace(survey, closes=date(2030, 1, 1), late_days=0)
    read_today = replace(old, late_days=7)

    assert old.digest == _as_version_of(read_today, "closes = 2030-01-01", old).digest
    stated = _as_version_of(read_today, "closes = 2030-01-01\nlate_days = 7", old)
    assert old.digest != stated.digest
