"""What every mechanism says of itself by examples: they are the designs of its vectors."""

from tossup.shared.mechanisms import MECHANISMS, from_spec, names_in_files


def test_every_mechanism_has_examples_of_its_own_kind():
    """Two coins have one design; all others show several."""
    for name, kind in MECHANISMS.items():
        examples = kind.examples()
        assert len(examples) >= (1 if name == "two-coin/1" else 2), name
        assert {kind} == {type(example) for example in examples}, name


def test_a_spec_is_read_as_it_was_written():
    """All fields are in it, but those that the number of answers tells."""
    for kind in MECHANISMS.values():
        for example in kind.examples():
            assert example == from_spec(example.spec(), example.answers), example


def test_the_registry_names_what_the_classes_are_called():
    """A line of it is a name, a module and a class."""
    assert [*MECHANISMS] == [kind.name for kind in MECHANISMS.values()]


def test_survey_files_call_no_two_mechanisms_alike():
    """A name in a file leads to one mechanism."""
    names = [name for kind in MECHANISMS.values() for name in names_in_files(kind)]

    assert len(names) == len(set(names))
