"""Five more small projects with one bug each. Written after the recipe."""

from fix_project import Project

PROJECTS = (
    Project(
        "league (wrong sort key)",
        "league",
        '''"""A league table."""

from dataclasses import dataclass


@dataclass
class Team:
    """A team and what it has reached."""

    name: str
    points: int = 0
    scored: int = 0
    conceded: int = 0

    @property
    def difference(self):
        """Goals scored less goals conceded."""
        return self.scored - self.conceded


def record(home, away, home_goals, away_goals):
    """Enter the result of a match."""
    home.scored += home_goals
    home.conceded += away_goals
    away.scored += away_goals
    away.conceded += home_goals
    if home_goals == away_goals:
        home.points += 1
        away.points += 1
    elif home_goals > away_goals:
        home.points += 3
    else:
        away.points += 3


def table(teams):
    """Return the teams, best first: by points, then goal difference, then name."""
    return sorted(teams, key=lambda team: (-team.points, team.difference, team.name))
''',
        """from league.league import Team, record, table


def test_a_win_gives_three_points():
    one, two = Team("A"), Team("B")
    record(one, two, 2, 1)
    assert (one.points, two.points) == (3, 0)


def test_a_draw_gives_one_each():
    one, two = Team("A"), Team("B")
    record(one, two, 1, 1)
    assert (one.points, two.points) == (1, 1)


def test_points_come_first_then_difference_then_name():
    teams = [
        Team("Ants", 4, 5, 5),
        Team("Bees", 4, 9, 2),
        Team("Cats", 7, 3, 3),
        Team("Bugs", 4, 5, 5),
    ]
    assert [team.name for team in table(teams)] == ["Cats", "Bees", "Ants", "Bugs"]
""",
    ),
    Project(
        "slugs (bad regex)",
        "slugs",
        '''"""Slugs: titles as parts of web addresses."""

import re

_NOT_ALLOWED = re.compile(r"[^a-z0-9]")


def slug(title, longest=60):
    """Return a title in lower case, words joined by single hyphens, none at the ends."""
    text = _NOT_ALLOWED.sub("-", title.lower()).strip("-")
    if len(text) > longest:
        text = text[:longest].rstrip("-")
    return text


def unique(title, taken):
    """Return a slug that is not among `taken`, with a number when need be."""
    base = slug(title)
    name, number = base, 2
    while name in taken:
        name = f"{base}-{number}"
        number += 1
    return name
''',
        """from slugs.slugs import slug, unique


def test_words_are_joined():
    assert slug("Hello World") == "hello-world"


def test_several_signs_give_one_hyphen():
    assert slug("What?!  Really...") == "what-really"


def test_long_titles_are_cut():
    assert slug("a b c", longest=4) == "a-b"


def test_taken_slugs_get_a_number():
    assert unique("Hi", {"hi", "hi-2"}) == "hi-3"
""",
    ),
    Project(
        "notes (encoding)",
        "notes",
        '''"""Notes in a folder, one file each."""

from pathlib import Path


class Notes:
    """Reads and writes notes as UTF-8."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def save(self, name, text):
        """Write a note."""
        self.folder.mkdir(parents=True, exist_ok=True)
        data = text.encode("utf-8")
        (self.folder / f"{name}.txt").write_bytes(data)
        return len(data)

    def load(self, name):
        """Return a note, or None when there is none."""
        path = self.folder / f"{name}.txt"
        if not path.exists():
            return None
        return path.read_bytes().decode("latin-1")

    def names(self):
        """Return the names of all notes in alphabetical order."""
        return sorted(path.stem for path in self.folder.glob("*.txt"))
''',
        """from notes.notes import Notes


def test_what_is_saved_can_be_loaded(tmp_path):
    notes = Notes(tmp_path / "n")
    assert notes.save("a", "plain") == 5
    assert notes.load("a") == "plain"


def test_every_script_can_be_saved(tmp_path):
    notes = Notes(tmp_path)
    notes.save("b", "Grüße, 世界")
    assert notes.load("b") == "Grüße, 世界"


def test_a_missing_note_is_none(tmp_path):
    assert Notes(tmp_path).load("x") is None


def test_names_are_sorted(tmp_path):
    notes = Notes(tmp_path)
    notes.save("b", "")
    notes.save("a", "")
    assert notes.names() == ["a", "b"]
""",
    ),
    Project(
        "geometry (missing import)",
        "geometry",
        '''"""Points and distances."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """A point in the plane."""

    x: float
    y: float

    def distance(self, other):
        """Return the distance to another point."""
        return math.hypot(self.x - other.x, self.y - other.y)

    def moved(self, dx, dy):
        """Return a point that lies further on."""
        return Point(self.x + dx, self.y + dy)


def path_length(points):
    """Return the length of the way through all points."""
    return sum(one.distance(two) for one, two in zip(points, points[1:]))
''',
        """from geometry.geometry import Point, path_length


def test_moving():
    assert Point(1, 2).moved(1, 1) == Point(2, 3)


def test_distance():
    assert Point(0, 0).distance(Point(3, 4)) == 5


def test_a_path_is_the_sum_of_its_parts():
    assert path_length([Point(0, 0), Point(3, 4), Point(3, 5)]) == 6
""",
    ),
    Project(
        "dues (date handling)",
        "dues",
        '''"""When bills are due."""

import calendar
from datetime import date, timedelta


def is_weekend(day):
    """Return whether the day is a Saturday or a Sunday."""
    return day.weekday() >= 5


def next_working_day(day):
    """Return the day itself, or the Monday after when it lies on a weekend."""
    while is_weekend(day):
        day += timedelta(days=1)
    return day


def add_months(day, months):
    """Return the same day some months later, or the last day of a month that is shorter."""
    month = day.month - 1 + months
    year = day.year + month // 12
    month = month % 12 + 1
    return date(year, month, day.day)


def due(bill, months=1):
    """Return when a bill of that day is due."""
    return next_working_day(add_months(bill, months))
''',
        """from datetime import date

from dues.dues import add_months, due, is_weekend, next_working_day


def test_weekends():
    assert is_weekend(date(2024, 6, 1))
    assert not is_weekend(date(2024, 6, 3))


def test_the_next_working_day():
    assert next_working_day(date(2024, 6, 1)) == date(2024, 6, 3)


def test_months_may_cross_the_year():
    assert add_months(date(2023, 11, 15), 3) == date(2024, 2, 15)


def test_short_months_end_earlier():
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)


def test_due_days_are_working_days():
    assert due(date(2024, 5, 1)) == date(2024, 6, 3)
""",
    ),
)
