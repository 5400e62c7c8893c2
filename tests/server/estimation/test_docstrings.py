"""What a public function of estimation says of itself: what goes in, what comes out, what fails."""

import inspect
import re

from tossup.server import estimation

#: Functions that refuse nothing.
NEVER_REFUSE = {
    *("design_p_value", "direct", "nearest_covariance", "norm_sub", "two_coins"),
    "vector_p_value",
}


def lacks(function) -> list[str]:
    """Return what its docstring does not say."""
    text = inspect.getdoc(function) or ""
    heads = re.split(r"^(\w+)\n-+$", text, flags=re.MULTILINE)
    sections = dict(zip(heads[1::2], heads[2::2], strict=True))
    named = sections.get("Parameters", "")
    found = [
        name
        for name in inspect.signature(function).parameters
        if not re.search(rf"^\W*(\w+, )*{name}\b", named, re.MULTILINE)
    ]
    wanted = {"Returns"} if function.__name__ in NEVER_REFUSE else {"Returns", "Raises"}
    return found + sorted(wanted - sections.keys())


def test_every_public_function_says_what_goes_in_what_comes_out_and_what_fails():
    """Each parameter is described by name; what is returned, and every kind of refusal."""
    public = {name: getattr(estimation, name) for name in estimation.__all__}
    functions = {name: each for name, each in public.items() if inspect.isfunction(each)}

    assert len(functions) > 60
    assert {} == {name: found for name, each in functions.items() if (found := lacks(each))}
