"""The array code of vectors counts what the shared mechanisms say, one report at a time."""

import numpy as np
from sweeps import each

from tossup.server.kernels import kernel_of
from tossup.server.kernels.vectors import VectorKernel
from tossup.shared.coins import Coins
from tossup.shared.mechanisms import EntryGaussian, EntryLaplace, PrivUnit, VectorLaplace
from tossup.shared.mechanisms.digits import from_digits, to_digits

DESIGNS = [
    VectorLaplace(1, 4, 9),
    VectorLaplace(2, 16, 127),
    EntryGaussian(3, 16, 5000, 900),
    EntryLaplace(5, 16, 2, 1 << 16),
    EntryLaplace(152, 8, 16, 9000),
    VectorLaplace(2, 16, 2116),
    VectorLaplace(3, 16, 5000, 19, 7),
    VectorLaplace(16, 8, 3000),
    PrivUnit(1, 4, 22053),
    PrivUnit(6, 64, 10362),
    PrivUnit(40, 64, 100),
]


def column(design, reports):
    """Return reports as the server unpacks them."""
    width = max(1, -(-(design.reports - 1).bit_length() // 8))
    data = b"".join(report.to_bytes(width, "little") for report in reports)
    packed = np.frombuffer(data, dtype=np.uint8)
    return packed if width == 1 else packed.reshape(len(reports), width)


def some_reports(design) -> list[int]:
    middle = from_digits([design.radius] * design.dimension, 2 * design.radius + 1)
    tossed = [design.perturb(middle, Coins()) for _ in range(20)]
    return [0, 1, design.reports - 1, design.levels % design.reports, *tossed]


@each("design", DESIGNS)
def test_a_column_is_counted_as_its_reports_are(design):
    """Sums of digits, of products of pairs, and the reports."""
    reports = some_reports(design)
    digits = [to_digits(report, design.levels, design.dimension) for report in reports]
    sums = [sum(part) for part in zip(*digits, strict=True)]
    products = [sum(row[i] * row[j] for row in digits) for i, j in design.products]

    found = kernel_of(design).count(column(design, reports))

    assert [*sums, *products, len(reports)] == found.tolist()
    assert design.counters == len(found)
    assert len(reports) == design.reports_counted(found.tolist())


@each("design", DESIGNS)
def test_a_column_admits_what_the_mechanism_does(design):
    """The largest number of the digits is a report, and one more is none, at any place."""
    kernel, reports = kernel_of(design), some_reports(design)
    assert kernel.admits(column(design, reports))
    width = max(1, -(-(design.reports - 1).bit_length() // 8))
    for value in {design.reports, 256**width - 1}:
        if value < 256**width and value >= design.reports:
            wrong = column(design, [*reports[:3], value, *reports[3:]])

            assert not kernel.admits(wrong)
            assert not design.is_report(value)


def test_beyond_32_components_squares_are_kept_alone():
    """The tally grows with the number of components, not with its square."""
    assert 32 + 32 * 33 // 2 + 1 == PrivUnit(32, 64, 0).counters
    assert 2 * 33 + 1 == PrivUnit(33, 64, 0).counters


def test_simulated_reports_are_tossed():
    """A tally of as many reports, with sums within what digits allow."""
    design = VectorLaplace(1, 4, 9)
    total, squares, n = kernel_of(design).simulate([0, 0, 30, 0, 0, 0, 0, 0, 10]).tolist()

    assert 40 == n
    assert 0 <= total <= 18 * 40
    assert total**2 <= squares * 40


def test_counters_fit_the_store():
    """Ten billion reports of the widest design sum to less than a 64-bit integer holds."""
    assert 10**9 * VectorLaplace(2, 1024, 32768).levels ** 2 < 2**63
    assert 5 * 10**8 * EntryLaplace(2, 1024, 2, 1 << 16).levels ** 2 < 2**63


def test_a_simulation_tosses_all_at_once(monkeypatch):
    """Whatever the mechanism, not one by one as devices do; each answer is given as often."""
    tossed, toss = [], VectorKernel.perturb_points
    monkeypatch.setattr(
        VectorKernel,
        "perturb_points",
        lambda kernel, points: tossed.append(points.tolist()) or toss(kernel, points),
    )
    for design in (VectorLaplace(1, 4, 9), EntryGaussian(1, 4, 5000, 900), PrivUnit(1, 4, 22053)):
        tossed.clear()
        tally = kernel_of(design).simulate([3, *[0] * 7, 5])

        assert tally[-1] == 8, design.name
        assert tossed == [[[-4]] * 3 + [[4]] * 5], design.name
