"""What a section of the page and its rows are."""
import dataclasses
from typing import Callable

WITHIN = 0.02


@dataclasses.dataclass
class Row:
    what: str
    scene: str
    bounds: Callable  # (Machine) -> [Bound], the longest of which is expected
    preset: str = "attila"
    sets: tuple = ()
    measured: Callable = lambda work: work.cycles  # (Work)
    unit: str = "cycles"
    within: float = WITHIN  # measured may exceed what is expected by so much
    why: str = ""  # by more than 2 %
    without: tuple = ()  # (the reason taken away, sets) one after the other; with the last 2 % hold

    def name(self):
        return " ".join([f"{self.scene}@{self.preset}", *self.sets])


@dataclasses.dataclass
class Section:
    title: str
    text: str
    rows: list
