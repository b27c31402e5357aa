"""The types of JSON values, so that signatures can say what they carry."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

JSON: TypeAlias = "str | int | float | bool | Mapping[str, JSON] | Sequence[JSON] | None"
JSONObject: TypeAlias = Mapping[str, JSON]
