"""The arguments of a tool as a pydantic model that shows a schema and takes anything.

LangChain asks a tool for such a model. This one says what a model is to be shown, and changes no
value: what is sent is the model's own JSON, and the tool itself checks it.
"""

import copy
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler
from pydantic_core import CoreSchema


class OpenArguments(BaseModel):
    """Any JSON object. It has no fields, so no name of an argument can mean anything to Python."""

    model_config = ConfigDict(extra="allow")
    shown: ClassVar[dict[str, Any]] = {}

    @classmethod
    def model_json_schema(
        cls,
        *args: Any,  # noqa: ANN401  # pydantic's signature
        **kwargs: Any,  # noqa: ANN401  # pydantic's signature
    ) -> dict[str, Any]:
        """Return the schema to show."""
        return copy.deepcopy(cls.shown)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return copy.deepcopy(cls.shown)


def arguments_model(name: str, description: str, shown: dict[str, Any]) -> type[OpenArguments]:
    """Return a model of arguments that shows the schema `shown`."""
    body = {"__module__": __name__, "__doc__": description, "shown": shown}
    return type(name, (OpenArguments,), body)
