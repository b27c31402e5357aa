"""Words of servers: see `hackamore.core.visible`, which says what of them a model may read."""

from hackamore.core.visible import (
    hides_something,
    name_hides_something,
    visible,
    visible_json,
)

__all__ = ["hides_something", "name_hides_something", "visible", "visible_json"]
