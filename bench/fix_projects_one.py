"""Five small projects with one bug each, of kinds that people make. Written after the recipe."""

from fix_project import Project

PROJECTS = (
    Project(
        "pages (off by one)",
        "pages",
        '''"""Cutting lists into pages."""


def page_count(total, size):
    """Return how many pages of `size` items hold `total` items."""
    if size < 1:
        raise ValueError("size must be at least 1")
    return total // size + 1


def page(items, number, size):
    """Return page `number`, counted from 1."""
    if number < 1 or number > max(page_count(len(items), size), 1):
        raise IndexError(f"there is no page {number}")
    start = (number - 1) * size
    return items[start : start + size]
''',
        """import pytest

from pages.pages import page, page_count


def test_a_last_page_may_be_short():
    assert page_count(11, 5) == 3


def test_full_pages_need_no_more():
    assert page_count(10, 5) == 2


def test_nothing_has_no_pages():
    assert page_count(0, 5) == 0


def test_pages_count_from_one():
    assert page(list("abcdefg"), 2, 3) == ["d", "e", "f"]


def test_beyond_the_last_page_is_an_error():
    with pytest.raises(IndexError):
        page([1, 2], 2, 2)
""",
    ),
    Project(
        "thermostat (wrong operator)",
        "thermostat",
        '''"""A thermostat with a dead band, so that the heating does not flutter."""


class Thermostat:
    """Switches the heating around a target temperature."""

    def __init__(self, target, band=0.5):
        self.target = target
        self.band = band
        self.heating = False

    def update(self, temperature):
        """Take a measurement and return whether to heat."""
        if temperature < self.target - self.band:
            self.heating = True
        elif temperature > self.target - self.band:
            self.heating = False
        return self.heating

    def set_target(self, target):
        """Change the target; must be between 5 and 30 degrees."""
        if not 5 <= target <= 30:
            raise ValueError("the target must be between 5 and 30")
        self.target = target
''',
        """import pytest

from thermostat.thermostat import Thermostat


def test_cold_rooms_are_heated():
    assert Thermostat(20).update(18.0) is True


def test_warm_rooms_are_not():
    assert Thermostat(20).update(21.0) is False


def test_within_the_band_nothing_changes():
    thermostat = Thermostat(20)
    thermostat.update(18.0)
    assert thermostat.update(20.0) is True
    assert thermostat.update(20.4) is True
    assert thermostat.update(20.6) is False
    assert thermostat.update(20.0) is False


def test_targets_have_limits():
    with pytest.raises(ValueError):
        Thermostat(20).set_target(40)
""",
    ),
    Project(
        "romans (missing case)",
        "romans",
        '''"""Roman numerals."""

_SYMBOLS = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
]


def to_roman(number):
    """Return a number from 1 to 3999 as a Roman numeral."""
    if not 0 < number < 4000:
        raise ValueError("only 1 to 3999 can be written")
    result = []
    for value, symbol in _SYMBOLS:
        while number >= value:
            result.append(symbol)
            number -= value
    return "".join(result)
''',
        """import pytest

from romans.romans import to_roman


@pytest.mark.parametrize(
    ("number", "roman"),
    [(1, "I"), (4, "IV"), (9, "IX"), (48, "XLVIII"), (1999, "MCMXCIX"), (444, "CDXLIV")],
)
def test_numbers_are_written(number, roman):
    assert to_roman(number) == roman


def test_zero_cannot_be_written():
    with pytest.raises(ValueError):
        to_roman(0)
""",
    ),
    Project(
        "joiner (wrong default)",
        "joiner",
        '''"""Joining words for people."""


def join_words(words, last="or"):
    """Return ``a, b and c``."""
    words = [word for word in words if word]
    if not words:
        return ""
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def quote_all(words, mark='"'):
    """Return the words, each within quotation marks."""
    return [f"{mark}{word}{mark}" for word in words]
''',
        """from joiner.joiner import join_words, quote_all


def test_nothing_is_nothing():
    assert join_words([]) == ""


def test_one_word_stands_alone():
    assert join_words(["tea"]) == "tea"


def test_words_are_joined_with_and():
    assert join_words(["tea", "milk", "sugar"]) == "tea, milk and sugar"


def test_another_last_word_may_be_asked_for():
    assert join_words(["tea", "milk"], last="or") == "tea or milk"


def test_quotes():
    assert quote_all(["a"]) == ['"a"']
""",
    ),
    Project(
        "settings (mutated argument)",
        "settings",
        '''"""Settings in layers."""


def merged(base, changes):
    """Return `base` with `changes`, also within nested dictionaries. Neither is altered."""
    result = base
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merged(result[key], value)
        else:
            result[key] = value
    return result


def get(settings, path, default=None):
    """Return the value at a dotted path such as ``editor.font.size``."""
    for name in path.split("."):
        if not isinstance(settings, dict) or name not in settings:
            return default
        settings = settings[name]
    return settings
''',
        """from settings.settings import get, merged

BASE = {"editor": {"font": {"size": 12}, "wrap": True}}


def test_changes_are_merged_deeply():
    result = merged(BASE, {"editor": {"font": {"size": 14}}})
    assert result == {"editor": {"font": {"size": 14}, "wrap": True}}


def test_the_base_is_not_altered():
    base = {"a": {"b": 1}}
    merged(base, {"a": {"b": 2}, "c": 3})
    assert base == {"a": {"b": 1}}


def test_paths():
    assert get({"a": {"b": 1}}, "a.b") == 1
    assert get({"a": 1}, "a.b", "none") == "none"
""",
    ),
)
