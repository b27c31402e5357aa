"""What is believed of a record of laid covers."""

import json
import os
from pathlib import Path

import pytest

from hackamore.sandbox.cover_record import Record, folder_name, read_record, write_record

_ROOT = Path("/home/somebody/project")


def place_of(tmp_path: Path, root: Path) -> Path:
    place = tmp_path / folder_name(root)
    place.mkdir()
    return place


@pytest.mark.req("SBX-03")
def test_a_record_comes_back_also_of_a_root_that_is_no_text(tmp_path: Path) -> None:
    root = Path(os.fsdecode(b"/home/\xff\n"))
    place = place_of(tmp_path, root)
    write_record(place, Record(root, {".envrc": (7, 8)}))
    assert read_record(place) == Record(root, {".envrc": (7, 8)})


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize("name", ["../victim", "a/b", "..", ".", "", "a\0"])
def test_a_record_with_other_than_plain_names_is_not_believed(tmp_path: Path, name: str) -> None:
    place = place_of(tmp_path, _ROOT)
    write_record(place, Record(_ROOT, {name: (7, 8)}))
    assert read_record(place) is None


@pytest.mark.req("SBX-03")
def test_a_record_of_another_workspace_than_its_folder_is_not_believed(tmp_path: Path) -> None:
    place = place_of(tmp_path, _ROOT)
    write_record(place, Record(_ROOT.parent, {".envrc": (7, 8)}))
    assert read_record(place) is None


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize("text", ["", "[]", "{}", '{"root": 1, "laid": {}}', '{"root": "zz"}'])
def test_what_is_no_record_is_none(tmp_path: Path, text: str) -> None:
    place = place_of(tmp_path, _ROOT)
    (place / "laid.json").write_text(text)
    assert read_record(place) is None


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize("laid", [[], {"a": 1}, {"a": [1]}, {"a": ["x", 1]}])
def test_a_record_with_marks_that_are_none_is_none(tmp_path: Path, laid: object) -> None:
    place = place_of(tmp_path, _ROOT)
    fields = {"root": os.fsencode(_ROOT).hex(), "laid": laid}
    (place / "laid.json").write_text(json.dumps(fields))
    assert read_record(place) is None
