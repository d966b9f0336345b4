"""What a file in cases/ is made of: cases, and the bars they have to reach."""
import dataclasses
import statistics
from typing import Callable


@dataclasses.dataclass
class Case:
    name: str
    contenders: dict  # name -> function returning {label: seconds}, once per round
    bars: Callable  # of Times -> list of Bar
    prepare: Callable = lambda: None  # data, warm cache, one checked run; not timed
    bytes: Callable = lambda: 0  # input bytes, for the GB/s column


class Times:
    """Seconds per label, one value per round."""

    def __init__(self):
        self.values = {}

    def add(self, labelled):
        for label, seconds in labelled.items():
            self.values.setdefault(label, []).append(seconds)

    def __getitem__(self, label):
        return statistics.median(self.values[label])

    def best(self, prefix):
        """The fastest by median of the labels that start so."""
        return min(self[label] for label in self.values if label.startswith(prefix))


@dataclasses.dataclass
class Bar:
    name: str
    ours: str
    baseline: str
    ratio: str
    bar: str
    ok: bool


def seconds(value):
    return f"{value:.3f} s" if value >= 0.1 else f"{value * 1e3:.2f} ms"


def megabytes(value):
    return f"{value / 1e6:.1f} MB"


def times_faster(name, ours, baseline, least, aim=None):
    """At least so many times faster than the baseline."""
    bar = f">= {least}x" + (f" (aim {aim}x)" if aim else "")
    ratio = baseline / ours
    shown = seconds(ours), seconds(baseline), f"{ratio:.1f}x"
    return Bar(name, *shown, bar, ratio >= least)


def share_of(name, ours, limit, least, aim=None):
    """At least such a share of the rate of a limit, both given in seconds."""
    bar = f">= {least} %" + (f" (aim {aim} %)" if aim else "")
    ratio = 100 * limit / ours
    return Bar(name, seconds(ours), seconds(limit), f"{ratio:.0f} %", bar, ratio >= least)


def at_most(name, value, most, show):
    """An absolute bar; `show` words a value, with its unit."""
    return Bar(name, show(value), "-", "-", f"<= {show(most)}", value <= most)


def failed(name, why):
    """A case that broke counts as a missed bar."""
    return Bar(name, "-", "-", "-", why, False)
